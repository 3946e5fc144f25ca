import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PictureRequests, type Pictures } from '../../src/call/pictures.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Records the requests to the engine, each time they change. */
function requesting() {
  const asked: Record<string, number>[] = [];
  const requests = new PictureRequests((pictures: Pictures) => asked.push(Object.fromEntries(pictures)));
  return { requests, asked };
}

test('each picture is requested once, in the largest size that a view wants', () => {
  const { requests, asked } = requesting();
  requests.show('wall', [
    { key: 'alice', ask: 180 },
    { key: 'bob', ask: 180 },
  ]);
  requests.show('preview', [
    { key: 'bob', ask: 720 },
    { key: 'alice', ask: 0 },
  ]);
  expect(asked).toEqual([
    { alice: 180, bob: 180 },
    { alice: 180, bob: 720 },
  ]);
});

test('a view that declares the same again requests nothing', () => {
  const { requests, asked } = requesting();
  for (let redraw = 0; redraw < 100; redraw += 1) {
    requests.show('preview', [{ key: 'alice', ask: 360 }]);
    vi.advanceTimersByTime(100);
  }
  expect(asked).toEqual([{ alice: 360 }]);
});

test('a view takes a picture over from another, or wants it back, without a request', () => {
  const { requests, asked } = requesting();
  requests.show('wall', [{ key: 'alice', ask: 360 }]);
  for (let change = 0; change < 10; change += 1) {
    requests.show('wall', []);
    vi.advanceTimersByTime(1_000);
    requests.show(change % 2 === 0 ? 'preview' : 'wall', [{ key: 'alice', ask: 360 }]);
    requests.show('preview', []);
    requests.show('wall', [{ key: 'alice', ask: 180 }]);
    requests.show('preview', [{ key: 'alice', ask: 360 }]);
  }
  vi.advanceTimersByTime(60_000);
  expect(asked).toEqual([{ alice: 360 }]);
});

test('a request that no view needs any more is reduced after a while, each at its own time', () => {
  const { requests, asked } = requesting();
  requests.show('preview', [
    { key: 'alice', ask: 720 },
    { key: 'bob', ask: 180 },
  ]);
  requests.show('preview', [
    { key: 'alice', ask: 180 },
    { key: 'bob', ask: 180 },
  ]);
  vi.advanceTimersByTime(1_000);
  requests.show('preview', [{ key: 'alice', ask: 180 }]);
  vi.advanceTimersByTime(1_500);
  expect(asked).toEqual([
    { alice: 720, bob: 180 },
    { alice: 180, bob: 180 },
  ]);
  vi.advanceTimersByTime(1_000);
  expect(asked.at(-1)).toEqual({ alice: 180 });
});

test('a larger size is requested at once', () => {
  const { requests, asked } = requesting();
  requests.show('stage', [{ key: 'alice', ask: 180 }]);
  requests.show('stage', [{ key: 'alice', ask: 720 }]);
  expect(asked.at(-1)).toEqual({ alice: 720 });
});

test('once closed it requests nothing more', () => {
  const { requests, asked } = requesting();
  requests.show('stage', [{ key: 'alice', ask: 180 }]);
  requests.show('stage', []);
  requests.close();
  requests.show('stage', []);
  vi.advanceTimersByTime(60_000);
  expect(asked).toHaveLength(1);
});
