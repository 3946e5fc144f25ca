import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareSeededData } from '@rmeet/testkit';

/** The servers of a run begin with copies of one server's data. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-seeded-'));
  shareSeededData(folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
