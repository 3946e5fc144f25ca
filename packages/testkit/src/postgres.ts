import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programsIn, startPostgres as start, type Programs } from '@rmeet/postgres';
import { freePort } from './port.ts';

const VERSIONS = '/usr/lib/postgresql';

/** Debian's oldest installed version of PostgreSQL's programs; undefined if the package postgresql is not installed. */
export function debianPrograms(): Programs | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const major = readdirSync(VERSIONS)
    .map(Number)
    .sort((a, b) => a - b)
    .find((version) => existsSync(join(VERSIONS, String(version), 'bin', 'initdb')));
  return major === undefined ? undefined : programsIn(join(VERSIONS, String(major), 'bin'), major);
}

/**
 * A PostgreSQL server in a temporary folder on a free port, without crash safety: with the embedded one's programs, or
 * others. Its user may create databases (`createDatabase`).
 */
export async function startPostgres(programs?: Programs): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-postgres-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const postgres = await start({
      folder: join(folder, 'data'),
      port: await freePort(),
      isTemporary: true,
      settings: { max_connections: '300' },
      ...(programs ? { programs } : {}),
    });
    return {
      url: postgres.url,
      async stop() {
        await postgres.stop();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
