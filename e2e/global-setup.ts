import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CameraCodec } from '@rmeet/contract';
import {
  setCodec,
  shareSeededData,
  startPostgres,
  startServer,
  type RunningServer,
  type StartOptions,
} from '@rmeet/testkit';

/** The servers of a run start with copies of one server's data, on one PostgreSQL server. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-seeded-'));
  const postgres = process.env['RMEET_TEST_DATABASE_URL'] === undefined ? await startPostgres() : undefined;
  if (postgres) process.env['RMEET_TEST_DATABASE_URL'] = postgres.url;
  await shareSeededData(folder, startSeeded);
  return async () => {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A server with the demo data; RMEET_TEST_CODEC sets the codec of its organisation's meetings (default: H.264). */
async function startSeeded(options: StartOptions): Promise<RunningServer> {
  const server = await startServer(options);
  const codec = process.env['RMEET_TEST_CODEC'] as CameraCodec | undefined;
  if (codec !== undefined) await setCodec(server.api, codec);
  return server;
}
