import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { pageOfShared, shareContexts, sharesContexts } from './contexts.ts';
import { recordTraffic } from './traffic.ts';

/**
 * What a test page sends: its camera's and screen's colour, its microphone's tone in Hz, and how the browser refuses,
 * if it does.
 */
export interface PageMedia {
  colour: string;
  camera: { width: number; height: number; frameRate: number };
  screenColour: string;
  /** The screen's sound in Hz; without one it has none. */
  screenTone: number | null;
  tone: number;
  /** Name of the DOMException getUserMedia throws, as `NotAllowedError` or `NotFoundError`. */
  refuse: string | null;
}

/** What one tile shows: the colour of its picture, the frame counter in it, its size in pixels. */
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
 * Pages of one context share a process, which keeps what it has compiled; pages that live for seconds do not gain by
 * its being made fast.
 */
const LIGHT_FLAGS = ['--process-per-site', '--js-flags=--no-opt --no-maglev'];

/**
 * Of pages in a light browser others see that a picture moves and whose it is: it has a sixteenth of the usual pixels
 * per second to code.
 */
const LIGHT_CAMERA = { width: 320, height: 180, frameRate: 5 };

interface LaunchOptions {
  flags?: readonly string[];
  /**
   * The shell will do, where it is installed: what is looked at is the page alone. Its pages share contexts
   * (contexts.ts).
   */
  light?: boolean;
  /** As `light`, for pages with real media. */
  shell?: boolean;
}

/** Debian's Chromium, headless; `RMEET_TEST_CHROMIUM` names another. */
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
 * A page whose camera shows a colour with a frame counter and whose microphone gives a tone. `still`: of a person who
 * wants nothing to move, as is usual in a light browser: what moves is drawn sixty times a second. `closePage` closes
 * it.
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
    });
  const ofShared = await pageOfShared(browser, JSON.stringify(differs), makeContext);
  await ofShared?.setViewportSize(viewport);
  const page = ofShared ?? (await (await makeContext()).newPage());
  const scripted = ofShared ?? page.context();
  const media = { ...(sharesContexts(browser) ? { camera: LIGHT_CAMERA } : {}), ...options.media };
  await scripted.addInitScript(`window.rmeetMedia = ${JSON.stringify(media)}`);
  await scripted.addInitScript({ path: join(import.meta.dirname, '..', 'page', 'media.js') });
  // What pages say to their servers is for scenarios in the whole browser.
  if (!sharesContexts(browser)) recordTraffic(page);
  await slowDown(page);
  await unsettle(page);
  return page;
}

/**
 * So that a scenario that is right only on a fast machine is found on any: where RMEET_TEST_SLOW names milliseconds,
 * every answer of the server comes late by up to as much, and what it pushes and every timer of a page by exactly as
 * much, in their order. Where RMEET_TEST_SLOW_PAGES names a factor, pages compute as many times slower.
 */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['RMEET_TEST_SLOW_PAGES'] ?? 1);
  // Chromium alone can be slowed down.
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
 * So that a scenario that is right only while nothing else happens is found: where RMEET_TEST_UNREST names
 * milliseconds, pages are told that often that what they follow may have changed, and fetch it again.
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
      // Of a meeting there is a state that would be set back.
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

/** What every tile of the page shows, by test id; null while a tile shows no picture. */
export function tilesOf(page: Page): Promise<Record<string, TilePicture | null>> {
  return page.evaluate('rmeetTest.tiles()');
}

/** The tones a page hears from others, in Hz. */
export function tonesOf(page: Page): Promise<number[]> {
  return page.evaluate('rmeetTest.tones()');
}

/** What a page plays: each tone in Hz with its level in dB of full scale, the player's own volume counted in. */
export function levelsOf(page: Page): Promise<{ tone: number; level: number }[]> {
  return page.evaluate('rmeetTest.levels()');
}

/**
 * The way a page's connection takes: `type` as `host` or `relay`, `relayProtocol` as `tls`; the addresses where the
 * page knows them.
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

/** Whether a picture is of a colour `#rrggbb`, allowing for what a video codec does to it. */
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
