import { expect, test } from 'vitest';
import { killServer } from '../../../../soak/kills/run.ts';

test(
  'kills of the server during bookings, meetings and notices lose no data, no recipient and no meeting',
  { timeout: 400_000 },
  async () => {
    const { verdicts, ledger } = await killServer({ kills: 3, seed: 7, isBrief: true });
    expect(
      Object.entries(verdicts).flatMap(([promise, { wrong }]) => wrong.map((what) => `${promise}: ${what}`)),
    ).toEqual([]);
    expect([...ledger.counts.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(0);
  },
);
