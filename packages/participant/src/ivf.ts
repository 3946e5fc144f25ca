/**
 * IVF, a very simple container: a 32-byte header (`DKIF`, version, header length, four-character code, width, height,
 * rate, scale, frames), then per frame its length (u32), its time (u64) and its bytes, all little-endian. H.264 access
 * units (Annex B) and Opus packets are stored in it as well, so that all clips have one reader.
 */
export interface Clip {
  codec: 'VP80' | 'H264' | 'Opus';
  /** Pixels; 0 for audio. */
  width: number;
  height: number;
  /** Frames per second. */
  frameRate: number;
  frames: Buffer[];
  /** Sent by the time of day: the first frame whenever Unix time is a multiple of the clip's length. */
  isByClock?: boolean;
}

/** @throws Error if the bytes are not an IVF file. */
export function readIvf(file: Buffer): Clip {
  if (file.toString('latin1', 0, 4) !== 'DKIF') throw new Error('not an IVF file');
  const frames: Buffer[] = [];
  for (let at = file.readUInt16LE(6); at + 12 <= file.length;) {
    const length = file.readUInt32LE(at);
    frames.push(file.subarray(at + 12, at + 12 + length));
    at += 12 + length;
  }
  return {
    codec: file.toString('latin1', 8, 12) as Clip['codec'],
    width: file.readUInt16LE(12),
    height: file.readUInt16LE(14),
    frameRate: file.readUInt32LE(16) / file.readUInt32LE(20),
    frames,
  };
}

export function writeIvf(clip: Clip): Buffer {
  const header = Buffer.alloc(32);
  header.write('DKIF', 0, 'latin1');
  header.writeUInt16LE(32, 6);
  header.write(clip.codec, 8, 'latin1');
  header.writeUInt16LE(clip.width, 12);
  header.writeUInt16LE(clip.height, 14);
  header.writeUInt32LE(clip.frameRate, 16);
  header.writeUInt32LE(1, 20);
  header.writeUInt32LE(clip.frames.length, 24);
  const frames = clip.frames.map((frame, n) => {
    const head = Buffer.alloc(12);
    head.writeUInt32LE(frame.length, 0);
    head.writeUInt32LE(n, 4);
    return Buffer.concat([head, frame]);
  });
  return Buffer.concat([header, ...frames]);
}
