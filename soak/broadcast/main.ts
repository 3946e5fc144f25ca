import { setImmediate as turn } from 'node:timers/promises';
import { LiveOrigin, LiveRelay, LiveView, LiveWindow, mayAccess, signAccess } from '@rmeet/live';
import { annexBUnits } from '@rmeet/rtp';
import { videoClip } from '../../packages/participant/src/clips.ts';
import { Packager } from '../../packages/recorder/src/packager/packager.ts';
import type { Soak } from '../soak.ts';
import { load, table } from '../table.ts';

const HOURS = 12;
const HOUR = 3_600_000;
const RATE = 15;
const BITRATE = 500_000;
const RECORDING = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d22';
const SECRET = 'secret of the engine';
/** Bytes. The playlist of a broadcast in its first minute has 2,700. */
const MOST_PLAYLIST = 5_000;
/** What the process may have more after the last hour than after the first one, MB. */
const MOST_GROWTH = 60;
/** A viewer looks as often, ms of the broadcast. */
const LOOK_EVERY = 10_000;
const PACED = 1_000;

/** What a viewer gets of a broadcast: its playlist and the newest part. */
async function look(view: LiveView): Promise<{ first: number; bytes: number; newest: string }> {
  await view.whenShown(false);
  const text = view.playlist({ plain: false, query: 'sign=s' }) ?? '';
  const newest = [...text.matchAll(/#EXT-X-PART:[^\n]*URI="([^?"]+)/g)].at(-1)?.[1] ?? '';
  if (!(await view.file(newest))) throw new Error(`${newest} is not there.`);
  return { first: Number(/MEDIA-SEQUENCE:(\d+)/.exec(text)?.[1]), bytes: text.length, newest };
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}

/**
 * Twelve hours of a broadcast, as fast as the machine packs them: packager, window, the connection from recorder to
 * server, and what a viewer gets there. Memory and playlists stay as small as in the first hour; nothing of it is on a
 * disk.
 */
const broadcast: Soak = async ({ minutes = HOURS * 60 }) => {
  // So that the media has a time of day and nothing is in the future.
  const startsAt = Date.now() - minutes * 60_000;
  const origin = new LiveOrigin({ check: (id, token) => mayAccess(SECRET, id, token, new Date()) });
  const url = `http://127.0.0.1:${await origin.listen(0, '127.0.0.1')}`;
  const window = new LiveWindow({ startsAt });
  origin.add(RECORDING, window);
  const relay = new LiveRelay({
    recordingId: RECORDING,
    find: async () => ({ url, token: signAccess(SECRET, RECORDING, new Date()) }),
    log: (line) => console.log(line),
  });
  const view = new LiveView(relay.window);
  view.update([{ from: startsAt, until: null }], false);
  const packager = new Packager({ startsAt, hasPicture: true, sound: undefined }, window);
  const frames = videoClip('h264', 'red', 360, BITRATE).frames.map(annexBUnits);
  const print = table(['hour', 'memory, MB', 'window, kB', 'playlist, bytes', 'first segment', 'newest part']);
  const perHour: number[] = [];
  let [most, first, looks] = [0, 0, 0];
  try {
    for (let n = 0; n < minutes * 60 * RATE; n += 1) {
      const [nth, at] = [n % (2 * RATE), (n * 1_000) / RATE];
      packager.addPicture(frames[nth === 0 ? 0 : 1 + (nth % (frames.length - 1))]!, nth === 0, at);
      packager.advance(at);
      // The relay is cut when it is far behind; a recorder leaves it more time than this.
      if (at % PACED === 0) await turn();
      if (at % LOOK_EVERY !== 0 || at === 0) continue;
      const seen = await look(view);
      relay.touch();
      if (seen.first < first) throw new Error(`The media sequence went from ${first} to ${seen.first}.`);
      [most, first, looks] = [Math.max(most, seen.bytes), seen.first, looks + 1];
      if (at % HOUR !== 0) continue;
      perHour.push(memory());
      print([at / HOUR, perHour.at(-1)!, window.bytes / 1e3, seen.bytes, first, seen.newest]);
    }
  } finally {
    view.close();
    relay.close();
    await origin.close();
  }
  const growth = (perHour.at(-1) ?? 0) - (perHour[0] ?? 0);
  const isBehind = first < minutes * 30 - 60;
  const passed = most <= MOST_PLAYLIST && growth <= MOST_GROWTH && !isBehind;
  return {
    passed,
    verdict:
      `${passed ? 'Bounded' : 'NOT bounded'}: ${(minutes / 60).toFixed(1)} hours, ${looks} looks of a viewer, ` +
      `playlists of ${most} bytes at most (${MOST_PLAYLIST} allowed), memory ${growth.toFixed(0)} MB more than after ` +
      `the first hour (${MOST_GROWTH} allowed)${isBehind ? ', and the viewer fell behind' : ''}; ${load()}.`,
  };
};
export default broadcast;
