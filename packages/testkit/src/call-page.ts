import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { hearsTone, launchBrowser, openPage, showsColour, type PageMedia } from './browser.ts';
import { until } from './wait.ts';

/** One inbound RTP stream of a page, for a subscribed track. */
export interface Received {
  kind: 'audio' | 'video';
  source: string;
  from: string;
  codec: string;
  framesDecoded: number;
  frameWidth: number;
  freezes: number;
  /** How long all of them took. */
  freezeSeconds: number;
  packetsReceived: number;
  bytesReceived: number;
  audioEnergy: number;
  /** Packets lost in the network, and those that arrived on a retransmission stream. */
  lost: number;
  retransmitted: number;
  /** Samples of audio that the receiver synthesised for missing ones, and all samples it played. */
  concealed: number;
  samples: number;
}

/** One outbound RTP stream of a page. */
export interface Sent {
  source: string;
  kind: 'audio' | 'video';
  codec: string;
  /** Of a simulcast layer; otherwise empty. */
  rid: string;
  active: boolean;
  width: number;
  frames: number;
  packets: number;
  bytes: number;
  /** Packets sent again. */
  retransmitted: number;
  /** Such as `L3T3_KEY`. */
  scalability: string;
}

/** A participant as livekit-client in a page sees it. */
export interface Known {
  identity: string;
  sid: string;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  canPublish: boolean;
  isSpeaking: boolean;
  audioLevel: number;
  quality: string;
  tracks: {
    sid: string;
    source: string;
    kind: string;
    name: string;
    muted: boolean;
    mimeType: string;
    subscribed: boolean;
    /** livekit-client's subscription status. */
    status: string;
    streamState: string;
    encrypted: boolean;
  }[];
}

/** The events of a page so far, and its current state. */
export interface PageState {
  /** livekit-client's room events by name; `Disconnected <reason>`. */
  events: string[];
  /** The same with the participant and the subject, such as `TrackMuted microphone alice`. */
  log: string[];
  /** `<sender> <reliable|lossy> <topic> <text>` */
  messages: string[];
  /** `<text|bytes> <sender> <topic> <name> <content>` */
  streams: string[];
  spoke: string[];
  sid: string;
  connection: string;
  metadata: string;
  microphone: boolean;
  /** Names by identity. */
  remotes: Record<string, string>;
  quality: string;
  recording: boolean;
  speakers: { identity: string; level: number }[];
  me: Known;
  others: Known[];
}

/** What a page shows of one video. */
export interface Shown {
  from: string;
  source: string;
  sid: string;
  r: number;
  g: number;
  b: number;
  counter: number;
  /** Frames shown so far. */
  frames: number;
  width: number;
  height: number;
}

/**
 * What a page hears of one audio track: tones in Hz, of both channels together and of each; `level` in dB of full
 * scale.
 */
export interface Heard {
  from: string;
  source: string;
  tone: number;
  level: number;
  left: number;
  right: number;
}

/** A browser page with livekit-client: one participant. */
export class CallPage {
  readonly page: Page;
  readonly identity: string;

  constructor(page: Page, identity: string) {
    this.page = page;
    this.identity = identity;
  }

  /** Calls a function of page/call.js. */
  async run<T = void>(name: string, ...values: unknown[]): Promise<T> {
    return await this.page.evaluate<T, [string, unknown[]]>(
      ([called, given]) =>
        (globalThis as unknown as { call: Record<string, (...all: unknown[]) => T> }).call[called]!(...given),
      [name, values],
    );
  }

  async state(): Promise<PageState> {
    return await this.run<PageState>('state');
  }

  async count(event: string): Promise<number> {
    return (await this.state()).events.filter((entry) => entry === event).length;
  }

  /** Waits for an event of livekit-client, such as `TrackMuted microphone alice`. */
  async isTold(entry: string, within = 15_000): Promise<void> {
    await until(
      `${this.identity} is told: ${entry}`,
      async () => {
        const { log } = await this.state();
        if (log.some((told) => told === entry || told.startsWith(`${entry} `))) return true;
        throw new Error(log.slice(-12).join('; '));
      },
      { within },
    );
  }

  /** Another participant as this page sees it. */
  async knows(identity: string): Promise<Known | undefined> {
    return (await this.state()).others.find((other) => other.identity === identity);
  }

  async received(): Promise<Received[]> {
    return await this.run<Received[]>('received');
  }

