import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The release that tests use. */
const VERSION = 'v1.8.0';
const MODULE = 'github.com/versity/versitygw';

/**
 * An S3 server for tests: RMEET_TEST_S3_SERVER, or versitygw, built from its Go module into a cache folder outside the
 * clone. If there is none, the reason.
 */
export function s3Server(): { path?: string; reason?: string } {
  const given = process.env['RMEET_TEST_S3_SERVER'];
  if (given) return { path: given };
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rmeet-s3', VERSION);
  const path = join(cache, 'versitygw');
  if (existsSync(path)) return { path };
  if (spawnSync('go', ['version']).status !== 0) return { reason: 'no S3 server: Go is not on PATH' };

  console.log(`Building versitygw ${VERSION} from its Go module; this takes some minutes, once.`);
  mkdirSync(cache, { recursive: true });
  const build = spawnSync('go', ['install', `${MODULE}/cmd/versitygw@${VERSION}`], {
    cwd: cache,
    env: { ...process.env, GOBIN: cache },
    encoding: 'utf8',
  });
  if (build.status !== 0)
    return { reason: `no S3 server: it could not be built (${build.stderr.trim().split('\n').at(-1)})` };
  return { path };
}
