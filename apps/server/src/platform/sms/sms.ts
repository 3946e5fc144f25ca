import { once } from 'node:events';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Config } from '../config/index.ts';
import { hostOf, isInside, publicLookup } from './addresses.ts';
import { isSuccess, requestOf } from './fill.ts';
import { SmsForbidden, SmsRefused, type Sms } from './types.ts';

const ANSWER_WITHIN = 10_000;
const ANSWER_BYTES = 64 * 1024;
/** Statuses for which a retry may help. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

async function read(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_BYTES) throw new SmsRefused('The gateway answers too much.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Without the gateway's response or address: that may contain the number, and this text goes to the log. */
function failureOf(error: unknown): Error {
  if (error instanceof SmsRefused) return error;
  const { code, name } = error as { code?: string; name?: string };
  return new Error(`The gateway was not reached (${code ?? name ?? 'unknown'}).`);
}

/**
 * Text messages by HTTP. Redirects are never followed. A tenant's gateway must have a public address, unless the
 * server's configuration names its host (RMEET_SMS_HOSTS); the configuration's own gateway may have any address.
 */
export function createSms({ gateway: ofPlatform, hosts }: Config['sms']): Sms {
  const isNamed = (url: string): boolean => hosts.includes(new URL(url).host) || hosts.includes(hostOf(url));

  return {
    ofPlatform: ofPlatform && { ...ofPlatform, isTrusted: true },
    mayBeAt: (url) => isNamed(url) || !isInside(hostOf(url)),
    async send(gateway, message) {
      const { url, method, headers, body } = requestOf(gateway, message);
      const isFree = gateway.isTrusted || isNamed(url);
      if (!isFree && isInside(hostOf(url))) throw new SmsForbidden('The gateway is inside a private network.');
      let answer: IncomingMessage;
      let told: string;
      try {
        const request = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
          method,
          headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }) },
          agent: false,
          signal: AbortSignal.timeout(ANSWER_WITHIN),
          ...(isFree ? {} : { lookup: publicLookup }),
        });
        request.end(body);
        [answer] = (await once(request, 'response')) as [IncomingMessage];
        told = await read(answer);
      } catch (error) {
        throw failureOf(error);
      }
      const status = answer.statusCode ?? 0;
      if (status >= 500 || PASSING.has(status)) throw new Error(`The gateway did not take the message (${status}).`);
      if (status < 200 || status > 299) throw new SmsRefused(`The gateway refuses the message (${status}).`);
      if (!isSuccess(gateway, told)) throw new SmsRefused('The gateway refuses the message (by its answer).');
    },
  };
}
