import { once } from 'node:events';
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { AddressForbidden, hostOf, isInside, publicLookup } from './addresses.ts';

const ANSWER_WITHIN = 10_000;
const ANSWER_BYTES = 64 * 1024;

/** The other server sent more than it should. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

export interface OutboundRequest {
  url: string;
  method: string;
  headers: Record<string, string | number>;
  body: string | Buffer | undefined;
  /** The server's administrator named this address, so it may be inside a private network. */
  isTrusted: boolean;
  /** Maximum bytes of the answer; 64 KiB. */
  answerBytes?: number;
  /** Until the answer must be complete, ms; 10 s. */
  within?: number;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The same as it was sent. */
  body: Buffer;
}

async function read(answer: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new AnswerTooLong('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Calls a URL that a user of a tenant has chosen. It cannot lead into a private network: the address is checked when
 * the connection is made. Redirects are not followed. The answer must be complete within 10 s, and at most 64 KiB long
 * unless `within` and `answerBytes` say otherwise.
 *
 * @throws AddressForbidden, AnswerTooLong, or the error of the connection
 */
export async function callOutside({
  url,
  method,
  headers,
  body,
  isTrusted,
  answerBytes = ANSWER_BYTES,
  within = ANSWER_WITHIN,
}: OutboundRequest): Promise<OutboundAnswer> {
  if (!isTrusted && isInside(hostOf(url))) throw new AddressForbidden();
  const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }) },
    agent: false,
    signal: AbortSignal.timeout(within),
    ...(isTrusted ? {} : { lookup: publicLookup }),
  });
  request.end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const received = await read(answer, answerBytes);
  const { statusCode: status = 0, headers: sentBack } = answer;
  return { status, headers: sentBack, text: received.toString('utf8'), body: received };
}

/** Whether a list of hosts, with or without ports, names the host of a URL. */
export function isNamedIn(hosts: readonly string[], url: string): boolean {
  return hosts.includes(new URL(url).host) || hosts.includes(hostOf(url));
}
