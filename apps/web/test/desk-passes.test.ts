import { beforeEach, describe, expect, test } from 'vitest';
import { DeskPasses, type DeskPass } from '../src/lib/desk/passes.ts';
import { MemoryStorage } from './support.ts';

const NINE = Date.parse('2026-11-20T09:00:00.000Z');
const pass = (meetId: string, token = `token of ${meetId}`): DeskPass => ({
  token,
  meetId,
  part: 'chair',
  scope: 'control',
  expiresAt: '2026-11-20T10:00:00.000Z',
});

let store: MemoryStorage;
let now: number;
let passes: DeskPasses;
beforeEach(() => {
  store = new MemoryStorage();
  now = NINE;
  passes = new DeskPasses(store, () => now);
});

describe('a desk opened by a link', () => {
  test('is kept per meeting, under its own key, over a reload', () => {
    passes.keep(pass('m1'));
    passes.keep(pass('m2'));
    const reloaded = new DeskPasses(store, () => now);
    expect(reloaded.get('m1')).toEqual(pass('m1'));
    expect(reloaded.meetIds).toEqual(['m1', 'm2']);
    expect(store.getItem('token')).toBeNull();
  });

  test('ends when its time is over, and is reported as closed', () => {
    passes.keep(pass('m1'));
    now += 3_600_000;
    expect(passes.get('m1')).toBeNull();
    expect(passes.meetIds).toEqual([]);
    expect(passes.endOf('m1')).toBe('closed');
  });

  test('is dropped when the server closes it, unless there is a newer one', () => {
    passes.keep(pass('m1', 'newer'));
    passes.drop(pass('m1', 'older'));
    expect(passes.get('m1')?.token).toBe('newer');
    passes.drop(pass('m1', 'newer'));
    expect(passes.get('m1')).toBeNull();
    expect(passes.endOf('m1')).toBe('closed');
  });
});

describe('a link that was refused', () => {
  test('is remembered until another one opens', () => {
    expect(passes.endOf('m1')).toBeUndefined();
    passes.refuse('m1');
    expect(passes.endOf('m1')).toBe('invalid');
    passes.keep(pass('m1'));
    expect(passes.endOf('m1')).toBeUndefined();
  });

  test('does not affect a desk that an earlier one opened', () => {
    passes.keep(pass('m1'));
    passes.refuse('m1');
    expect(passes.get('m1')).not.toBeNull();
    expect(passes.endOf('m1')).toBeUndefined();
  });
});

test('every change reaches the subscribers', () => {
  let told = 0;
  const stop = passes.subscribe(() => {
    told += 1;
  });
  passes.keep(pass('m1'));
  passes.refuse('m2');
  passes.drop(pass('m1'));
  stop();
  passes.keep(pass('m3'));
  expect(told).toBe(3);
});
