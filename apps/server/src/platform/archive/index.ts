import { once } from 'node:events';
import { addAbortSignal, PassThrough, type Readable } from 'node:stream';
import { strToU8, Zip, ZipDeflate } from 'fflate';

interface ArchivedText {
  /** Path in the archive. */
  name: string;
  /** Read when it is the file's turn; `parts` are written as they come. */
  parts: () => AsyncIterable<string> | Promise<string>;
}

async function* partsOf({ parts }: ArchivedText): AsyncGenerator<string> {
  const content = parts();
  if (content instanceof Promise) yield await content;
  else yield* content;
}

async function write(files: readonly ArchivedText[], out: PassThrough): Promise<void> {
  const zip = new Zip((error, chunk, isLast) => {
    if (error) return void out.destroy(error);
    out.write(chunk);
    if (isLast) out.end();
  });
  for (const file of files) {
    const entry = new ZipDeflate(file.name, { level: 6 });
    zip.add(entry);
    for await (const part of partsOf(file)) {
      entry.push(strToU8(part));
      if (out.writableNeedDrain) await once(out, 'drain');
      if (out.destroyed) return;
    }
    entry.push(new Uint8Array(0), true);
  }
  zip.end();
}

/**
 * A ZIP archive of texts, sent while they are read. If one cannot be read, the download is aborted.
 *
 * @param signal the request's signal: it also ends the archive
 */
export function archiveOf(files: readonly ArchivedText[], signal: AbortSignal): Readable {
  const out = addAbortSignal(signal, new PassThrough());
  // Also wakes a writer that waits for a disconnected client.
  out.once('close', () => out.emit('drain'));
  write(files, out).catch((error: unknown) => out.destroy(error as Error));
  return out;
}
