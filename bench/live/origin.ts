import { annexBUnits } from '@rmeet/rtp';
import { LiveOrigin, LiveWindow, mayAccess } from '@rmeet/live';
import { videoClip } from '../../packages/participant/src/clips.ts';
import { Packager } from '../../packages/recorder/src/packager/packager.ts';

/** A recorder in miniature: a picture of 720 lines in real time, packed as the recorder packs it. */
const { secret, recordingId, bitrate, startsAt } = JSON.parse(process.argv[2]!) as {
  secret: string;
  recordingId: string;
  bitrate: number;
  startsAt: number;
};
const RATE = 15;
const frames = videoClip('h264', 'red', 720, bitrate).frames.map(annexBUnits);
const window = new LiveWindow({ startsAt });
const packager = new Packager(
  { startsAt, hasPicture: true, sound: undefined },
  { takeInit: (number, data) => window.takeInit(number, data), takePart: (part) => window.takePart(part) },
);
const origin = new LiveOrigin({ check: (id, token) => mayAccess(secret, id, token, new Date()) });
origin.add(recordingId, window);
let n = 0;
setInterval(() => {
  const at = Date.now() - startsAt;
  for (; (n * 1_000) / RATE <= at; n += 1) {
    const nth = n % (2 * RATE);
    packager.addPicture(frames[nth === 0 ? 0 : 1 + (nth % (frames.length - 1))]!, nth === 0, (n * 1_000) / RATE);
  }
  packager.advance(((n - 1) * 1_000) / RATE);
}, 20);
process.send!({ port: await origin.listen(0, '127.0.0.1') });
