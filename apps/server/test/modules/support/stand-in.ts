import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of a stand-in. */
export interface StandInCall {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface StandInAnswer {
  status?: number;
  /** Sent as JSON; a text as it is. */
  body: unknown;
}

export interface StandIn {
  /** host:port, as the operator lists it. */
  host: string;
  /** http://host */
  origin: string;
  calls: StandInCall[];
  close(): Promise<void>;
}

/** A server that answers like another product: a wrong call fails as it would there. */
export async function startStandIn(answer: (call: StandInCall) => StandInAnswer | undefined): Promise<StandIn> {
  const calls: StandInCall[] = [];
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on('request', async (request, response) => {
    const sent = await text(request);
    const { pathname, searchParams } = new URL(request.url ?? '', `http://${host}`);
    const call: StandInCall = {
      method: request.method ?? '',
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>),
    };
    calls.push(call);
    const { status = 200, body } = answer(call) ?? { status: 404, body: {} };
    const type = typeof body === 'string' ? 'application/xml' : 'application/json';
    response.writeHead(status, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return {
    host,
    origin: `http://${host}`,
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
