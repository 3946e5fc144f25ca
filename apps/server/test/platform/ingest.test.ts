import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLOURS, type Colour } from '@rmeet/participant';
import { freePort, isListening, startServer, until, type Api, type RunningServer } from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { missing, picturesOf, skipped, tonesOf } from '../../../../packages/recorder/test/film.ts';
import { startMediaServer, type MediaServer } from '../../../../packages/rtmp/test/media-server.ts';
import { grant, segmentOf, viewerOf } from './support/viewer.ts';

const WITHIN = { within: 20_000 };

let server: RunningServer;
let other: MediaServer;
let chair: Api & { token: string };
let folder: string;
const encoders: ChildProcess[] = [];
beforeAll(async () => {
  other = await startMediaServer();
  const env = {
    RMEET_INGEST_PORT: String(await freePort()),
    RMEET_PUSH_HOSTS: '127.0.0.1',
    RMEET_MEDIA_PROCESSES: '1',
  };
  server = await startServer({ env });
  await grant(server, 'chair', 'sys:bookLive');
  chair = await server.api.as('chair');
  folder = mkdtempSync(join(tmpdir(), 'rmeet-ingest-'));
}, 90_000);
afterEach(() => {
  for (const one of encoders.splice(0)) one.kill('SIGKILL');
});
afterAll(async () => {
  await server.stop();
  await other.stop();
  rmSync(folder, { recursive: true });
});

/** ffmpeg sends a picture of a colour and a tone, as OBS does: pictures in another order, a key frame each 2 s. */
function encode(address: string, colour: Colour = 'red'): ChildProcess {
  const [r, g, b] = COLOURS[colour].map((part) => part.toString(16).padStart(2, '0'));
  const input = [`-re -f lavfi -i color=0x${r}${g}${b}:s=640x360:r=15`, '-re -f lavfi -i sine=500:r=48000'];
  const video = '-c:v libx264 -preset ultrafast -bf 2 -g 30 -pix_fmt yuv420p -b:v 400k';
  const args = [...input, video, '-c:a aac -b:a 96k -f flv'].join(' ').split(' ');
  const child = spawn('ffmpeg', ['-v', 'error', ...args, address], { stdio: 'ignore' });
  encoders.push(child);
  return child;
}

/** Resolves with the exit code of an encoder. */
const exitOf = async (child: ChildProcess): Promise<number | null> =>
  child.exitCode ?? ((await once(child, 'exit')) as [number | null])[0];

async function book(source: { source?: 'push' | 'play'; playAddress?: string } = {}): Promise<string> {
  const startTime = new Date(Date.now() + 60_000).toISOString();
  const body = { subject: 'Opening', startTime, duration: 60, live: { access: 'public' as const }, ...source };
  return (await chair.manualLives.create({ body })).id;
}

/** Where an encoder sends the stream, once a process takes it. */
async function addressOf(id: string): Promise<string> {
  const { server: address, key } = (await chair.liveProviders.providerConfig({ params: { id } })).ingest!.rtmp!;
  await until('a process takes streams', () => isListening(Number(new URL(address).port)), WITHIN);
  return `${address}/${key}`;
}

const stateOf = async (id: string) => (await chair.manualLives.query({ body: { id } })).records[0]!;
const act = (id: string, action: 'START' | 'END') => chair.broadcasts.act({ params: { id }, body: { action } });
type Viewer = Awaited<ReturnType<typeof viewerOf>>;

const nextPart = (viewer: Viewer, after = -1): Promise<string> =>
  until(
    'a viewer gets a part',
    async () => {
      const { name, bytes } = await viewer.newest();
      return bytes > 0 && segmentOf(name) > after ? name : null;
    },
    WITHIN,
  );

