import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './server.ts';
import { until } from './wait.ts';

const VERSIONS = '/usr/lib/postgresql';

/** Debian's newest PostgreSQL programs; undefined when the package postgresql is not installed. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const version = readdirSync(VERSIONS).sort((a, b) => Number(a) - Number(b)).findLast((name) => existsSync(join(VERSIONS, name, 'bin', 'initdb')));
  return version === undefined ? undefined : join(VERSIONS, version, 'bin');
}

/** PostgreSQL refuses to run as root; the package brings a user for it. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: id('-u'), gid: id('-g') };
}

/** Whether it takes connections; it listens a moment before. */
async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/**
 * A PostgreSQL server in a temporary folder on a free port, not made to survive a crash. Its user may create databases
 * (`createDatabase`). @throws Error when PostgreSQL is not installed; ask `postgresPrograms` first.
 */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('Install the Debian package postgresql.');
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-postgres-'));
  const user = ordinaryUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, '-U', 'rmeet', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
    { ...user, cwd: folder, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr.trim()}`);
  const port = await freePort();
  const settings = ['fsync=off', 'max_connections=200', `unix_socket_directories=${folder}`].flatMap((setting) => ['-c', setting]);
  const child = spawn(join(programs, 'postgres'), ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings], { ...user, cwd: folder, stdio: 'ignore' });
  const url = `postgres://rmeet@127.0.0.1:${port}/postgres`;
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      // SIGINT: PostgreSQL's fast shutdown, which does not wait for clients.
      child.kill('SIGINT');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until('PostgreSQL takes connections', () => {
      if (child.exitCode !== null) throw new Error(`postgres ended with code ${child.exitCode}`);
      return answers(url);
    }, { within: 30_000 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}
