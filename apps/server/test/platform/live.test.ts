import { joinAsTerminal, startServer, until, type Api, type RunningServer, type Terminal } from '@rmeet/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missing, picturesOf, skipped, tonesOf } from '../../../../packages/recorder/test/film.ts';
import { startMediaServer, type MediaServer } from '../../../../packages/rtmp/test/media-server.ts';
import { grant, segmentOf, viewerOf } from './support/viewer.ts';

const WITHIN = { within: 20_000 };

let server: RunningServer;
let provider: MediaServer;
let chair: Api & { token: string };
beforeAll(async () => {
  provider = await startMediaServer();
  server = await startServer({ env: { RMEET_PUSH_HOSTS: '127.0.0.1', RMEET_MEDIA_PROCESSES: '1' } });
  await grant(server, 'chair', 'sys:switchLiveResource');
  chair = await server.api.as('chair');
}, 90_000);
afterAll(async () => {
  await server.stop();
  await provider.stop();
});

/** A live meeting that anyone may watch, with two people who send a camera and a tone. */
async function openLive(): Promise<{ id: string; people: Terminal[] }> {
  const startTime = new Date(Date.now() + 60_000).toISOString();
  const body = { subject: 'Town hall', startTime, duration: 60, password: '4821', live: { access: 'public' as const } };
  const { meetId: id, numericId } = await chair.meetings.createLive({ body });
  const people: Terminal[] = [];
  for (const [name, colour, tone] of [
    ['chair', 'red', 300],
    ['alice', 'green', 500],
  ] as const) {
    const api = name === 'chair' ? chair : await server.api.as(name);
    const terminal = await joinAsTerminal(api, server.url, { numericId, password: '4821', autoSubscribe: false });
    await terminal.media.publishAudio({ tone });
    await terminal.media.publishVideo({ colour, codec: 'h264' });
    people.push(terminal);
  }
  return { id, people };
}

describe.skipIf(missing !== undefined)(`a broadcast of the whole product${skipped}`, () => {
  test('reaches viewers and another server, goes on after kills, and ends with its replay', async () => {
    const { id, people } = await openLive();
    const act = (action: 'START' | 'END') => chair.broadcasts.act({ params: { id }, body: { action } });
    const address = `rtmp://127.0.0.1:${provider.port}/live/channel`;
    const targets = [{ name: 'Channel', provider: 'rtmp' as const, address }];
    await chair.liveProviders.setPushTargets({ params: { id }, body: { targets } });
    const pushState = async () => (await chair.liveProviders.providerConfig({ params: { id } })).push[0]?.state;
    const viewer = await viewerOf(server, id);
    // A rehearsal is for nobody outside.
    expect(await viewer.playlist()).toBe('');
    await act('START');
    const first = await until(
      'a viewer gets a part',
      async () => {
        const part = await viewer.newest();
        return part.bytes > 0 ? part : null;
      },
      WITHIN,
    );
    await until('it is pushed', async () => (await pushState()) === 'live', WITHIN);
    const before = await provider.film('channel', 'the other server has pictures', ({ frames }) => frames.length > 200);

    server.kill('recorder');
    // It takes 5 s at most on an idle machine (docs/decisions/recorders.md); the start of a process takes longer.
    await until(
      'viewers go on',
      async () => {
        const part = await viewer.newest();
        return part.bytes > 0 && part.name !== first.name && segmentOf(part.name) > segmentOf(first.name) + 2;
      },
      WITHIN,
    );
    await until('it is pushed again', async () => (await pushState()) === 'live', WITHIN);
    await provider.film('channel', 'more comes', ({ frames }) => frames.length > before.frames.length + 200);

    server.kill('server');
    await server.ready();
    await until('viewers go on', async () => (await viewer.newest()).bytes > 0, WITHIN);

    await act('END');
    await until('the replay is there', async () => (await viewer.state()).hasReplay, { within: 30_000 });
    expect(await viewer.playlist()).toContain('#EXT-X-ENDLIST');
    expect(await pushState()).toBe('idle');

    const path = provider.path('channel');
    const seen = (await picturesOf(path)).map(({ colour }) => colour);
    expect(seen.some((colour) => colour === 'red' || colour === 'green')).toBe(true);
    const heard = (await tonesOf(path)).filter(({ tones }) => tones.includes(300) && tones.includes(500));
    expect(heard.length).toBeGreaterThan(20);
    for (const person of people) person.kill();
  }, 120_000);
});