describe.skipIf(missing !== undefined)(`outside streams of the whole product${skipped}`, () => {
  test('an encoder pushes, goes on air by itself, and viewers see and hear it', async () => {
    const id = await book();
    const address = await addressOf(id);
    expect((await stateOf(id)).ingest).toMatchObject({ state: 'waiting' });
    await expect(act(id, 'START')).rejects.toMatchObject({ code: 'INGEST_WAITING' });
    encode(address);
    await until('it is on air', async () => (await stateOf(id)).state === 'onAir', WITHIN);
    const viewer = await viewerOf(server, id);
    await nextPart(viewer);
    await until('it is measured', async () => ((await stateOf(id)).ingest?.bitrate ?? 0) > 50, WITHIN);
    expect((await stateOf(id)).ingest).toMatchObject({
      state: 'arriving',
      way: 'rtmp',
      width: 640,
      height: 360,
      hasSound: true,
    });
    const film = join(folder, 'seen.mp4');
    writeFileSync(film, await until('there are segments', () => viewer.film(2), WITHIN));
    expect((await picturesOf(film)).slice(5, 15).map(({ colour }) => colour)).toEqual(Array(10).fill('red'));
    expect((await tonesOf(film)).slice(5, 15).every(({ tones }) => tones.includes(500))).toBe(true);
    await act(id, 'END');
    await expect.poll(async () => (await viewer.state()).broadcast.state).toBe('ended');
  }, 90_000);

  test('wrong keys, used ones and a second encoder are refused', async () => {
    const id = await book();
    const address = await addressOf(id);
    const first = encode(address);
    await until('it arrives', async () => (await stateOf(id)).ingest?.state === 'arriving', WITHIN);
    expect(await exitOf(encode(address))).not.toBe(0);
    expect(await exitOf(encode(`${address}x`))).not.toBe(0);
    expect((await stateOf(id)).ingest?.state).toBe('arriving');
    // A new key ends what comes with the old one.
    await chair.manualLives.change({ body: { id, newKey: true } });
    expect(await exitOf(first)).not.toBe(0);
    expect(await exitOf(encode(address))).not.toBe(0);
    const renewed = await addressOf(id);
    expect(renewed).not.toBe(address);
    const second = encode(renewed);
    await until('it arrives again', async () => (await stateOf(id)).ingest?.state === 'arriving', WITHIN);
    await act(id, 'END');
    expect(await exitOf(second)).not.toBe(0);
    expect(await exitOf(encode(renewed))).not.toBe(0);
  }, 90_000);

  test('viewers go on after the encoder was away, and after the process was killed', async () => {
    const id = await book();
    const address = await addressOf(id);
    encode(address);
    await until('it is on air', async () => (await stateOf(id)).state === 'onAir', WITHIN);
    const viewer = await viewerOf(server, id);
    const before = segmentOf(await nextPart(viewer));
    encoders.pop()?.kill('SIGKILL');
    await until('nothing arrives', async () => (await stateOf(id)).ingest?.state === 'waiting', WITHIN);
    encode(address);
    const after = segmentOf(await nextPart(viewer, before));

    server.kill('recorder');
    expect(await exitOf(encoders.pop()!)).not.toBe(0);
    // An encoder tries again by itself until the next process takes it.
    const again = async (): Promise<string | null> => {
      if (encoders.every(({ exitCode }) => exitCode !== null)) encode(address);
      const { name, bytes } = await viewer.newest();
      return bytes > 0 && segmentOf(name) > after ? name : null;
    };
    const name = await until('viewers go on', again, WITHIN);
    expect(segmentOf(name) - after).toBeGreaterThan(0);
    const playlist = await viewer.playlist();
    expect(playlist).toContain('#EXT-X-DISCONTINUITY');
  }, 120_000);

  test('a stream is taken from its address, also after that was away', async () => {
    const source = `rtmp://127.0.0.1:${other.port}/live/outside`;
    encode(source, 'blue');
    const id = await book({ source: 'play', playAddress: source });
    await until('it is on air', async () => (await stateOf(id)).state === 'onAir', WITHIN);
    expect((await stateOf(id)).ingest).toMatchObject({ state: 'arriving', way: 'play' });
    const viewer = await viewerOf(server, id);
    const before = segmentOf(await nextPart(viewer));
    encoders.pop()?.kill('SIGKILL');
    await until('it is lost', async () => (await stateOf(id)).ingest?.state !== 'arriving', { within: 30_000 });
    encode(source, 'blue');
    expect(segmentOf(await nextPart(viewer, before))).toBeGreaterThan(before);
    await act(id, 'END');
  }, 120_000);
});
