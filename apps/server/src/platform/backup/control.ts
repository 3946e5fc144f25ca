import { timingSafeEqual } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '../log/log.ts';
import { newToken } from '../secrets/index.ts';

const FILE = 'control.json';
const entry = z.object({ port: z.number().int(), secret: z.string() });
const SNAPSHOT_WITHIN = 10 * 60_000;

export interface Control {
  close(): Promise<void>;
}

/**
 * A door for programs that may read the data folder: asks the running server for a copy of the embedded database, which
 * no second process may open. On loopback, under a secret in a file only the owner can read.
 */
export async function serveControl(dataFolder: string, snapshot: (folder: string) => Promise<void>, log: Log): Promise<Control> {
  const secret = newToken();
  const isRight = (shown: string | undefined): boolean => shown?.length === secret.length && timingSafeEqual(Buffer.from(shown), Buffer.from(secret));
  const server = createServer((request, response) => {
    const [, name = ''] = /^\/snapshots\/([\w-]{1,60})$/.exec(request.url ?? '') ?? [];
    if (request.method !== 'POST' || name === '' || !isRight(request.headers.authorization)) {
      response.writeHead(404).end();
      return;
    }
    snapshot(join(dataFolder, name, 'database')).then(
      () => response.writeHead(204).end(),
      (error: unknown) => {
        log.error({ error }, 'The database could not be copied for a backup');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const file = join(dataFolder, FILE);
  await writeFile(file, JSON.stringify({ port, secret }), { mode: 0o600 });
  return {
    async close() {
      await rm(file, { force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Has the running server copy its database to `<dataFolder>/<name>/database`; false when no server answers. */
export async function requestSnapshot(dataFolder: string, name: string): Promise<boolean> {
  let found: z.infer<typeof entry>;
  try {
    found = entry.parse(JSON.parse(await readFile(join(dataFolder, FILE), 'utf8')));
  } catch {
    return false; // no server runs here
  }
  let answer: Response;
  try {
    answer = await fetch(`http://127.0.0.1:${found.port}/snapshots/${name}`, {
      method: 'POST', headers: { authorization: found.secret }, signal: AbortSignal.timeout(SNAPSHOT_WITHIN),
    });
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') throw error;
    return false; // it was killed and left the file behind
  }
  if (answer.status !== 204) throw new Error('The running server could not copy its database; its log says why.');
  return true;
}
