import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { CertProof } from '@rmeet/contract';

const PROTOCOL = 'rmeet-certificate-agent/1';

/** A certificate of the agent; `sign` asks its device. */
export interface AgentKey {
  name: string;
  sign: (text: string) => Promise<CertProof>;
}

export interface RunningAgent {
  /** http://127.0.0.1:port */
  url: string;
  /** What it signed, and what it refused. */
  signed: string[];
  refused: string[];
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<{ id?: string; text?: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id?: string; text?: string };
}

/** Whether a text is that of a sign-in at this origin (docs/features/certificates.md, "Local agents"). */
const isFor = (text: string, origin: string): boolean =>
  text.startsWith(`Rmeet certificate sign-in, version 1\norigin: ${origin}\npurpose: `);

/**
 * A stand-in for the program of a key device on the computer of a person. As that has to, it answers pages of the
 * listed origins only, and signs only texts that name the origin of the page that asks.
 */
export async function startCertificateAgent(
  keys: readonly AgentKey[],
  { origins, port = 0 }: { origins: readonly string[]; port?: number },
): Promise<RunningAgent> {
  const [signed, refused]: [string[], string[]] = [[], []];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin = '' } = request.headers;
    const json = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (!origins.includes(origin)) {
      refused.push(origin);
      json(403, {});
      return;
    }
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('access-control-allow-private-network', 'true');
    response.setHeader('vary', 'origin');
    if (request.method === 'OPTIONS') {
      response.writeHead(204, {
        'access-control-allow-headers': 'content-type',
        'access-control-allow-methods': 'POST',
      });
      response.end();
      return;
    }
    if (request.method === 'GET' && request.url === '/certificates') {
      json(200, { protocol: PROTOCOL, certificates: keys.map(({ name }, at) => ({ id: String(at), name })) });
      return;
    }
    const { id = '', text = '' } = request.url === '/sign' && request.method === 'POST' ? await bodyOf(request) : {};
    const key = keys[Number(id)];
    if (!key || !isFor(text, origin)) {
      refused.push(text);
      json(403, {});
      return;
    }
    signed.push(text);
    json(200, await key.sign(text));
  }

  const server: Server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signed,
    refused,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
