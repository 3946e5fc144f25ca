import { readFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Scripts that pages run before their own (packages/testkit/page). */
const SCRIPTS = ['lowest.js', 'watched.js'];
/** The path to which `watched.js` posts each fault. */
const TELL = '/watched';

export interface Watched {
  url: string;
  /** Faults in pages so far: errors, warnings, files and calls that failed. Empties the list. */
  takeFaults(): string[];
  stop(): Promise<void>;
}

/** Forwards WebSockets to the server. @returns the clients' open sockets */
function passUpgrades(proxy: Server, port: number): ReadonlySet<Duplex> {
  const sockets = new Set<Duplex>();
  proxy.on('upgrade', (asked, client, head) => {
    const upstream = connect(port, '127.0.0.1', () => {
      const lines = asked.rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${asked.rawHeaders[at + 1]}`] : [],
      );
      upstream.write(`${asked.method} ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
  });
  return sockets;
}

/**
 * Starts a proxy in front of a server whose pages report faults from their first moment on, for browsers whose driver
 * does not: WebKit's has no log and cannot run a script before the page's own.
 */
export async function watchPages(server: { url: string; port: number }): Promise<Watched> {
  let faults: string[] = [];
  const proxy = createServer((asked, answer) => {
    void handle(asked, answer).catch((error: unknown) => answer.destroy(error as Error));
  });
  const handle = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const script = SCRIPTS.find((name) => asked.url === `/${name}`);
    if (script !== undefined)
      return void answer
        .setHeader('content-type', 'text/javascript')
        .end(await readFile(join(import.meta.dirname, '..', 'page', script)));
    if (asked.url === TELL) {
      faults.push(await text(asked));
      return void answer.writeHead(204).end();
    }
    const isPage = asked.headers.accept?.includes('text/html') === true;
    const headers = isPage ? { ...asked.headers, 'accept-encoding': 'identity' } : asked.headers;
    const wanted = { port: server.port, host: '127.0.0.1', method: asked.method, path: asked.url, headers };
    const got = await new Promise<IncomingMessage>((resolve, reject) =>
      asked.pipe(request(wanted, resolve).on('error', reject)),
    );
    const status = got.statusCode ?? 0;
    if (status >= 400) faults.push(`${status} ${asked.method} ${asked.url}`);
    if (!isPage || status !== 200) return void got.pipe(answer.writeHead(status, got.headers));
    const html = (await text(got)).replace(
      '<head>',
      `<head>${SCRIPTS.map((name) => `<script src="/${name}"></script>`).join('')}`,
    );
    answer.writeHead(status, { ...got.headers, 'content-length': Buffer.byteLength(html) }).end(html);
  };
  const sockets = passUpgrades(proxy, server.port);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    takeFaults: () => {
      const taken = faults;
      faults = [];
      return taken;
    },
    stop: async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      proxy.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
