import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that the receiver got. */
export interface Received {
  headers: Record<string, string>;
  body: string;
  event: { id: string; type: string; timestamp: string; data: Record<string, unknown> };
}

/** Another program that receives webhooks, by HTTP. */
export interface Receiver {
  url: string;
  received: Received[];
  /** What it answers from now on. */
  answer(status: number, headers?: Record<string, string>): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let reply = { status: 200, headers: {} as Record<string, string> };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    received.push({
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body) as Received['event'],
    });
    response.writeHead(reply.status, reply.headers).end('seen');
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (status, headers = {}) => {
      reply = { status, headers };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The signature that a request must have (Standard Webhooks 1.0). */
export function signatureOf(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
