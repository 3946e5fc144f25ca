import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missing } from '../../../../packages/recorder/test/film.ts';
import { recordThrough } from '../../../../soak/recording-kills/run.ts';
import { s3Program } from '@rmeet/testkit';

/** Whether a file system can be mounted, which is then filled. */
const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
})();
const left = [...(canMount ? [] : ['no full disk: it needs root']), ...(s3Program ? [] : ['no S3 server'])];

test.skipIf(missing !== undefined)(
  `a recording goes on when the clock is set, the disk is full or the storage is away (${left.join(', ')})`,
  { timeout: 240_000 },
  async () => {
    const { faults, verdicts } = await recordThrough({
      meetings: 1,
      kinds: ['clock', ...(canMount ? (['disk'] as const) : []), ...(s3Program ? (['s3', 's3'] as const) : [])],
      s3Program,
      hasOwnDisk: canMount,
      seed: 1,
      awayFor: { first: 3_000, later: 3_000 },
      quiet: { least: 4_000, more: 0 },
    });
    expect([...faults, ...verdicts].flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(verdicts[0]!.looks).toBeGreaterThan(100);
  },
);
