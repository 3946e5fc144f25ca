import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { COLOURS } from '@rmeet/participant';
import { launchBrowser, startServer, until, type Api, type RunningServer } from '@rmeet/testkit';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missing, picturesOf, skipped, tonesOf } from '../../../../packages/recorder/test/film.ts';
import { grant, segmentOf, viewerOf } from './support/viewer.ts';

const WITHIN = { within: 30_000 };
/** Seconds: how far a tone may begin from its picture. Looks are 0.05 s apart, and the page is out of step itself. */
const IN_STEP = 0.1;
const STEP = 0.05;

let server: RunningServer;
let chair: Api & { token: string };
let browser: Browser;
let client: string;
let folder: string;
beforeAll(async () => {
  server = await startServer({ env: { RMEET_MEDIA_PROCESSES: '1' } });
  await grant(server, 'chair', 'sys:bookLive');
  chair = await server.api.as('chair');
  browser = await launchBrowser();
  client = await clientCode();
  folder = mkdtempSync(join(tmpdir(), 'rmeet-whip-'));
}, 90_000);
afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Eyevinn's WHIP client as a script that sets `whip.WHIPClient`. */
async function clientCode(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@eyevinn/whip-web-client')).replace(
    'whip-client.js',
    'whip-client.modern.js',
  );
  const made = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'whip' } },
  });
  const [chunk] = (Array.isArray(made) ? made : []).flatMap(({ output }) => output);
  if (chunk?.type !== 'chunk') throw new Error('The client was not bundled.');
  return chunk.code;
}

/**
 * A page of another origin that sends a picture and a tone: red with 500 Hz and blue with 900 Hz, a second each, which
 * change at the same moment of the sound's clock.
 */
const SENDER = `
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: 500 });
  const gain = new GainNode(audio, { gain: 0.3 });
  const destination = new MediaStreamAudioDestinationNode(audio, { channelCount: 1 });
  tone.connect(gain).connect(destination);
  tone.start();
  for (let second = 0; second < 600; second += 1)
    tone.frequency.setValueAtTime(second % 2 === 0 ? 500 : 900, second);
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 360 });
  const context = canvas.getContext('2d');
  let frame = 0;
  setInterval(() => {
    const isRed = Math.floor(audio.currentTime) % 2 === 0;
    context.fillStyle = 'rgb(' + (isRed ? '${COLOURS.red.join(',')}' : '${COLOURS.blue.join(',')}') + ')';
    context.fillRect(0, 0, 640, 360);
    // There is always movement, or no picture would be sent.
    context.fillStyle = '#808080';
    context.fillRect((frame++ * 8) % 640, 320, 8, 40);
  }, 1000 / 30);
  window.media = new MediaStream([...canvas.captureStream(30).getTracks(), ...destination.stream.getTracks()]);
`;

/** Sends from a page. Rejects if the stream is refused. */
async function send({ address, token }: { address: string; token: string }): Promise<Page> {
  const page = await browser.newPage();
  await page.setContent('<title>encoder</title>');
  await page.addScriptTag({ content: client });
  await page.addScriptTag({ content: SENDER });
  // The client does not report a refusal.
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.evaluate(
    `(async () => {
      const opts = { authkey: ${JSON.stringify(token)}, iceServers: [], noTrickleIce: true };
      window.client = new whip.WHIPClient({ endpoint: ${JSON.stringify(address)}, opts });
      await window.client.ingest(window.media);
    })()`,
  );
  const status = (await answered).status();
  if (status !== 201) throw new Error(`It was answered ${status}.`);
  return page;
}

async function book(): Promise<string> {
  const startTime = new Date(Date.now() + 60_000).toISOString();
  const body = { subject: 'Opening', startTime, duration: 60, live: { access: 'public' as const } };
  return (await chair.manualLives.create({ body })).id;
}

const whipOf = async (id: string) => (await chair.liveProviders.providerConfig({ params: { id } })).ingest!.whip;
const stateOf = async (id: string) => (await chair.manualLives.query({ body: { id } })).records[0]!;
const post = ({ address, token }: { address: string; token: string }, body = 'v=0') =>
  fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' },
    body,
  });
const whenTaken = (id: string): Promise<unknown> =>
  until('a process answers', async () => (await post(await whipOf(id))).status !== 503, WITHIN);

describe.skipIf(missing !== undefined)(`outside streams by WHIP${skipped}`, () => {
  test('a browser sends one, and viewers see and hear it in step', async () => {
    const id = await book();
    await whenTaken(id);
    const page = await send(await whipOf(id));
    await until('it is on air', async () => (await stateOf(id)).state === 'onAir', WITHIN);
    const viewer = await viewerOf(server, id);
    const first = await until('a viewer gets a part', async () => (await viewer.newest()).name || null, WITHIN);
    await until('it goes on', async () => segmentOf((await viewer.newest()).name) > segmentOf(first) + 3, WITHIN);
    expect((await stateOf(id)).ingest).toMatchObject({
      state: 'arriving',
      way: 'whip',
      width: 640,
      height: 360,
      hasSound: true,
    });
    const film = join(folder, 'seen.mp4');
    writeFileSync(film, await until('there are segments', () => viewer.film(4), WITHIN));
    const pictures = await picturesOf(film);
    const seen = changes(pictures.map(({ at, colour }) => [at, colour]));
    const heard = changes(
      (await tonesOf(film, STEP)).map(({ at, tones }) => [at, tones.length === 1 ? tones[0]! : null]),
    );
    expect(seen.length).toBeGreaterThan(4);
    const offs = seen.map(({ at, to }) => {
      const sound = heard.filter((one) => one.to === (to === 'red' ? 500 : 900));
      return Math.min(...sound.map((one) => Math.abs(one.at - at)));
    });
    expect(offs.toSorted((a, b) => a - b)[Math.floor(offs.length / 2)]).toBeLessThanOrEqual(IN_STEP);
    await page.evaluate('window.client.destroy()');
    await until('nothing arrives', async () => (await stateOf(id)).ingest?.state === 'waiting', WITHIN);
    await page.close();
  }, 120_000);

  test('wrong keys, used ones and other requests are refused', async () => {
    const id = await book();
    await whenTaken(id);
    const whip = await whipOf(id);
    const page = await send(whip);
    await until('it arrives', async () => (await stateOf(id)).ingest?.state === 'arriving', WITHIN);
    await expect(send(whip)).rejects.toThrow();
    await expect(send({ ...whip, token: `${whip.token}x` })).rejects.toThrow();
    expect((await stateOf(id)).ingest?.state).toBe('arriving');
    // A new key ends what comes with the old one.
    await chair.manualLives.change({ body: { id, newKey: true } });
    await until('it has ended', async () => (await stateOf(id)).ingest?.state === 'waiting', WITHIN);
    expect((await fetch(whip.address)).status).toBe(405);
    expect((await fetch(`${whip.address}/${id}/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await post({ ...whip, token: '' })).status).toBe(401);
    expect((await post(whip)).status).toBe(400);
    expect((await post(whip, 'x'.repeat(70_000))).status).toBe(413);
    await page.close();
  }, 120_000);
});

/** When a value begins, without the first one. */
function changes<T>(values: [at: number, value: T | null][]): { at: number; to: T }[] {
  let last: T | null = null;
  const found: { at: number; to: T }[] = [];
  for (const [at, value] of values) {
    if (value === null || value === last) continue;
    if (last !== null) found.push({ at, to: value });
    last = value;
  }
  return found;
}
