import { afterEach, expect, test, vi } from 'vitest';
import { covers, matrix } from '../matrix.ts';

afterEach(() => vi.unstubAllEnvs());

test('if no big run is due all are listed first, and no server is built or started for them', async () => {
  vi.stubEnv('LIVEKIT_SERVER_BINARY', '/nowhere/livekit-server');
  const runs: string[] = [];
  for await (const run of matrix(() => false)) {
    runs.push(typeof run === 'string' ? run : run.name);
    if (runs.length === Object.keys(covers).length) break;
  }
  expect(runs.toSorted()).toEqual(Object.keys(covers).toSorted());
});
