import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DeskFeed, type DeskPush } from '../../src/features/conferences/desk/feed.ts';
import type { PushEvent, PushSnapshot, PushStatus, TopicHandler } from '../../src/lib/push/index.ts';
import { MEET_ID, deskOf, report, step, terminal } from './support.ts';

/** A push socket whose server is simulated by the test. */
class FakePush implements DeskPush {
  refusal: string | null = null;
  handler: TopicHandler = {};
  subscriptions = 0;
  status: (status: PushStatus) => void = () => undefined;

  subscribe(_topic: string, handler: TopicHandler): () => void {
    this.handler = handler;
    this.subscriptions += 1;
    return () => undefined;
  }

  onStatus(listener: (status: PushStatus) => void): () => void {
    this.status = listener;
    return () => undefined;
  }

  close(): void {
    this.handler = {};
  }

  snapshot(state: PushSnapshot, version: number): void {
    void this.handler.snapshot?.(state, version);
  }

  event(event: PushEvent, version: number): void {
    void this.handler.event?.(event, version);
  }
}

const desk = deskOf(terminal('chair'), terminal('alice'));

describe('the feed of a desk', () => {
  let push: FakePush;
  let feed: DeskFeed;
  let told: number;

  beforeEach(() => {
    vi.useFakeTimers();
    push = new FakePush();
    feed = new DeskFeed(push, MEET_ID);
    told = 0;
    push.status('open');
    push.snapshot(desk, 1);
    vi.advanceTimersByTime(20);
    feed.store.subscribe(() => (told += 1));
  });
  afterEach(() => {
    feed.close();
    vi.useRealTimers();
  });

  test('shows the received state', () => {
    expect(feed.store.getSnapshot()).toMatchObject({ link: 'connected', over: false, idle: false });
    expect(feed.store.getSnapshot().rows.map(({ termId }) => termId)).toEqual(['chair', 'alice']);
  });

  test('notifies once for all events within a frame', () => {
    for (let at = 0; at < 50; at += 1)
      push.event({ type: 'terminalChanged', terminal: { ...terminal('alice'), name: `Alice ${at}` } }, at + 2);
    expect(told).toBe(0);
    vi.advanceTimersByTime(20);
    expect(told).toBe(1);
  });

  test('collects reports, but lets no command wait for them', () => {
    push.handler.reports?.({ alice: report({ quality: 'poor' }) });
    vi.advanceTimersByTime(100);
    expect(told).toBe(0);
    push.event({ type: 'control', step: step(desk, { verb: 'lock', locked: true }) }, 2);
    vi.advanceTimersByTime(20);
    expect(told).toBe(1);
    expect(feed.store.getSnapshot().state?.control.locked).toBe(true);
    expect(feed.store.getSnapshot().rows[1]?.quality).toBe('poor');
  });

  test('marks a terminal that does not answer within three seconds', () => {
    push.event({ type: 'control', step: step(desk, { verb: 'mute', termIds: ['alice'], muted: true }, ['alice']) }, 2);
    vi.advanceTimersByTime(2_500);
    expect(feed.store.getSnapshot().rows[1]?.late).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(feed.store.getSnapshot().rows[1]?.late).toBe(true);
  });

  test('estimates the clock of the server, unaffected by late events', () => {
    expect(feed.store.getSnapshot().clockAhead).toBeNull();
    const heard = (seconds: number, version: number) => {
      push.event(
        {
          type: 'control',
          step: {
            ...step(desk, { verb: 'lock', locked: true }),
            at: new Date(Date.now() + seconds * 1_000).toISOString(),
          },
        },
        version,
      );
      vi.advanceTimersByTime(20);
      return feed.store.getSnapshot().clockAhead;
    };
    expect(heard(7, 2)).toBe(7_000);
    expect(heard(-60, 3)).toBe(7_000);
  });

  test('shows reconnecting, keeps its state, and shows refusals of the server', () => {
    push.status('waiting');
    expect(feed.store.getSnapshot()).toMatchObject({ link: 'reconnecting', state: { subject: 'Ward round' } });
    push.handler.refused?.('FORBIDDEN');
    expect(feed.store.getSnapshot().refusal).toBe('FORBIDDEN');
  });

  test('knows the end, and subscribes again when there is a new conference', () => {
    push.event({ type: 'ended' }, 2);
    expect(feed.store.getSnapshot().over).toBe(true);
    push.event({ type: 'control', step: step(desk, { verb: 'lock', locked: true }) }, 3);
    expect(push.subscriptions).toBe(2);
    push.snapshot({ ...desk, conferenceId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d99' }, 4);
    vi.advanceTimersByTime(20);
    expect(feed.store.getSnapshot().over).toBe(false);
  });
});

test('a desk without a conference is idle until there is one', () => {
  vi.useFakeTimers();
  const push = new FakePush();
  const feed = new DeskFeed(push, MEET_ID);
  push.status('open');
  vi.advanceTimersByTime(1_100);
  expect(feed.store.getSnapshot().idle).toBe(true);
  push.snapshot(desk, 1);
  vi.advanceTimersByTime(20);
  expect(feed.store.getSnapshot()).toMatchObject({ idle: false, state: { subject: 'Ward round' } });
  feed.close();
  vi.useRealTimers();
});
