import library from 'web-push';
import type { Config } from '../config/index.ts';
import { AddressForbidden, AnswerTooLong, callOutside, hostOf, isInside, isNamedIn } from '../outbound/index.ts';

/** The key pair of this server (VAPID, RFC 8292), base64url: an uncompressed P-256 point and its scalar. */
export interface WebPushKeys {
  publicKey: string;
  privateKey: string;
}

/** Where a browser receives messages, and the keys to encrypt for it (RFC 8291). */
export interface BrowserAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The push service rejects every further message to this browser, or its address is not permitted. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
}

/** The push service rejects this message; a retry does not help. */
export class WebPushRefused extends Error {
  override readonly name = 'WebPushRefused';
}

interface Delivery {
  keys: WebPushKeys;
  /** Who the push service may contact: a mailto: or https: URL (RFC 8292, section 2.1). */
  contact: string;
  to: BrowserAddress;
  /** JSON, at most about 3,900 bytes (RFC 8291, section 4). */
  payload: string;
  /** Seconds for which the push service keeps the message while the browser is not reachable. */
  ttl: number;
  urgency: 'normal' | 'high';
}

/** Sends messages to browsers through their push services. */
export interface WebPush {
  /** Whether a push service may be at this URL, as far as the URL shows; its address is checked when it is called. */
  mayBeAt(url: string): boolean;
  /** @throws BrowserGone, WebPushRefused; another error if a retry may help */
  send(delivery: Delivery): Promise<void>;
}

/** Statuses of a subscription that has ended (RFC 8030, section 7.3). */
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** Statuses after which a retry may help. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

export function makeWebPushKeys(): WebPushKeys {
  return library.generateVAPIDKeys();
}

/**
 * Web Push. A push service is a URL that a user sends, so it must have a public address, unless the server's
 * configuration names its host (RMEET_WEB_PUSH_HOSTS).
 */
export function createWebPush({ hosts }: Config['webPush']): WebPush {
  return {
    mayBeAt: (url) => isNamedIn(hosts, url) || (url.startsWith('https:') && !isInside(hostOf(url))),
    async send({ keys, contact, to: { endpoint, p256dh, auth }, payload, ttl, urgency }) {
      const request = library.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: { subject: contact, ...keys },
        contentEncoding: 'aes128gcm',
        TTL: ttl,
        urgency,
      });
      const status = await callOutside({
        url: endpoint,
        method: request.method,
        headers: request.headers,
        body: request.body ?? undefined,
        isTrusted: isNamedIn(hosts, endpoint),
      }).then((answer) => answer.status, statusOfFailure);
      if (status >= 200 && status <= 299) return;
      if (GONE.has(status)) throw new BrowserGone(`The subscription has ended (${status}).`);
      if (status >= 500 || PASSING.has(status)) throw new Error(`The push service is not available (${status}).`);
      throw new WebPushRefused(`The push service rejects the message (${status}).`);
    },
  };
}

/** Without the address, which is a secret of the browser, and this text goes to the log. */
function statusOfFailure(error: unknown): number {
  if (error instanceof AddressForbidden) throw new BrowserGone('The push service is inside a private network.');
  // The service has read the request, and its status came before its text.
  if (error instanceof AnswerTooLong) throw new WebPushRefused('The push service answers too much.');
  const { code, name } = error as { code?: string; name?: string };
  throw new Error(`The push service was not reached (${code ?? name ?? 'unknown'}).`);
}
