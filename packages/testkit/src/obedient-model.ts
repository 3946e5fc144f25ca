import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * A stand-in for a language model (chat completions of OpenAI's API). It obeys every text that it reads, also text by
 * other people: the worst that a model can do.
 */
export interface ObedientModel {
  /** host:port, as the operator lists it. */
  host: string;
  /** The part of its address before `/chat/completions`. */
  url: string;
  /** The key that it accepts. */
  key: string;
  /** The bodies of its calls. */
  calls: Record<string, unknown>[];
  /** The messages of the last call, as one text. */
  read(): string;
  /** What it answers from now on, instead of obeying: a text, or the whole answer with its status. */
  says: string | { status: number; body: unknown } | null;
  close(): Promise<void>;
}

const KEY = 'sk-of-north';
/** What it takes for an instruction: `DO {...}` proposes, and `SAY text` answers. */
const ORDERS = /DO (\{[^{}]*\})/g;
const ANSWER = 'Hosts, the chair and co-chairs may admit people.';

/** Acts on texts that are in what it was sent, also where they were sent as material. */
function obey(sent: string): string {
  const read = sent.replaceAll('\\"', '"');
  const proposals = [...read.matchAll(ORDERS)].flatMap(([, order = '']) => {
    try {
      return [JSON.parse(order) as unknown];
    } catch {
      return []; // cut off: no instruction
    }
  });
  return JSON.stringify({ answer: /SAY ([\w ]+)/.exec(read)?.[1] ?? ANSWER, used: [1], proposals });
}

const sentIn = (body: Record<string, unknown> | undefined): string =>
  ((body?.['messages'] ?? []) as { content: string }[]).map(({ content }) => content).join('\n');

/** Starts it on this machine. */
export async function startObedientModel(): Promise<ObedientModel> {
  const calls: Record<string, unknown>[] = [];
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const model: ObedientModel = {
    host,
    url: `http://${host}/v1`,
    key: KEY,
    calls,
    says: null,
    read: () => sentIn(calls.at(-1)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const answerTo = (body: Record<string, unknown>): { status: number; body: unknown } => {
    if (model.says !== null && typeof model.says === 'object') return model.says;
    const content = model.says ?? obey(sentIn(body));
    return { status: 200, body: { choices: [{ message: { role: 'assistant', content } }] } };
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    calls.push(body);
    const isRight = request.headers.authorization === `Bearer ${KEY}`;
    const reply = isRight ? answerTo(body) : { status: 401, body: { error: { message: 'wrong key' } } };
    response.writeHead(request.url === '/v1/chat/completions' ? reply.status : 404, {
      'content-type': 'application/json',
    });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  };
  server.on('request', (request, response) => void handle(request, response));
  return model;
}
