import { once } from 'node:events';
import { request as requestByHttp, type IncomingMessage } from 'node:http';
import { request as requestByTls } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { FrameReader, type Frame } from './frames.ts';
import { originPath } from './origin.ts';
import { LiveWindow, type LiveWindowOptions } from './window.ts';

/** Where a recording is made now, and what gives access to it. */
export interface OriginAddress {
  /** Such as `http://127.0.0.1:4000`. */
  url: string;
  token: string;
}

export interface LiveRelayOptions {
  recordingId: string;
  /** Looks up the origin, before each attempt: another recorder may have taken over. Undefined: there is none now. */
  find: () => Promise<OriginAddress | undefined>;
  /** Without a request for so long it closes, ms. */
  idleMs?: number;
  /** An origin that says nothing for so long is given up, ms. */
  silentMs?: number;
  /** Called once it is closed. */
  onClose?: () => void;
  /** Called with a sentence when an origin cannot be reached, once until it can. */
  log?: (line: string) => void;
  window?: Omit<LiveWindowOptions, 'startsAt'>;
}

const IDLE_MS = 30_000;
/** An origin says something each second. */
const SILENT_MS = 3_000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 1_000;

/** Follows the recording of an origin, whichever that is, for as long as somebody asks for it. */
export class LiveRelay {
  readonly window: LiveWindow;
  #options: LiveRelayOptions;
  #closing = new AbortController();
  #usedAt = performance.now();
  #idle: NodeJS.Timeout | undefined;
  #isTold = false;

  constructor(options: LiveRelayOptions) {
    this.#options = options;
    this.window = new LiveWindow({ startsAt: 0, ...options.window });
    this.#watchIdle();
    void this.#run();
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Somebody asked for it. */
  touch(): void {
    this.#usedAt = performance.now();
  }

  close(): void {
    if (this.isClosed) return;
    clearTimeout(this.#idle);
    this.#closing.abort();
    this.#options.onClose?.();
  }

  #watchIdle(): void {
    const { idleMs = IDLE_MS } = this.#options;
    const rest = this.#usedAt + idleMs - performance.now();
    if (rest <= 0) this.close();
    else this.#idle = setTimeout(() => this.#watchIdle(), Math.ceil(rest)).unref();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let pause = 0;
    while (!signal.aborted && !this.window.isOver) {
      const began = performance.now();
      try {
        await this.#follow();
      } catch (error) {
        this.#tell(error);
      }
      // At once, unless that was in vain.
      const isNew = performance.now() - began > LONGEST_WAIT_MS;
      pause = isNew ? 0 : Math.min(Math.max(2 * pause, FIRST_WAIT_MS), LONGEST_WAIT_MS);
      if (pause > 0) await wait(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  #tell(error: unknown): void {
    if (this.#isTold || this.isClosed) return;
    this.#isTold = true;
    this.#options.log?.(`A recorder cannot be reached: ${(error as Error).message}`);
  }

  /** One connection, until it ends. */
  async #follow(): Promise<void> {
    const { recordingId, find, silentMs = SILENT_MS } = this.#options;
    const origin = await find();
    if (!origin || this.isClosed) return;
    const { signal } = this.#closing;
    const url = new URL(originPath(recordingId), origin.url);
    const request = (url.protocol === 'https:' ? requestByTls : requestByHttp)(url, {
      headers: { authorization: `Bearer ${origin.token}` },
      agent: false,
      signal,
    });
    // After the answer has begun, the answer fails, too.
    request.on('error', () => undefined);
    request.setTimeout(silentMs, () => request.destroy(new Error('it is silent')));
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) {
      response.resume();
      throw new Error(`it answers ${response.statusCode}`);
    }
    const reader = new FrameReader();
    // What the origin has counts as a whole: viewers must not see its oldest segments as the newest.
    let first: Frame[] | undefined = [];
    for await (const chunk of response)
      for (const frame of reader.add(chunk as Buffer)) {
        first?.push(frame);
        if (!first) this.#take(frame);
        else if (frame.type === 'sync' || frame.type === 'end') {
          for (const one of first) this.#take(one);
          first = undefined;
        }
      }
  }

  #take(frame: Frame): void {
    const { window } = this;
    if (frame.type === 'hello') {
      this.#isTold = false;
      window.startsAt = frame.startsAt;
      window.gaps = frame.gaps;
    } else if (frame.type === 'init') {
      if (!window.inits.has(frame.number)) window.takeInit(frame.number, frame.data);
    } else if (frame.type === 'part') window.takePart(frame.part);
    else if (frame.type === 'end') window.end();
  }
}
