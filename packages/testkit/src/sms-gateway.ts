import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request received by the gateway. */
export interface GatewayRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface SmsGatewayServer {
  port: number;
  /** http://127.0.0.1:port */
  origin: string;
  received: GatewayRequest[];
  /** The responses to the next requests; the others get 200 and `{"code":0}`. */
  answers: { status: number; body?: string; headers?: Record<string, string> }[];
  close(): Promise<void>;
}

/** A real HTTP server that accepts text messages. */
export async function startSmsGateway(): Promise<SmsGatewayServer> {
  const received: GatewayRequest[] = [];
  const answers: SmsGatewayServer['answers'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      const { status, body = '{"code":0}', headers = {} } = answers.shift() ?? { status: 200 };
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}
