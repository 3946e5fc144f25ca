import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { pageOfShared, shareContexts, sharesContexts } from './contexts.ts';
import { recordTraffic } from './traffic.ts';

/**
 * The media of a test page: its camera's and screen's colour, its microphone's tone in Hz, and the browser's refusal,
 * if any.
 */
export interface PageMedia {
  colour: string;
  camera: { width: number; height: number; frameRate: number };
  screenColour: string;
  /** The screen's tone in Hz; null for no audio. */
  screenTone: number | null;
  tone: number;
  /** Name of the DOMException thrown by getUserMedia, such as `NotAllowedError` or `NotFoundError`. */
  refuse: string | null;
}

/** The content of one tile: the colour of its picture, the frame counter in it, its size in pixels. */
export interface TilePicture {
  r: number;
  g: number;
  b: number;
  counter: number;
  width: number;
  height: number;
}

/** One inbound RTP stream of a page. */
export interface InboundStream {
  kind: 'audio' | 'video';
  ssrc: number;
  framesDecoded: number;
  bytes: number;
  lost: number;
  freezes: number;
  width: number;
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
];

const CHROMIUM = '/usr/bin/chromium';
/** The same engine in a shell without the browser around it: a page costs half. */
const SHELL = '/usr/bin/chromium-headless-shell';

/**
 * Pages of one context share a process, which keeps its compiled code; optimisation does not pay off for pages that
 * live for seconds.
 */
const LIGHT_FLAGS = ['--process-per-site', '--js-flags=--no-opt --no-maglev'];

/**
 * Of pages in a light browser, others only need to see movement and the owner of a picture: it has a sixteenth of the
 * usual pixels per second to encode.
 */
const LIGHT_CAMERA = { width: 320, height: 180, frameRate: 5 };

interface LaunchOptions {
  flags?: readonly string[];
  /** The shell is sufficient, if installed: only the page itself is tested. Its pages share contexts (contexts.ts). */
  light?: boolean;
  /** Like `light`, for pages with real media. */
  shell?: boolean;
}

/** Debian's Chromium, headless; `RMEET_TEST_CHROMIUM` sets another one. */
export async function launchBrowser({
  flags: more = [],
  light = false,
  shell = light,
}: LaunchOptions = {}): Promise<Browser> {
  const installed = shell && existsSync(SHELL) ? SHELL : CHROMIUM;
  const args = [...flags, ...(light ? LIGHT_FLAGS : []), ...more];
  const browser = await chromium.launch({ executablePath: process.env['RMEET_TEST_CHROMIUM'] ?? installed, args });
  if (light) shareContexts(browser);
  return browser;
}

/**
 * A page whose camera shows a colour with a frame counter and whose microphone has a tone. `still`: with reduced
 * motion, the default in a light browser: animations are drawn sixty times a second. Close it with `closePage`.
 */
export async function openPage(
  browser: Browser,
  options: {
    media?: Partial<PageMedia>;
    locale?: 'zh-CN' | 'en-US';
    size?: { width: number; height: number };
    still?: boolean;
  } = {},
): Promise<Page> {
  const viewport = options.size ?? { width: 1280, height: 800 };
  const differs = {
    locale: options.locale ?? 'zh-CN',
    reducedMotion: (options.still ?? sharesContexts(browser)) ? 'reduce' : 'no-preference',
  } as const;
  const makeContext = (): Promise<BrowserContext> =>
    browser.newContext({
      ...differs,
      viewport,
      permissions: ['camera', 'microphone', 'clipboard-read', 'clipboard-write'],
      ignoreHTTPSErrors: true,
      // Requests that pass through one are invisible to the page's own handlers of a scenario.
      serviceWorkers: 'block',
    });
  const ofShared = await pageOfShared(browser, JSON.stringify(differs), makeContext);
  await ofShared?.setViewportSize(viewport);
  const page = ofShared ?? (await (await makeContext()).newPage());
  const scripted = ofShared ?? page.context();
  const media = { ...(sharesContexts(browser) ? { camera: LIGHT_CAMERA } : {}), ...options.media };
  await scripted.addInitScript(`window.rmeetMedia = ${JSON.stringify(media)}`);
  await scripted.addInitScript({ path: join(import.meta.dirname, '..', 'page', 'media.js') });
  // The traffic between pages and servers is only for scenarios in the whole browser.
  if (!sharesContexts(browser)) recordTraffic(page);
  await slowDown(page);
  await unsettle(page);
  return page;
}

