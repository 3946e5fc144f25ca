import type { BroadcastMessage, WatchState } from '@rmeet/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { behindOf } from '../src/features/live/player/edge.ts';
import { merged, Watching, type WatchCalls } from '../src/features/live/watch/watching.ts';
import { ApiError } from '../src/lib/api/error.ts';
import { lacksPassword, newSetting, settingBody, slowChoices } from '../src/ui/broadcast/setting.ts';

const message = (id: string, part: Partial<BroadcastMessage> = {}): BroadcastMessage => ({
  id,
  version: 1,
  kind: 'chat',
  state: 'shown',
  at: `2026-11-20T09:00:0${id}.000Z`,
  name: 'Carol',
  isHost: false,
  text: `text ${id}`,
  answer: null,
  ...part,
});

const state = (part: Partial<WatchState & { view: string }> = {}): WatchState & { view: string } => ({
  view: 'v1',
  cdn: null,
  hasQualities: false,
  broadcast: {} as WatchState['broadcast'],
  version: 1,
  viewers: 1,
  likes: 10,
  messages: [],
  isMuted: false,
  sign: 's1',
  watermark: null,
  hasReplay: false,
  ...part,
});

describe('messages', () => {
  test('are in order, without deleted ones, and a change replaces the message', () => {
    const known = merged([], [message('2'), message('1')]);
    expect(known.map(({ id }) => id)).toEqual(['1', '2']);
    const changed = merged(known, [message('1', { version: 3, state: 'deleted' }), message('2', { version: 2 })]);
    expect(changed).toEqual([message('2', { version: 2 })]);
  });

  test('an answer that was overtaken changes nothing', () => {
    const known = [message('1', { version: 5, answer: 'In March' })];
    expect(merged(known, [message('1', { version: 2 })])).toEqual(known);
  });
});

describe('an open broadcast', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const watchingOf = (answer = vi.fn<WatchCalls['state']>(async () => state({ version: 2, likes: 12 }))) => {
    const calls = {
      state: answer,
      say: vi.fn<WatchCalls['say']>(async () => message('3')),
      open: vi.fn<WatchCalls['open']>(async () => state({ view: 'v2', sign: 's2' })),
      leave: vi.fn<WatchCalls['leave']>(),
    };
    return { calls, watching: new Watching(state(), calls) };
  };

  test('asks once in three seconds, with what is known and the likes', async () => {
    const { calls, watching } = watchingOf();
    const stop = watching.start(() => undefined);
    watching.like();
    watching.like();
    expect(watching.get().likes).toBe(12);
    await vi.advanceTimersByTimeAsync(9_100);
    expect(calls.state.mock.calls.map(([body]) => body)).toEqual([
      { view: 'v1', since: 1, likes: 2 },
      { view: 'v1', since: 2, likes: 0 },
      { view: 'v1', since: 2, likes: 0 },
    ]);
    expect(watching.get().likes).toBe(12);
    stop();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(calls.state).toHaveBeenCalledTimes(3);
  });

  test('keeps the likes of a call without answer, says so, and goes on', async () => {
    const state1 = vi.fn<WatchCalls['state']>().mockRejectedValueOnce(new ApiError(0, 'UNREACHABLE'));
    state1.mockImplementation(async () => state());
    const { watching } = watchingOf(state1);
    watching.start(() => undefined);
    watching.like();
    await vi.advanceTimersByTimeAsync(3_100);
    expect(watching.get().isLost).toBe(true);
    await vi.advanceTimersByTimeAsync(3_100);
    expect(watching.get().isLost).toBe(false);
    expect(state1.mock.calls.map(([{ likes }]) => likes)).toEqual([1, 1]);
  });

  test('opens a view that has ended again, and leaves when that is refused', async () => {
    const ended = vi.fn<WatchCalls['state']>().mockRejectedValue(new ApiError(404, 'WATCH_ENDED'));
    const { calls, watching } = watchingOf(ended);
    const refused = vi.fn<() => void>();
    watching.start(refused);
    await vi.advanceTimersByTimeAsync(3_100);
    expect(calls.open).toHaveBeenCalledWith('v1');
    expect(watching.sign).toBe('s2');
    calls.open.mockRejectedValue(new ApiError(403, 'WATCH_PASSWORD'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(refused).toHaveBeenCalledTimes(1);
    expect(ended).toHaveBeenCalledTimes(2);
  });

  test('waits as long as a busy server wants', async () => {
    const busy = vi
      .fn<WatchCalls['state']>()
      .mockRejectedValue(new ApiError(429, 'TOO_MANY_REQUESTS', '', { data: { seconds: 20 } }));
    watchingOf(busy).watching.start(() => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(busy).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(busy).toHaveBeenCalledTimes(2);
  });

  test('shows what the viewer said, as their own', async () => {
    const { watching } = watchingOf();
    await watching.say('chat', 'Good morning');
    expect(watching.get().messages.map(({ id }) => id)).toEqual(['3']);
    expect(watching.get().own.has('3')).toBe(true);
  });
});

describe('how far a picture is behind', () => {
  const from = Date.parse('2026-11-20T09:00:00.000Z');
  const listed = (part: object = {}) =>
    ({
      fragments: [{ programDateTime: from, duration: 4 }],
      partList: null,
      age: 0,
      targetduration: 4,
      ...part,
    }) as never;

  test('is by the times of the server', () => {
    expect(behindOf(listed(), new Date(from + 1_000))).toBe(3);
    expect(behindOf(listed({ age: 1.5 }), new Date(from + 1_000))).toBe(4.5);
    // A list that is not renewed does not make it later and later.
    expect(behindOf(listed({ age: 60 }), new Date(from + 1_000))).toBe(7);
    const part = { fragment: { programDateTime: from + 4_000 }, fragOffset: 0.5, duration: 0.5 };
    expect(behindOf(listed({ partList: [part] }), new Date(from + 3_000))).toBe(2);
  });

  test('is unknown without them', () => {
    expect(behindOf(listed(), null)).toBeNull();
    expect(behindOf(listed({ fragments: [] }), new Date(from))).toBeNull();
    expect(behindOf(listed({ fragments: [{ programDateTime: null, duration: 4 }] }), new Date(from))).toBeNull();
  });
});

describe('settings', () => {
  test('take password and people only where they apply', () => {
    const people = [{ userId: 'u1', name: 'Bob' }];
    const draft = { ...newSetting(), password: '4821', whiteList: people };
    expect(settingBody(draft)).not.toHaveProperty('password');
    expect(settingBody({ ...draft, access: 'password' })).toMatchObject({ password: '4821' });
    expect(settingBody({ ...draft, access: 'whiteList' })).toMatchObject({ whiteList: ['u1'] });
  });

  test('need a password once', () => {
    const draft = { ...newSetting(), access: 'password' as const };
    expect(lacksPassword(draft, false)).toBe(true);
    expect(lacksPassword(draft, true)).toBe(false);
    expect(lacksPassword({ ...draft, password: '123' }, true)).toBe(true);
  });

  test('keep an unusual time between messages', () => {
    expect(slowChoices(10)).toHaveLength(6);
    expect(slowChoices(45)).toContain(45);
  });
});