  async sent(): Promise<Sent[]> {
    return await this.run<Sent[]>('sent');
  }

  async stream(kind: 'audio' | 'video', from: string): Promise<Received | undefined> {
    return (await this.received()).find((entry) => entry.kind === kind && entry.from === from);
  }

  /** Waits until `count` more frames of a participant's video are decoded. */
  async seesFrames(from: string, count = 10, timeoutMs = 20_000): Promise<void> {
    const before = (await this.stream('video', from))?.framesDecoded ?? 0;
    const probe = async () => {
      const now = (await this.stream('video', from))?.framesDecoded ?? 0;
      // a new track counts from zero
      return now >= before + count || (now < before && now >= count);
    };
    await until(`${this.identity} decodes ${count} frames of ${from}`, probe, { within: timeoutMs });
  }

  /** Waits until a participant is heard; with `tone` in Hz, until the `source` has this tone. */
  async hears(from: string, tone?: number, source = 'microphone'): Promise<void> {
    await until(`${this.identity} hears ${from}${tone === undefined ? '' : ` at ${tone} Hz`}`, async () => {
      if (tone === undefined) return ((await this.stream('audio', from))?.audioEnergy ?? 0) > 0.01;
      const sounds = await this.sounds();
      if (sounds.some((sound) => sound.from === from && sound.source === source && hearsTone([sound.tone], tone)))
        return true;
      throw new Error(JSON.stringify(sounds));
    });
  }

  /** The tones that it hears now, without silence. */
  async sounds(): Promise<Heard[]> {
    return await this.run<Heard[]>('sounds');
  }

  /** The pictures that it shows now. */
  async pictures(): Promise<Shown[]> {
    return await this.run<Shown[]>('pictures');
  }

  /** Waits until a moving picture of a colour is shown; `width` is that of the received picture. */
  async sees(
    from: string,
    colour: string,
    { source = 'camera', width, within = 15_000 }: { source?: string; width?: number; within?: number } = {},
  ): Promise<void> {
    let first: Shown | undefined;
    await until(
      `${this.identity} sees ${from}'s ${source} in ${colour}${width === undefined ? '' : `, ${width} wide`}`,
      async () => {
        const pictures = await this.pictures();
        const found = pictures.find(
          (shown) =>
            shown.from === from &&
            shown.source === source &&
            showsColour(shown, colour) &&
            (width === undefined || shown.width === width),
        );
        // headless participants send no counter
        if (found && first && (found.counter !== first.counter || found.frames > first.frames + 2)) return true;
        first ??= found;
        throw new Error(found ? 'the picture stands still' : JSON.stringify(pictures));
      },
      { within },
    );
  }
}

export interface CallBrowser {
  /** A separate page for a participant, with a synthetic camera and microphone as in `media`. */
  open(identity: string, media?: Partial<PageMedia>): Promise<CallPage>;
  /** Closes all pages opened so far. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Serves one empty page with livekit-client and the driver on localhost, where browsers allow cameras. */
async function servePage(): Promise<{ url: string; close(): Promise<void> }> {
  const client = dirname(createRequire(import.meta.url).resolve('livekit-client'));
  const scripts = new Map([
    ['/livekit-client.js', join(client, 'livekit-client.umd.js')],
    ['/livekit-client.e2ee.worker.js', join(client, 'livekit-client.e2ee.worker.js')],
    ['/call.js', join(import.meta.dirname, '..', 'page', 'call.js')],
    ['/clapper.js', join(import.meta.dirname, '..', 'page', 'clapper.js')],
  ]);
  const html =
    '<!doctype html><body></body><script src="/livekit-client.js"></script><script ' +
    'src="/call.js"></script><script src="/clapper.js"></script>';
  const server = createServer((request, response) => {
    const script = scripts.get(request.url ?? '');
    if (script === undefined) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
      return;
    }
    readFile(script).then(
      (text) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Debian's Chromium with pages that use LiveKit's protocol through livekit-client. */
export async function startCallBrowser(flags: readonly string[] = []): Promise<CallBrowser> {
  const web = await servePage();
  const browser = await launchBrowser({ flags });
  return {
    async open(identity, media = {}) {
      const page = await openPage(browser, { locale: 'en-US', media });
      await page.goto(web.url);
      return new CallPage(page, identity);
    },
    async clear() {
      for (const context of browser.contexts()) await context.close();
    },
    async close() {
      await browser.close();
      await web.close();
    },
  };
}