/**
 * Detects scenarios that pass only on a fast machine: if RMEET_TEST_SLOW gives milliseconds, every response of the
 * server is delayed by up to as much, and its push messages and every timer of a page by exactly as much, in order. If
 * RMEET_TEST_SLOW_PAGES gives a factor, pages compute as many times slower.
 */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['RMEET_TEST_SLOW_PAGES'] ?? 1);
  // Only Chromium can be slowed down.
  if (rate > 1 && page.context().browser()?.browserType().name() === 'chromium')
    await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
  const most = Number(process.env['RMEET_TEST_SLOW'] ?? 0);
  if (most === 0) return;
  await page.addInitScript(
    `window.setTimeout = ((later) => (run, ms = 0, ...given) => later(run, Number(ms) + ${most}, ` +
      '...given))(window.setTimeout.bind(window))',
  );
  await page.routeWebSocket('**/api/**', (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => void setTimeout(most).then(() => socket.send(message)));
  });
  await page.route('**/api/**', async (route) => {
    await setTimeout(Math.random() * most);
    await route.continue().catch(() => null);
  });
}

/**
 * Detects scenarios that pass only while nothing else happens: if RMEET_TEST_UNREST gives milliseconds, pages are
 * notified at this interval that the data they follow may have changed, and fetch it again.
 */
async function unsettle(page: Page): Promise<void> {
  const every = Number(process.env['RMEET_TEST_UNREST'] ?? 0);
  if (every === 0) return;
  await page.routeWebSocket('**/api/**', (socket) => {
    const server = socket.connectToServer();
    const followed = new Map<string, string>();
    const telling = setInterval(() => {
      for (const told of followed.values()) socket.send(told);
    }, every);
    server.onMessage((message) => {
      const { subscribed } = JSON.parse(String(message)) as { subscribed?: string };
      // A meeting has a state that would be reset.
      if (subscribed !== undefined && !subscribed.startsWith('meeting:')) followed.set(subscribed, String(message));
      socket.send(message);
    });
    server.onClose(() => {
      clearInterval(telling);
      void socket.close();
    });
    socket.onClose(() => {
      clearInterval(telling);
      void server.close();
    });
  });
}

/** The content of every tile of the page, by test id; null while a tile shows no picture. */
export function tilesOf(page: Page): Promise<Record<string, TilePicture | null>> {
  return page.evaluate('rmeetTest.tiles()');
}

/** The tones a page hears from others, in Hz. */
export function tonesOf(page: Page): Promise<number[]> {
  return page.evaluate('rmeetTest.tones()');
}

/** What a page plays: each tone in Hz with its level in dB of full scale, including the player's own volume. */
export function levelsOf(page: Page): Promise<{ tone: number; level: number }[]> {
  return page.evaluate('rmeetTest.levels()');
}

/**
 * The path of a page's connection: `type` such as `host` or `relay`, `relayProtocol` such as `tls`; the addresses if
 * the page knows them.
 */
export interface Path {
  type: string;
  relayProtocol: string;
  local: string;
  remote: string;
}

export function pathsOf(page: Page): Promise<Path[]> {
  return page.evaluate('rmeetTest.paths()');
}

/** The RTP streams a page receives. */
export function inboundOf(page: Page): Promise<InboundStream[]> {
  return page.evaluate('rmeetTest.inbound()');
}

/** Whether a picture has a colour `#rrggbb`, with tolerance for video codecs. */
export function showsColour(
  picture: Pick<TilePicture, 'r' | 'g' | 'b'> | null | undefined,
  colour: string,
  tolerance = 40,
): boolean {
  if (!picture) return false;
  const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [picture.r, picture.g, picture.b].every((value, index) => Math.abs(value - (wanted[index] ?? 0)) <= tolerance);
}

/** Whether one of the tones is the given one, within the 12 Hz the analyser resolves. */
export function hearsTone(tones: readonly number[], tone: number): boolean {
  return tones.some((heard) => Math.abs(heard - tone) <= 12);
}
