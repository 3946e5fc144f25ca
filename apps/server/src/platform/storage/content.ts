import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import type { FileKind, ReceivedFile } from '@rmeet/contract';
import { pictureOf } from './pictures.ts';

/** Bytes from the start of a file that are enough to tell its kind; cameras write previews before a picture's size. */
const HEAD = 256 * 1024;
/** Larger pictures are offered as files only: a small file could unpack to gigabytes in every browser. */
const MAX_SIDE = 16_384;
const MAX_PIXELS = 100_000_000;

type Signature = readonly [at: number, text: string];
const OLE: Signature = [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'];
/** Which bytes a file of a kind has at which place, as latin1; the first match counts. */
const SIGNATURES: readonly (readonly [FileKind, Signature])[] = [
  ['program', [0, 'MZ']],
  ['program', [0, '\x7fELF']],
  ...[
    '\xfe\xed\xfa\xce',
    '\xfe\xed\xfa\xcf',
    '\xce\xfa\xed\xfe',
    '\xcf\xfa\xed\xfe',
    '\xca\xfe\xba\xbe',
    '#!',
    '\0asm',
  ].map((text) => ['program', [0, text]] as const),
  ['picture', [0, '\x89PNG\r\n\x1a\n']],
  ['picture', [0, '\xff\xd8\xff']],
  ['picture', [0, 'GIF8']],
  ['picture', [8, 'WEBP']],
  ['picture', [0, 'II*\0']],
  ['picture', [0, 'MM\0*']],
  ...['ftypheic', 'ftypheix', 'ftypmif1', 'ftypavif'].map((text) => ['picture', [4, text]] as const),
  ['document', [0, '%PDF-']],
  ['document', [0, '{\\rtf']],
  ['document', OLE],
  ['media', [4, 'ftyp']],
  ['media', [0, '\x1aE\xdf\xa3']],
  ['media', [0, 'OggS']],
  ['media', [0, 'fLaC']],
  ['media', [0, 'ID3']],
  ['media', [8, 'WAVE']],
  ['media', [8, 'AVI ']],
  ...['\xff\xfb', '\xff\xf3', '\xff\xf2', '\xff\xf1'].map((text) => ['media', [0, text]] as const),
  ...['7z\xbc\xaf\x27\x1c', 'Rar!\x1a\x07', '\x1f\x8b', 'BZh', '\xfd7zXZ\0', '\x28\xb5\x2f\xfd'].map(
    (text) => ['archive', [0, text]] as const,
  ),
  ['archive', [257, 'ustar']],
];
/** How the first entry of a ZIP file is called if the ZIP file is a document (Office Open XML, OpenDocument). */
const DOCUMENT_ENTRIES =
  /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\/|mimetypeapplication\/vnd\.oasis)/;
/** Endings of names that systems run, whatever the content. */
const PROGRAM = new Set(
  (
    'apk app appx bat chm cmd com cpl crx deb dll dmg exe gadget hta inf ins ipa iso jar js jse lnk mjs msc msi msix ' +
    'msp pif pkg ps1 psm1 reg rpm scf scr sh sys url vbe vbs wsf wsh xll'
  ).split(' '),
);

/** What is known of a file once all of it was read. */
export type Content = Pick<ReceivedFile, 'size' | 'sha256' | 'kind' | 'picture'>;

/**
 * The kind of a file by its first bytes. The name is used only to recognise more programs, never to trust a file more.
 */
export function kindOf(head: Buffer, name: string): FileKind {
  if (PROGRAM.has(extname(name).slice(1).toLowerCase())) return 'program';
  const found = SIGNATURES.find(([, [at, text]]) => head.toString('latin1', at, at + text.length) === text)?.[0];
  if (found !== undefined) return found;
  if (head.toString('latin1', 0, 4) === 'PK\x03\x04')
    return DOCUMENT_ENTRIES.test(head.toString('latin1', 30, 100)) ? 'document' : 'archive';
  return isText(head) ? 'document' : 'other';
}

/** Whether the bytes are UTF-8 without control characters, apart from a character that the last byte cuts. */
export function isText(head: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // oxlint-disable-next-line no-control-regex -- it looks for these characters
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}

/** The picture that pages may show; undefined for other files and for pictures that are too large to unpack. */
export function shownPicture(head: Buffer): Content['picture'] {
  const picture = pictureOf(head);
  if (!picture || Math.max(picture.width, picture.height) > MAX_SIDE) return undefined;
  return picture.width * picture.height > MAX_PIXELS ? undefined : picture;
}

/** Checks a file while it passes through; each may throw what the sender is to get. */
export interface ContentChecks {
  /** Called once, as soon as the kind is known, with the first bytes of the file. */
  kind?: ((kind: FileKind, head: Buffer) => void) | undefined;
  /** Called with the number of bytes so far. */
  size: (bytes: number) => void;
}

/** Reads what is to be known of a file from its bytes on their way to the storage; only their start is kept. */
export class ContentReader extends Transform {
  readonly #name: string;
  readonly #checks: ContentChecks;
  readonly #hash = createHash('sha256');
  #head: Buffer[] | null = [];
  #size = 0;
  #known: Pick<Content, 'kind' | 'picture'> = { kind: 'other', picture: undefined };

  constructor(name: string, checks: ContentChecks) {
    super();
    this.#name = name;
    this.#checks = checks;
  }

  /** Complete once the stream has ended. */
  get content(): Content {
    return { size: this.#size, sha256: this.#hash.copy().digest('hex'), ...this.#known };
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    try {
      this.#size += chunk.length;
      this.#checks.size(this.#size);
      this.#hash.update(chunk);
      this.#head?.push(chunk);
      if (this.#size >= HEAD) this.#readHead();
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      this.#readHead();
      done();
    } catch (error) {
      done(error as Error);
    }
  }

  #readHead(): void {
    if (this.#head === null) return;
    const head = Buffer.concat(this.#head);
    this.#head = null;
    const kind = kindOf(head, this.#name);
    this.#known = { kind, picture: kind === 'picture' ? shownPicture(head) : undefined };
    this.#checks.kind?.(kind, head);
  }
}
