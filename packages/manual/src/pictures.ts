import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ManualLanguage } from './page-ids.ts';
import type { PictureSize } from './render.ts';

const FOLDER = fileURLToPath(new URL('../pictures', import.meta.url));
/** Where width and height are in a lossy WebP file (RFC 9649, 2.5, and RFC 6386, 9.1), in bytes; 14 bits each. */
const WIDTH_AT = 26;
const HEIGHT_AT = 28;
const SIZE_BITS = 0x3fff;
const LOSSY = 'VP8 ';
const LOSSY_AT = 12;

/** Pictures are being taken from a build of the product: those that are not there yet must not stop that build. */
const isTakingPictures = process.env['RMEET_MANUAL_PICTURES'] === '1';
const TAKEN = { width: 1_000, height: 640 };

/** The sizes of the pictures of a language. */
export function pictureSizes(language: ManualLanguage): PictureSize {
  return (name) => {
    const file = `${FOLDER}/${language}/${name}.webp`;
    if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) return isTakingPictures ? TAKEN : null;
    const bytes = readFileSync(file);
    if (bytes.toString('latin1', LOSSY_AT, LOSSY_AT + LOSSY.length) !== LOSSY)
      throw new Error(`The picture ${name} of the manual is no lossy WebP.`);
    return { width: bytes.readUInt16LE(WIDTH_AT) & SIZE_BITS, height: bytes.readUInt16LE(HEIGHT_AT) & SIZE_BITS };
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
