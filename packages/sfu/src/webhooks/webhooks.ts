import { createHash } from 'node:crypto';
import { WebhookEvent } from '@livekit/protocol';
import type { Log, WebhookOptions } from '../options.ts';
import type { RoomEvent } from '../rooms/room-event.ts';
import { newSid } from '../ids.ts';
import { AccessTokens } from '../signalling/access-token.ts';
import { DeliveryQueue } from './delivery-queue.ts';

/**
 * Notifies other servers of events in rooms, like LiveKit: POST of a WebhookEvent as JSON with content type
 * `application/webhook+json`, the `Authorization` header containing a token of the API key with the SHA-256 of the
 * body. Each URL has its own queue, so that events of a room arrive in order and a dead receiver does not delay others.
 */
export class Webhooks {
  readonly #tokens: AccessTokens;
  readonly #queues: DeliveryQueue[];

  constructor(options: WebhookOptions, log: Log) {
    this.#tokens = new AccessTokens(options.apiKey, options.apiSecret);
    this.#queues = options.urls.map(
      (url) => new DeliveryQueue(url, (body) => this.#headers(body), log, options.retryMs),
    );
  }

  /** Queues an event for every receiver; `numDropped` shows each how many it has missed. */
  notify(event: RoomEvent): void {
    const fields = { ...event, id: newSid('EV_'), createdAt: BigInt(Math.floor(Date.now() / 1000)) };
    for (const queue of this.#queues)
      queue.push((numDropped) => new WebhookEvent({ ...fields, numDropped }).toJsonString());
  }

  /** Sends waiting events for at most this long, and then stops. */
  async close(withinMs: number): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.close(withinMs)));
  }

  async #headers(body: string): Promise<Record<string, string>> {
    const sha256 = createHash('sha256').update(body).digest('base64');
    return {
      authorization: await this.#tokens.signBody(sha256),
      'content-type': 'application/webhook+json',
      'user-agent': 'Rmeet',
    };
  }
}
