import { execFile, execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { coloursIn, floatsIn, RAW, tonesIn, type Heard, type Seen } from '../../packages/recorder/test/film.ts';

const run = promisify(execFile);

/** Why GStreamer cannot judge on this machine; undefined if it can. */
export const gstreamerMissing = ((): string | undefined => {
  try {
    execFileSync('gst-launch-1.0', ['--version'], { stdio: 'ignore' });
  } catch {
    return 'gst-launch-1.0 is not installed (Debian packages gstreamer1.0-tools, -plugins-good, -libav)';
  }
  return undefined;
})();

const { width, height, looks, rate } = RAW;
/** From the demultiplexer's pad of pictures or of sound to raw data in a file. */
const PICTURES = [
  ...words('h264parse ! avdec_h264 ! videoconvert ! videoscale add-borders=false ! videorate skip-to-first=true !'),
  `video/x-raw,format=RGB,width=${width},height=${height},framerate=${looks}/1,pixel-aspect-ratio=1/1`,
];
const SOUND = [
  ...words('aacparse ! avdec_aac ! audioconvert ! audioresample !'),
  `audio/x-raw,format=F32LE,channels=1,rate=${rate}`,
];

function words(text: string): string[] {
  return text.split(' ');
}

async function decoded(path: string, pad: 'video_0' | 'audio_0', elements: readonly string[]): Promise<Buffer> {
  const raw = `${path}.${pad}.raw`;
  const pipeline = ['filesrc', `location=${path}`, '!', 'qtdemux', 'name=d', `d.${pad}`, '!', 'queue', '!'];
  try {
    const { stderr } = await run('gst-launch-1.0', [
      '-q',
      ...pipeline,
      ...elements,
      '!',
      'filesink',
      `location=${raw}`,
    ]);
    if (/ERROR|CRITICAL/.test(stderr)) throw new Error(stderr);
    return await readFile(raw);
  } finally {
    await rm(raw, { force: true });
  }
}

/** The pictures of a film, as GStreamer decodes them; at every twentieth of a second. */
export async function gstreamerPictures(path: string): Promise<Seen[]> {
  return coloursIn(await decoded(path, 'video_0', PICTURES));
}

/** The tones of a film, as GStreamer decodes them. */
export async function gstreamerSounds(path: string): Promise<Heard[]> {
  return tonesIn(floatsIn(await decoded(path, 'audio_0', SOUND)), 0.1);
}
