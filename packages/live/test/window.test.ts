import { expect, test } from 'vitest';
import { LiveView, LiveWindow } from '../src/index.ts';
import { addPart, filler, STARTS_AT, unix } from './media.ts';

function liveView(mostWaiting?: number) {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  const view = new LiveView(window, { waitMs: 60_000, ...(mostWaiting === undefined ? {} : { mostWaiting }) });
  view.update([{ from: unix(0), until: null }], false);
  return { window, view };
}

test('twelve hours stay within the window', () => {
  const { window, view } = liveView();
  let most = 0;
  let base = 0;
  for (let segment = 1; segment < 12 * 1_800; segment += 1) {
    filler(window, { from: segment, to: segment + 1, bytes: 1_000 });
    if (segment % 50 === 0) window.takeInit(2, Buffer.alloc(500));
    most = Math.max(most, window.bytes);
    const next = Number(/MEDIA-SEQUENCE:(\d+)/.exec(view.playlist({ plain: true, query: '' }) ?? '')?.[1] ?? 0);
    if (next < base) expect.fail(`The media sequence went from ${base} to ${next}.`);
    base = next;
  }
  expect(most).toBeLessThan(22 * 6_000 + 1_000);
  expect([window.segments.length, window.inits.size]).toEqual([20, 2]);
});

test('whatever is fed, memory is bounded', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT, keepBytes: 100_000 });
  filler(window, { from: 1, to: 30, bytes: 3_000 });
  expect(window.bytes).toBeLessThanOrEqual(100_006);
  // A segment that does not end.
  for (let part = 0; part < 100; part += 1) {
    const at = 60_000 + part * 300;
    window.takePart({ segment: 30, init: 1, startsSegment: part === 0, at, duration: 300, data: Buffer.alloc(3_000) });
    expect(window.bytes).toBeLessThanOrEqual(100_006);
  }
  window.takePart({ segment: 31, init: 1, startsSegment: true, at: 95_000, duration: 300, data: Buffer.alloc(10) });
  expect(window.segments.map(({ number }) => number)).toEqual([31]);
  for (let init = 2; init < 1_000; init += 1) window.takeInit(init, Buffer.alloc(1_000));
  expect(window.inits.size).toBe(2);
});

test('parts without their beginning or their initialization segment are left out', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  addPart(window, { segment: 2, part: 3 });
  addPart(window, { segment: 3, part: 0, init: 7 });
  expect(window.segments).toEqual([]);
});

test('repeated parts are left out, and numbers that are used again replace', () => {
  const window = new LiveWindow({ startsAt: STARTS_AT });
  filler(window, { from: 1, to: 4 });
  filler(window, { from: 2, to: 4 });
  addPart(window, { segment: 4, part: 0 });
  expect(window.segments.map(({ parts }) => parts.length)).toEqual([6, 6, 6, 1]);
  window.takeInit(2, Buffer.from('init 2'));
  window.takePart({ segment: 4, init: 2, startsSegment: true, at: 12_000, duration: 300, data: Buffer.alloc(3) });
  expect(window.segments.map(({ number, init }) => [number, init])).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
  ]);
});

test('who asks for what comes next waits for it', async () => {
  const { window, view } = liveView();
  filler(window, { from: 1, to: 4 });
  addPart(window, { segment: 4, part: 0 });
  expect(await view.waitFor({ msn: 4, part: 0 })).toBe('ready');
  const part = view.waitFor({ msn: 4, part: 1 });
  const hinted = view.file('part-1-4-1.m4s');
  const whole = view.waitFor({ msn: 4 });
  expect(view.waiting).toBe(3);
  addPart(window, { segment: 4, part: 1 });
  expect(await part).toBe('ready');
  expect((await hinted)?.toString()).toBe('4.1 4.1 4.');
  // A part behind the last one is the first one of the next segment.
  const behind = view.waitFor({ msn: 4, part: 2 });
  expect(view.waiting).toBe(2);
  addPart(window, { segment: 5, part: 0 });
  expect([await behind, await whole, view.waiting]).toEqual(['ready', 'ready', 0]);
});

test('requests for the distant future are refused', async () => {
  const { window, view } = liveView();
  filler(window, { from: 1, to: 4 });
  expect(await view.waitFor({ msn: 6 })).toBe('tooFar');
  expect(await view.waitFor({ msn: 3, part: 30 })).toBe('tooFar');
  expect(await view.file('part-1-3-7.m4s')).toBeUndefined();
  expect(await view.file('part-1-5-0.m4s')).toBeUndefined();
  expect(await view.file('part-2-4-0.m4s')).toBeUndefined();
});

test('a hinted part that never comes is answered when that is known', async () => {
  const { window, view } = liveView();
  addPart(window, { segment: 1, part: 0 });
  const hinted = view.file('part-1-1-1.m4s');
  addPart(window, { segment: 2, part: 0 });
  expect(await hinted).toBeUndefined();
});

test('a request that is given up is forgotten, and the number of waiting ones is bounded', async () => {
  const { window, view } = liveView(2);
  filler(window, { from: 1, to: 2 });
  const closing = new AbortController();
  const first = view.waitFor({ msn: 2, part: 0 }, closing.signal);
  const second = view.waitFor({ msn: 2, part: 0 });
  expect(await view.waitFor({ msn: 2, part: 0 })).toBe('late');
  closing.abort();
  expect(await first).toBe('late');
  expect(view.waiting).toBe(1);
  view.close();
  expect(await second).toBe('late');
});

test('going on air wakes those who wait, and so does the end', async () => {
  const { window, view } = liveView();
  view.update([], false);
  filler(window, { from: 1, to: 4 });
  const shown = view.whenShown(false);
  expect(view.waiting).toBe(1);
  view.update([{ from: unix(0), until: null }], false);
  await shown;
  const next = view.waitFor({ msn: 4, part: 0 });
  view.update([{ from: unix(0), until: unix(7) }], false);
  expect(view.waiting).toBe(1);
  // Off air now: it is not shown.
  addPart(window, { segment: 4, part: 0 });
  expect(view.waiting).toBe(1);
  view.update([{ from: unix(0), until: unix(7) }], true);
  expect(await next).toBe('ready');
});
