import { annexBUnits } from '@rmeet/rtp';
import { videoClip } from '../../../participant/src/clips.ts';
import { Packager } from '../../src/packager/packager.ts';
import { SegmentFolder } from '../../src/packager/segment-folder.ts';

/** Writes segments to a folder, ten times as fast as they play, until it is killed; prints what is written. */
const folder = new SegmentFolder(process.argv[2]!);
const frames = videoClip('h264', 'red', 180).frames.map(annexBUnits);
const packager = new Packager(
  { startsAt: Date.now(), hasPicture: true, sound: undefined },
  {
    takeInit: (number, data) => folder.takeInit(number, data),
    takePart: (part) => {
      folder.takePart(part);
      void folder.written().then(() => process.stdout.write(`${Math.floor(part.at + part.duration)}\n`));
    },
  },
);
let n = 0;
setInterval(() => {
  const at = (n * 1_000) / 15;
  packager.addPicture(frames[n % frames.length]!, n % frames.length === 0, at);
  packager.advance(at);
  n += 1;
}, 7);
