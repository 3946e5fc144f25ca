import { setTimeout as delay } from 'node:timers/promises';
import { limits } from '../limits.ts';
import type { Log } from '../options.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Delays before the second, third ... attempt; after the last one the event is dropped. */
const RETRY_MS: readonly number[] = [1000, 2000, 4000, 8000];

/** Creates the body, once it is known how many earlier events were lost. */
type MakeBody = (numDropped: number) => string;

/** Posts bodies to one URL, one after the other. The length is limited: further ones are dropped and counted. */
export class DeliveryQueue {
  readonly #url: string;
  readonly #headers: (body: string) => Promise<Record<string, string>>;
  readonly #log: Log;
  readonly #retryMs: readonly number[];
  readonly #waiting: MakeBody[] = [];
  readonly #end = new AbortController();
  #running: Promise<void> | undefined;
  #dropped = 0;

  constructor(url: string, headers: (body: string) => Promise<Record<string, string>>, log: Log, retryMs = RETRY_MS) {
    this.#url = url;
    this.#headers = headers;
    this.#log = log;
    this.#retryMs = retryMs;
  }

  push(body: MakeBody): void {
    if (this.#end.signal.aborted) return;
    if (this.#waiting.length >= limits.webhookQueue) {
      if (this.#dropped === 0)
        this.#log('warn', 'webhook receiver too slow, events are dropped', { url: this.#shownUrl });
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(body);
    this.#running ??= this.#run();
  }

  async close(withinMs: number): Promise<void> {
    if (this.#running) await Promise.race([this.#running, delay(withinMs, undefined, { signal: this.#end.signal })]);
    this.#end.abort();
    await this.#running;
  }

  /** Without possible secrets: the query and the password. */
  get #shownUrl(): string {
    const { origin, pathname } = new URL(this.#url);
    return origin + pathname;
  }

  async #run(): Promise<void> {
    for (let make = this.#waiting.shift(); make && !this.#end.signal.aborted; make = this.#waiting.shift()) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      if (!(await this.#deliver(make(dropped)))) this.#dropped += dropped + 1;
    }
    this.#running = undefined;
  }

  async #deliver(body: string): Promise<boolean> {
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#post(body);
      if (outcome === 'delivered') return true;
      const pause = this.#retryMs[attempt];
      if (!outcome.again || pause === undefined || this.#end.signal.aborted) {
        this.#log('warn', 'webhook not delivered', {
          url: this.#shownUrl,
          attempts: attempt + 1,
          reason: outcome.reason,
        });
        return false;
      }
      // aborted by close(); the next attempt then ends at once
      await delay(pause, undefined, { signal: this.#end.signal }).catch(() => undefined);
    }
  }

  /** One attempt. A rejection (4xx) is final; after a failure, overload or outage of the server it is retried. */
  async #post(body: string): Promise<'delivered' | { again: boolean; reason: string }> {
    try {
      const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
      const response = await fetch(this.#url, {
        method: 'POST',
        body,
        headers: await this.#headers(body),
        signal,
        redirect: 'manual',
      });
      await response.body?.cancel();
      if (response.ok) return 'delivered';
      return { again: response.status >= 500 || response.status === 429, reason: `status ${response.status}` };
    } catch (error) {
      // fetch gives the actual error in the cause
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return { again: true, reason: cause instanceof Error ? cause.message : 'error' };
    }
  }
}
