import { startPostgres } from '@rmeet/postgres';
import { join } from 'node:path';
import { Client } from 'pg';
import { endFamily } from './processes.ts';
import type { Start } from './run.ts';
import { makeTables, readNumbers, writeNumbers } from './writes.ts';

/** Checkpoints often coincide with cuts, and files of the write-ahead log are reused soon. */
const BUSY = { checkpoint_timeout: '30s', max_wal_size: '64MB' };

/** A client that reports no error when its server is gone. */
export async function connectTo(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The embedded database, without the rest of the product. */
export const startDatabase: Start = async (folder, { isFlushing }) => {
  const { url, pid } = await startPostgres({
    folder: join(folder, 'postgres'),
    settings: { ...BUSY, ...(isFlushing ? {} : { fsync: 'off' }) },
  });
  const connect = (): Promise<Client> => connectTo(url);
  const end = (): Promise<void> => endFamily(pid);
  try {
    await makeTables(connect);
  } catch (error) {
    await end();
    throw error;
  }
  return { write: (ledger) => writeNumbers(connect, ledger), read: () => readNumbers(connect), end };
};
