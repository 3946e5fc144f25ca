import { constants, cp } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { ensureCluster } from './pglite-cluster.ts';
import type { WorkerAnswer, WorkerRequest } from './pglite-rpc.ts';

/**
 * The thread PGlite runs in: a query blocks the thread it runs on, so the server's own thread stays free.
 * Statements arrive one at a time in the order the client's lock lets them.
 */
const port = parentPort;
if (!port) throw new Error('pglite-worker runs as a worker thread only');

const { folder } = workerData as { folder: string };
await ensureCluster(folder);
const pglite = await PGlite.create({ dataDir: folder, extensions: { btree_gist, pg_trgm } });

/** Drizzle maps times itself and wants them as PostgreSQL prints them. Arrays of them by object id (pg_type). */
const asText = (value: string): string => value;
const drizzleParsers = Object.fromEntries(
  [types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL, types.DATE, 1231, 1115, 1185, 1187, 1182].map((oid) => [oid, asText]),
);

async function run(request: WorkerRequest): Promise<unknown> {
  switch (request.kind) {
    case 'query': {
      const options = request.rowMode ? { rowMode: request.rowMode, parsers: drizzleParsers } : {};
      const { rows, fields, affectedRows } = await pglite.query(request.sql, request.params, options);
      return { rows, fields, affectedRows };
    }
    case 'exec':
      return (await pglite.exec(request.sql)).map(({ rows, fields, affectedRows }) => ({ rows, fields, affectedRows }));
    case 'listen':
      await pglite.listen(request.channel, (payload) => post({ channel: request.channel, payload }));
      return null;
    case 'snapshot':
      await pglite.exec('checkpoint');
      // Shares the blocks where the file system can.
      await cp(folder, request.folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
      return null;
    case 'close':
      await pglite.close();
      return null;
  }
}

function post(answer: WorkerAnswer): void {
  port?.postMessage(answer);
}

port.on('message', (request: WorkerRequest) => {
  run(request).then(
    (result) => post({ id: request.id, result }),
    async (error: unknown) => {
      // A failed multi-statement block leaves an aborted transaction behind that would poison the next statement.
      if (request.kind !== 'close' && !request.inTransaction) {
        await pglite.exec('rollback').catch((cause: unknown) => post({ fatal: String(cause) }));
      }
      const { message, ...details } = error as Error & Record<string, unknown>;
      const plain = Object.fromEntries(Object.entries(details).filter(([, value]) => typeof value === 'string'));
      post({ id: request.id, error: { message, ...plain } });
    },
  );
});
post({ ready: true });
