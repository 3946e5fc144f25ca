import type { Participant } from '@rmeet/participant';
import { silence, toneClip, videoClip } from '../../packages/participant/src/clips.ts';
import type { Clip } from '../../packages/participant/src/ivf.ts';
import { LocalTrack } from '../../packages/participant/src/local-track.ts';
import { audioPublication, videoPublication } from '../../packages/participant/src/publication.ts';

/** How often it claps, seconds: half of it is quiet. */
const EVERY = 2;
const HEIGHT = 720;
const BITRATE = 1_000_000;

/** A track that loops a clip whose second half is the clap, and notes when it sends the beginning of each. */
class ClappingTrack extends LocalTrack {
  /** Unix time, ms. */
  readonly claps: number[] = [];
  #frames: number;

  constructor(codec: 'h264' | 'opus', clip: Clip) {
    super({ codec, layers: [{ rid: '', clip }] });
    this.#frames = clip.frames.length;
  }

  override start(...[mid, send, numbering]: Parameters<LocalTrack['start']>): void {
    let frame = -1;
    let last: number | undefined;
    const note = (packet: Buffer): void => {
      const timestamp = packet.readUInt32BE(4);
      if (last !== undefined && ((timestamp - last) | 0) <= 0) return;
      last = timestamp;
      frame += 1;
      if (frame % this.#frames === this.#frames / 2) this.claps.push(Date.now());
    };
    const watched = (packet: Buffer): boolean => {
      const isRtcp = packet[1]! >= 192 && packet[1]! <= 223;
      if (!isRtcp) note(packet);
      return send(packet);
    };
    super.start(mid, watched, numbering);
  }

  /** The loop goes on: it has a key frame each second. */
  override handleKeyframeRequest(): void {
    return undefined;
  }
}

/** Half red, half green. */
function pictures(): Clip {
  const [quiet, clap] = [videoClip('h264', 'red', HEIGHT, BITRATE), videoClip('h264', 'green', HEIGHT, BITRATE)];
  const half = (quiet.frameRate * EVERY) / 2;
  return { ...quiet, frames: [...quiet.frames.slice(0, half), ...clap.frames.slice(0, half)] };
}

/** Half silent, half a tone. */
function sounds(): Clip {
  const tone = toneClip(700);
  const half = (tone.frameRate * EVERY) / 2;
  const frames = Array.from({ length: half }, (_, n) => tone.frames[n % tone.frames.length]!);
  return { ...tone, frames: [...frames.map(() => silence.frames[0]!), ...frames] };
}

/** When the claps of a participant were sent: Unix time, ms. */
export interface Claps {
  seen: readonly number[];
  heard: readonly number[];
}

/** Somebody who becomes green and loud again and again. */
export async function publishClaps(media: Participant): Promise<Claps> {
  const [camera, microphone] = [new ClappingTrack('h264', pictures()), new ClappingTrack('opus', sounds())];
  const announced = videoPublication({ codec: 'h264', height: HEIGHT }).request;
  await media.publish({ track: microphone, request: audioPublication({}).request });
  await media.publish({ track: camera, request: announced });
  return { seen: camera.claps, heard: microphone.claps };
}
