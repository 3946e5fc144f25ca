import { beforeEach, expect, test } from 'vitest';
import { Random } from '../../../../soak/fuzz/random.ts';
import { needNative } from '../support/native.ts';
import { ATTACKS, Target } from './wire-attack.ts';

beforeEach(needNative);

const EACH = 4000;

test.each(ATTACKS)('mutated %s from the wire does no harm to a peer beside it', { timeout: 60_000 }, async (kind) => {
  const target = new Target();
  await target.open();
  const { alice } = target;
  expect(alice.isConnected).toBe(true);
  await target.run(kind, EACH, new Random(26));
  expect(alice.isConnected).toBe(true);
  expect(alice.missing).toBe(0);
  expect(alice.returned).toBeGreaterThan(EACH / 100);
  expect(alice.messages).toBeGreaterThan(EACH / 500);
  await target.close();
  expect(target.wrong).toEqual([]);
  expect(target.faults).toEqual([]);
});
