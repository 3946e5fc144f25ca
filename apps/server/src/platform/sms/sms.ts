import type { Config } from '../config/index.ts';
import {
  AddressForbidden,
  AnswerTooLong,
  callOutside,
  hostOf,
  isInside,
  isNamedIn,
  type OutboundAnswer,
} from '../outbound/index.ts';
import { isSuccess, requestOf, type FilledRequest } from './fill.ts';
import { INTERFACES, isService } from './providers.ts';
import { SmsForbidden, SmsRefused, type Gateway, type Sms, type TextMessage } from './types.ts';

/** Statuses for which a retry may help. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Without the gateway's response or address: that may contain the number, and this text goes to the log. */
function failureOf(error: unknown): Error {
  if (error instanceof AddressForbidden) return new SmsForbidden('The gateway is inside a private network.');
  if (error instanceof AnswerTooLong) return new SmsRefused('The gateway answers too much.');
  const { code, name } = error as { code?: string; name?: string };
  return new Error(`The gateway was not reached (${code ?? name ?? 'unknown'}).`);
}

function makeRequest(gateway: Gateway, message: TextMessage): FilledRequest {
  return isService(gateway)
    ? INTERFACES[gateway.provider.kind].request(gateway, message, new Date())
    : requestOf(gateway, message);
}

/** Whether an answer means success. */
function wasTaken(gateway: Gateway, text: string): boolean {
  if (!isService(gateway)) return isSuccess(gateway, text);
  try {
    return INTERFACES[gateway.provider.kind].isSuccess(JSON.parse(text));
  } catch {
    return false; // not JSON
  }
}

/**
 * Text messages by HTTP. Redirects are never followed. A tenant's gateway must have a public address, unless the
 * server's configuration names its host (RMEET_SMS_HOSTS); the configuration's own gateway may have any address.
 */
export function createSms({ gateway: ofPlatform, hosts }: Config['sms']): Sms {
  const isNamed = (url: string): boolean => isNamedIn(hosts, url);

  return {
    ofPlatform: ofPlatform && { ...ofPlatform, isTrusted: true },
    mayBeAt: (url) => isNamed(url) || !isInside(hostOf(url)),
    async send(gateway, message) {
      const request = makeRequest(gateway, message);
      let answer: OutboundAnswer;
      try {
        answer = await callOutside({ ...request, isTrusted: gateway.isTrusted || isNamed(request.url) });
      } catch (error) {
        throw failureOf(error);
      }
      const { status, text } = answer;
      if (status >= 500 || PASSING.has(status)) throw new Error(`The gateway did not take the message (${status}).`);
      if (status < 200 || status > 299) throw new SmsRefused(`The gateway refuses the message (${status}).`);
      if (!wasTaken(gateway, text)) throw new SmsRefused('The gateway refuses the message (by its answer).');
    },
  };
}
