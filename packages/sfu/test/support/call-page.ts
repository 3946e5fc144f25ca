import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { until } from './engine.ts';
import { servePage } from './page-server.ts';

/** One inbound RTP stream of a page, of a track it is subscribed to. */
export interface Received {
  kind: 'audio' | 'video';
  source: string;
  from: string;
  codec: string;
  framesDecoded: number;
  frameWidth: number;
  freezes: number;
  packetsReceived: number;
  audioEnergy: number;
}

/** What a page has seen so far. */
export interface PageState {
  /** livekit-client's room events by name; `Disconnected <reason>`. */
  events: string[];
  /** `<sender> <reliable|lossy> <topic> <text>` */
  messages: string[];
  spoke: string[];
  sid: string;
  connection: string;
  metadata: string;
  microphone: boolean;
  /** Names by identity. */
  remotes: Record<string, string>;
  quality: string;
}

/** A browser page with livekit-client: one participant. */
export class CallPage {
  readonly page: Page;
  readonly identity: string;

  constructor(page: Page, identity: string) {
    this.page = page;
    this.identity = identity;
  }

  /** Calls a function of support/page/call.js. */
  async run<T = void>(name: string, ...values: unknown[]): Promise<T> {
    return await this.page.evaluate<T, [string, unknown[]]>(
      ([called, given]) => (globalThis as unknown as { call: Record<string, (...all: unknown[]) => T> }).call[called]!(...given),
      [name, values],
    );
  }

  async state(): Promise<PageState> {
    return await this.run<PageState>('state');
  }

  async count(event: string): Promise<number> {
    return (await this.state()).events.filter((entry) => entry === event).length;
  }

  async received(): Promise<Received[]> {
    return await this.run<Received[]>('received');
  }

  async stream(kind: 'audio' | 'video', from: string): Promise<Received | undefined> {
    return (await this.received()).find((entry) => entry.kind === kind && entry.from === from);
  }

  /** Waits until `count` more frames of somebody's video are decoded. */
  async seesFrames(from: string, count = 10, timeoutMs = 20_000): Promise<void> {
    const before = (await this.stream('video', from))?.framesDecoded ?? 0;
    const probe = async () => {
      const now = (await this.stream('video', from))?.framesDecoded ?? 0;
      // a new track counts from nothing
      return now >= before + count || (now < before && now >= count);
    };
    await until(`${this.identity} decodes ${count} frames of ${from}`, probe, timeoutMs);
  }

  async hears(from: string): Promise<void> {
    await until(`${this.identity} hears ${from}`, async () => ((await this.stream('audio', from))?.audioEnergy ?? 0) > 0.01);
  }
}

export interface CallBrowser {
  open(identity: string): Promise<CallPage>;
  /** Closes all pages opened so far. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Debian's Chromium with made-up cameras, one for each page, and a made-up microphone. */
export async function startBrowser(): Promise<CallBrowser> {
  const web = await servePage();
  const browser = await chromium.launch({
    executablePath: process.env['RMEET_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync', '--use-fake-device-for-media-stream=device-count=8', '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
  const context = await browser.newContext({ permissions: ['camera', 'microphone'] });
  return {
    async open(identity) {
      const page = await context.newPage();
      await page.goto(`${web.url}?camera=${context.pages().length - 1}`);
      await page.addScriptTag({ path: fileURLToPath(import.meta.resolve('./page/call.js')), type: 'module' });
      await page.waitForFunction('window.call !== undefined');
      return new CallPage(page, identity);
    },
    async clear() {
      for (const page of context.pages()) await page.close();
    },
    async close() {
      await browser.close();
      await web.close();
    },
  };
}
