import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The release for comparison with the suites. */
const VERSION = 'v1.13.5';
const MODULE = 'github.com/livekit/livekit-server';

/**
 * A LiveKit server for tests: LIVEKIT_SERVER_BINARY, one on PATH, or one built from its Go module into a cache folder
 * outside the clone. If there is none, the reason.
 */
export function livekitServer(): { path: string } | { path?: undefined; reason: string } {
  const given = process.env['LIVEKIT_SERVER_BINARY'];
  if (given) return { path: given };
  const onPath = spawnSync('which', ['livekit-server'], { encoding: 'utf8' });
  if (onPath.status === 0) return { path: onPath.stdout.trim() };

  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rmeet-livekit');
  const binary = join(cache, `livekit-server-${VERSION}`);
  if (existsSync(binary)) return { path: binary };
  if (spawnSync('go', ['version']).status !== 0)
    return { reason: 'no LiveKit server: neither livekit-server nor Go is on PATH' };

  console.log(`Building livekit-server ${VERSION} from its Go module; this takes some minutes, once.`);
  mkdirSync(cache, { recursive: true });
  const download = spawnSync('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`], {
    cwd: cache,
    encoding: 'utf8',
  });
  if (download.status !== 0)
    return { reason: `no LiveKit server: its module could not be fetched (${lastLine(download.stderr)})` };
  const { Dir } = JSON.parse(download.stdout) as { Dir: string };
  // `go install` rejects a module with replace directives, so it is built as the main module, from a copy.
  const source = join(cache, 'source');
  rmSync(source, { recursive: true, force: true });
  cpSync(Dir, source, { recursive: true });
  spawnSync('chmod', ['-R', 'u+w', source]);
  const build = spawnSync('go', ['build', '-o', binary, './cmd/server'], { cwd: source, encoding: 'utf8' });
  rmSync(source, { recursive: true, force: true });
  if (build.status !== 0) return { reason: `no LiveKit server: it could not be built (${lastLine(build.stderr)})` };
  return { path: binary };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
