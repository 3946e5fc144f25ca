import { until } from '@rmeet/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaFrame } from '../../rtmp/src/index.ts';
import { startMediaServer, type MediaServer } from '../../rtmp/test/media-server.ts';
import { ProgrammePushes } from '../src/programme-pushes.ts';
import { missing, picturesOf, skipped, tonesOf } from './film.ts';
import { play, TONE, type Stretch } from './packager/stretches.ts';

let server: MediaServer;
beforeAll(async () => {
  server = await startMediaServer();
});
afterAll(() => server.stop());

const SCRIPT: Stretch[] = [
  { colour: 'red', height: 180, seconds: 2 },
  { colour: 'blue', height: 360, seconds: 2 },
  { colour: null, height: 360, seconds: 2 },
];

/** Pushes to streams of the server, with the states they have been in. */
function pushesTo(...streams: string[]) {
  const states = new Map<string, string[]>(streams.map((stream) => [stream, []]));
  const pushes = new ProgrammePushes({
    onState: (id, state) => states.get(id)!.push(state),
    ca: server.ca,
  });
  const targets = streams.map((id) => ({ id, address: () => `rtmp://127.0.0.1:${server.port}/live/${id}` }));
  pushes.set(targets);
  const isLive = (stream: string) => states.get(stream)!.at(-1) === 'live';
  return { pushes, states, targets, isLive };
}

test.skipIf(missing !== undefined)(
  `servers get what is on air, in another size and as a card, and its sound${skipped}`,
  async () => {
    const { pushes, states, isLive } = pushesTo('first', 'second');
    await until('both servers take it', () => isLive('first') && isLive('second'));
    let frames = 0;
    const seconds = await play(SCRIPT, {
      takeInit: (number, data) => pushes.takeInit(number, data),
      takePart(part) {
        frames += 1;
        pushes.takePart(part);
      },
    });
    expect(frames).toBe(18);
    for (const stream of ['first', 'second']) {
      const ends = ({ frames: all }: { frames: MediaFrame[] }): boolean =>
        all.some(({ kind, time }) => kind === 'video' && time >= (seconds - 0.3) * 1_000);
      const stored = await server.film(stream, 'all is stored', ends);
      // One configuration of sound, and one for each size of the pictures.
      expect(stored.configs.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video', 'video', 'video']);
      expect(stored.metadata).toMatchObject({ encoder: 'Rmeet' });
      const times = stored.frames.map(({ time }) => time);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      const path = server.path(stream);
      // The files begin with a picture or a sound, a few ms apart: what is at an edge is not compared.
      const inside = (await picturesOf(path)).filter(({ at }) => at % 2 > 0.1 && at % 2 < 1.9);
      expect([...new Set(inside.map(({ at, colour }) => `${Math.floor(at / 2)} ${colour}`))]).toEqual([
        '0 red',
        '1 blue',
        '2 null',
      ]);
      // A beep in each second second.
      const heard = (await tonesOf(path)).filter(({ at }) => at % 1 > 0.15 && at % 1 < 0.85 && at < seconds - 0.3);
      for (const { at, tones } of heard) expect([at, tones]).toEqual([at, at % 2 < 1 ? [] : [TONE]]);
    }
    pushes.set([]);
    expect(states.get('first')).toEqual(['connecting', 'live', 'stopped']);
  },
);

test('one server is left, another is added: it begins with a key frame, and no time is lost', async () => {
  const { pushes, targets, states, isLive } = pushesTo('left', 'added');
  pushes.set([targets[0]!]);
  expect(states.get('added')).toEqual(['connecting', 'stopped']);
  await until('the first server takes it', () => isLive('left'));
  let parts = 0;
  await play([{ colour: 'green', height: 180, seconds: 2 }], {
    takeInit: (number, data) => pushes.takeInit(number, data),
    takePart: (part) => {
      // The second half continues after an interruption of ten seconds.
      pushes.takePart(parts < 3 ? part : { ...part, at: part.at + 10_000 });
      parts += 1;
    },
  });
  const times = async () => (await server.film('left', 'it is stored', (film) => film.frames.length > 100)).frames;
  expect(Math.max(...(await times()).map(({ time }) => time))).toBeLessThan(2_500);
  pushes.set([targets[1]!]);
  expect(states.get('left')!.at(-1)).toBe('stopped');
  await until('the second server takes it', () => isLive('added'));
  await play([{ colour: 'green', height: 180, seconds: 2 }], pushes);
  const { configs, frames } = await server.film('added', 'it is stored', (film) => film.frames.length > 20);
  expect(configs.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
  expect(frames.find(({ kind }) => kind === 'video')!.isKeyFrame).toBe(true);
  pushes.set([]);
});
