import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ManualLanguage } from './page-ids.ts';
import type { PictureSize } from './render.ts';

const FOLDER = fileURLToPath(new URL('../pictures', import.meta.url));
/** Where width and height are in a PNG file (ISO/IEC 15948, 11.2.2), in bytes. */
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

/** The sizes of the pictures of a language. */
export function pictureSizes(language: ManualLanguage): PictureSize {
  return (name) => {
    const file = `${FOLDER}/${language}/${name}.png`;
    if (!/^[a-z0-9-]+$/.test(name) || !existsSync(file)) return null;
    const bytes = readFileSync(file);
    return { width: bytes.readUInt32BE(WIDTH_AT), height: bytes.readUInt32BE(HEIGHT_AT) };
  };
}

/** All pictures of a language: path below `/help/` and content. */
export function pictureFiles(language: ManualLanguage): { path: string; content: Buffer }[] {
  const folder = `${FOLDER}/${language}`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.png'))
    .map((name) => ({ path: `pictures/${language}/${name}`, content: readFileSync(`${folder}/${name}`) }));
}
