import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchConference, type WatchPorts } from '../../src/call/index.ts';
import type { MediaEvents, MediaOptions } from '../../src/call/media-types.ts';
import { FakeSession, refused } from './fakes.ts';
import { MEET_ID, controlOf, terminalOf } from './people.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const people = ['chair', 'alice', 'bob'];
const conference = {
  control: controlOf(people, { verb: 'volume', termId: 'bob', volume: 50 }),
  terminals: people.map((termId) => terminalOf(termId)),
};

/** `answers` contains the results of successive token requests; the last one repeats. */
function watching(answers: (string | Error)[] = ['first']) {
  const sessions: FakeSession[] = [];
  const ports: WatchPorts = {
    api: {
      watch: () => {
        const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
        return answer instanceof Error
          ? Promise.reject(answer)
          : Promise.resolve({ url: 'ws://127.0.0.1', token: answer });
      },
    },
    loadMedia: () =>
      Promise.resolve((events: MediaEvents, options?: MediaOptions) => {
        const session = new FakeSession(events, options);
        sessions.push(session);
        return session;
      }),
  };
  const watch = watchConference(MEET_ID, ports);
  return { watch, sessions, state: () => watch.store.getSnapshot() };
}

test('shows those inside, receives only the requested pictures, and no sound until asked to', async () => {
  const { watch, sessions, state } = watching();
  watch.update(conference);
  watch.pictures.show('wall', [{ key: 'bob', ask: 180 }]);
  await pass();
  const [session] = sessions;
  session?.events.onState('connected');
  expect(session).toMatchObject({ watching: true, token: 'first', layers: new Map([['bob', 180]]), hears: false });
  expect(state().tiles.map(({ key }) => key)).toEqual(people);
  watch.listen(true);
  expect(session?.hears).toBe(true);
  expect(session?.volumeOf('bob')).toBe(0.5);
});

test('asks again when the connection is lost, and then continues', async () => {
  const { watch, sessions, state } = watching(['first', refused('MEDIA_UNAVAILABLE', 503), 'second']);
  watch.pictures.show('wall', [{ key: 'alice', ask: 360 }]);
  watch.listen(true);
  await pass();
  sessions[0]?.events.onState('connected');
  sessions[0]?.end('lost');
  await pass(400);
  expect(state()).toMatchObject({ media: 'reconnecting', failure: 'MEDIA_UNAVAILABLE' });
  await pass(3_000);
  expect(sessions[1]).toMatchObject({ token: 'second', layers: new Map([['alice', 360]]), hears: true });
  sessions[1]?.events.onState('connected');
  expect(state()).toMatchObject({ media: 'connected', failure: null });
});

test('a disconnection by the engine is shown, retried with backoff, and cleared once connected', async () => {
  const { watch, sessions, state } = watching();
  watch.pictures.show('preview', [{ key: 'alice', ask: 360 }]);
  await pass();
  for (const wait of [300, 600, 1_200]) {
    const session = sessions.at(-1);
    session?.events.onState('connected');
    await pass(4_000);
    session?.end('removed');
    await pass(wait / 2);
    expect(sessions.at(-1)).toBe(session);
    expect(state()).toMatchObject({ media: 'reconnecting', cutOff: true });
    await pass(wait);
  }
  sessions.at(-1)?.events.onState('connected');
  expect(sessions).toHaveLength(4);
  expect(sessions[3]?.layers).toEqual(new Map([['alice', 360]]));
  expect(state().cutOff).toBe(true);
  await pass(5_000);
  expect(state()).toMatchObject({ media: 'connected', cutOff: false });
});

test('once closed it sends no more requests', async () => {
  const { watch, sessions } = watching();
  await pass();
  watch.close();
  await pass(60_000);
  expect(sessions).toHaveLength(1);
  expect(sessions[0]?.stopped).toBe(true);
});

test('the active speaker is followed', async () => {
  const { watch, sessions, state } = watching();
  watch.update(conference);
  await pass();
  sessions[0]?.events.onSpeakers(['bob']);
  await pass(1_000);
  expect(state().speakers.recent).toEqual(['bob']);
  expect(state().tiles.find(({ termId }) => termId === 'bob')?.speaking).toBe(true);
});
