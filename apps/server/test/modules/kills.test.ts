import { expect, test } from 'vitest';
import { killServer } from '../../../../soak/kills/run.ts';

test(
  'the server killed while people book, meet and are told: nothing is lost, nobody is left out, no meeting is stuck',
  { timeout: 400_000 },
  async () => {
    const { verdicts, ledger } = await killServer({ kills: 3, seed: 7, isBrief: true });
    expect(
      Object.entries(verdicts).flatMap(([promise, { wrong }]) => wrong.map((what) => `${promise}: ${what}`)),
    ).toEqual([]);
    expect([...ledger.counts.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(0);
  },
);
