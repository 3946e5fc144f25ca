import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ManualLanguage } from './page-ids.ts';
import type { PictureSize } from './render.ts';

const FOLDER = fileURLToPath(new URL('../pictures', import.meta.url));
/** Where the first chunk of a WebP file has its name (RFC 9649, 2.4), in bytes. */
const CHUNK_AT = 12;
const CHUNK_END = 16;

/** Width and height of a WebP file, in pixels; null for another kind of file. */
function sizeOf(bytes: Buffer): { width: number; height: number } | null {
  switch (bytes.toString('latin1', CHUNK_AT, CHUNK_END)) {
    // Lossy: 14 bits each (RFC 6386, 9.1).
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    // With metadata: less one, 24 bits each (RFC 9649, 2.7).
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** Pictures are being taken from a build of the product: those that are not there yet must not stop that build. */
const isTakingPictures = process.env['RMEET_MANUAL_PICTURES'] === '1';
const TAKEN = { width: 1_000, height: 640 };

/** The sizes of the pictures of a language. */
export function pictureSizes(language: ManualLanguage): PictureSize {
  return (name) => {
    const file = `${FOLDER}/${language}/${name}.webp`;
    if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) return isTakingPictures ? TAKEN : null;
    return sizeOf(readFileSync(file));
  };
}

/** All pictures of a language: path below `/help/` and content. */
export function pictureFiles(language: ManualLanguage): { path: string; content: Buffer }[] {
  const folder = `${FOLDER}/${language}`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.webp'))
    .map((name) => ({ path: `pictures/${language}/${name}`, content: readFileSync(`${folder}/${name}`) }));
}
