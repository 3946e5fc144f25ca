import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/** Serves one empty page with livekit-client on localhost, where browsers give cameras. */
export async function servePage(): Promise<{ url: string; close(): Promise<void> }> {
  const client = createRequire(import.meta.url).resolve('livekit-client').replace(/livekit-client\.[a-z.]+$/, 'livekit-client.umd.js');
  const script = await readFile(client);
  const server = createServer((request, response) => {
    if (request.url === '/livekit-client.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><body><script src="/livekit-client.js"></script></body>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
