import { expect, test } from 'vitest';
import { killWhileTelling } from '../../../../soak/kills/notices.ts';

test('the server killed while it books and sends: every notice goes out and is marked', { timeout: 400_000 }, async () => {
  const report = await killWhileTelling({ kills: 4, seed: 7 });
  expect(report).toMatchObject({ missed: [], unmarked: [], strangers: [] });
  expect(report.recipients).toBeGreaterThan(0);
});
