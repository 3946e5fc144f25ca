import { extname } from 'node:path';
import { crc32 } from 'node:zlib';
import { Readable } from 'node:stream';
import type { FileKind, FilePreview } from '@rmeet/contract';
import { AppError } from '../../platform/http/index.ts';
import { FileMissing, kindOf, shownPicture, type Storage } from '../../platform/storage/index.ts';
import type { Piece, VersionRow } from './tables.ts';

/** The first part of the storage keys of meeting files. */
export const DOCUMENTS = 'documents';
/** Bytes from the start of a file that tell what it is; cameras write previews before a picture's size. */
const HEAD = 256 * 1024;
/** Bytes from the start of a file that are enough to recognise a program. */
const PROGRAM_HEAD = 512;

export const keyOf = (contentId: string, { key }: Pick<Piece, 'key'>): string => `${DOCUMENTS}/${contentId}/${key}`;
/** The PDF of an office file. */
export const convertedKey = (contentId: string): string => `${DOCUMENTS}/${contentId}/preview.pdf`;

/** What is known of bytes that have been received. */
export interface Received {
  /** Bytes of this request. */
  size: number;
  /** CRC-32 from the start of the file on. */
  crc: number;
  /** The first bytes of this request. */
  head: Buffer;
}

/**
 * The bytes of a request as long as they come: a connection that breaks ends them, so that those which arrived are
 * kept. `received` is up to date when the stream ends. Throws AppError BODY_TOO_LARGE for more than `most` bytes.
 */
export async function* whatArrives(
  source: AsyncIterable<Buffer>,
  received: Received,
  most: number,
): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  for (;;) {
    // The tus client asks by HEAD how much was kept, so that the reason of the break is of no use to it.
    const next = await chunks.next().catch(() => undefined);
    if (next === undefined || next.done) return;
    const chunk = next.value;
    received.size += chunk.length;
    if (received.size > most) throw new AppError('BODY_TOO_LARGE');
    received.crc = crc32(chunk, received.crc);
    if (received.head.length < PROGRAM_HEAD)
      received.head = Buffer.concat([received.head, chunk.subarray(0, PROGRAM_HEAD - received.head.length)]);
    yield chunk;
  }
}

type Stored = Pick<VersionRow, 'id' | 'size' | 'pieces'>;

async function* chunksOf(
  storage: Storage,
  { id, pieces }: Stored,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer> {
  let at = 0;
  for (const piece of pieces) {
    const [first, last] = [Math.max(start, at) - at, Math.min(end, at + piece.size - 1) - at];
    at += piece.size;
    if (first > last) continue;
    const isWhole = first === 0 && last === piece.size - 1;
    yield* (await storage.get(
      keyOf(id, piece),
      isWhole ? undefined : { start: first, end: last },
    )) as AsyncIterable<Buffer>;
  }
}

/** The bytes of a file from `start` to `end` inclusive, read piece by piece. */
export function contentOf(storage: Storage, stored: Stored, range?: { start: number; end: number }): Readable {
  return Readable.from(chunksOf(storage, stored, range ?? { start: 0, end: stored.size - 1 }), { objectMode: false });
}

/** The first bytes of a file. @throws AppError NOT_FOUND if the storage no longer has it */
export async function headOf(storage: Storage, stored: Stored): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of chunksOf(storage, stored, { start: 0, end: Math.min(HEAD, stored.size) - 1 }))
      chunks.push(chunk);
  } catch (error) {
    throw error instanceof FileMissing ? new AppError('NOT_FOUND') : error;
  }
  return Buffer.concat(chunks);
}

/** What a file is, told from its content. */
export interface Nature {
  kind: FileKind;
  preview: FilePreview | null;
  /** The type under which a preview is served; null without one. */
  mediaType: string | null;
}

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const OFFICE = 'application/octet-stream';

/** Media that browsers play and that cannot contain code, by bytes at a place. */
const MEDIA: readonly (readonly [at: number, bytes: string, preview: 'video' | 'audio', type: string])[] = [
  [4, 'ftypM4A', 'audio', 'audio/mp4'],
  [4, 'ftyp', 'video', 'video/mp4'],
  [0, '\x1aE\xdf\xa3', 'video', 'video/webm'],
  [0, 'OggS', 'audio', 'audio/ogg'],
  [0, 'fLaC', 'audio', 'audio/flac'],
  [0, 'ID3', 'audio', 'audio/mpeg'],
  [8, 'WAVE', 'audio', 'audio/wav'],
  [0, '\xff\xfb', 'audio', 'audio/mpeg'],
];

/** How a document is shown: PDF, an office format, else text. A page or an SVG is text: its source is shown. */
function documentShown(head: Buffer): Pick<Nature, 'preview' | 'mediaType'> {
  const start = head.toString('latin1', 0, 8);
  if (start.startsWith('%PDF-')) return { preview: 'pdf', mediaType: 'application/pdf' };
  if (start === OLE || start.startsWith('PK\x03\x04') || start.startsWith('{\\rtf'))
    return { preview: 'office', mediaType: OFFICE };
  return { preview: 'text', mediaType: 'text/plain; charset=utf-8' };
}

/** What a file is by its first bytes; its name only helps to recognise programs. */
export function natureOf(head: Buffer, name: string): Nature {
  const kind = kindOf(head, name);
  if (kind === 'picture') {
    const picture = shownPicture(head);
    return { kind, preview: picture ? 'picture' : null, mediaType: picture?.type ?? null };
  }
  if (kind === 'document') return { kind, ...documentShown(head) };
  const media =
    kind === 'media' && MEDIA.find(([at, bytes]) => head.toString('latin1', at, at + bytes.length) === bytes);
  return media ? { kind, preview: media[2], mediaType: media[3] } : { kind, preview: null, mediaType: null };
}

/** @throws AppError FILE_KIND_REFUSED for programs, by content or name */
export function mustBeNoProgram(head: Buffer, name: string): void {
  if (kindOf(head, name) === 'program') throw new AppError('FILE_KIND_REFUSED', { name });
}

/** The ending of a name for a temporary file: `docx`; `bin` if it has none that is plain. */
export function endingOf(name: string): string {
  return /^\.([a-z0-9]{1,6})$/.exec(extname(name).toLowerCase())?.[1] ?? 'bin';
}
