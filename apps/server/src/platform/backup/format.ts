import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { pipeline } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';

/**
 * A backup is one gzip file of lines. The first character gives the type of a line: `{` the head of a part in JSON, `=`
 * a row of the table named last (the row as JSON), `+` a piece of the file named last (base64). The last line contains
 * the number of lines before it, so that a truncated file is detected.
 */
const head = z.union([
  z.object({
    rmeet: z.literal('backup'),
    format: z.literal(1),
    /** Version of Rmeet that wrote it. */
    version: z.string(),
    createdAt: z.iso.datetime(),
    /** Hashes of the migrations applied to its database. */
    migrations: z.array(z.string()),
    /** Key of the installation, if it was in the data folder; otherwise the user must provide it for the restore. */
    secretKey: z.string().nullable(),
  }),
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ file: z.string() }),
  /** A file of a recording, which the backup does not contain. */
  z.object({ recordingFile: z.string(), size: z.number().int() }),
  z.object({ end: z.number().int() }),
]);
export type BackupHead = Extract<z.infer<typeof head>, { rmeet: 'backup' }>;
export type BackupLine = z.infer<typeof head> | { row: string } | { piece: Buffer };

/** The file is not a backup, has another format, or is broken. */
export class BackupUnreadable extends Error {
  constructor(reason: string) {
    super(`This backup cannot be read: ${reason}.`);
    this.name = 'BackupUnreadable';
  }
}

export interface BackupWriter {
  head(part: z.infer<typeof head>): Promise<void>;
  /** @param json the row as PostgreSQL printed it */
  row(json: string): Promise<void>;
  piece(bytes: Buffer): Promise<void>;
  /** Closes the file as complete. */
  end(): Promise<void>;
  /** Closes the file as it is. Once this is fulfilled, nothing more is written to it. */
  abort(): Promise<void>;
}

/** Characters. */
const WRITTEN_TOGETHER = 64 * 1_024;

/** Writes a backup; readable only by its owner, because it contains every secret of the installation. */
export function writeBackup(path: string): BackupWriter {
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
  const gzip = createGzip({ level: 6 });
  gzip.pipe(file);
  const done = finished(file);
  done.catch((error: unknown) => gzip.destroy(error instanceof Error ? error : new Error(String(error))));
  // The next write reports the failure; without this listener, it would be an unhandled error when no write is pending.
  gzip.on('error', () => undefined);
  let lines = 0;
  /** Lines that are compressed together: one by one takes twice as much processor time. */
  let text = '';
  const write = async (): Promise<void> => {
    const written = text;
    text = '';
    if (!gzip.write(written)) await once(gzip, 'drain');
  };
  const line = async (one: string): Promise<void> => {
    // A failed stream reports its error only to those who waited at that moment.
    if (gzip.errored) throw gzip.errored;
    lines += 1;
    text += `${one}\n`;
    if (text.length >= WRITTEN_TOGETHER) await write();
  };
  return {
    head: (part) => line(JSON.stringify(part)),
    row: (json) => line(`=${json}`),
    piece: (bytes) => line(`+${bytes.toString('base64')}`),
    async end() {
      await line(JSON.stringify({ end: lines }));
      gzip.end(text);
      await done;
    },
    async abort() {
      gzip.destroy();
      file.destroy();
      await done.catch(() => undefined);
    },
  };
}

function parse(text: string): BackupLine {
  if (text.startsWith('=')) return { row: text.slice(1) };
  if (text.startsWith('+')) return { piece: Buffer.from(text.slice(1), 'base64') };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new BackupUnreadable('it is no backup of Rmeet');
  }
  const parsed = head.safeParse(json);
  if (!parsed.success) throw new BackupUnreadable('it is no backup of Rmeet, or one of a newer kind');
  return parsed.data;
}

/** The lines of a gzip file. Reading with node:readline would lose errors of the stream. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const text = createGunzip();
  // The loop below receives the error.
  pipeline(createReadStream(path), text, () => undefined);
  let rest = '';
  for await (const piece of text.setEncoding('utf8')) {
    const lines = (rest + (piece as string)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * The lines of a backup, its head first. Uses little memory for any size.
 *
 * @throws BackupUnreadable, also at the end of a truncated file
 */
export async function* readBackup(path: string): AsyncGenerator<BackupLine> {
  let lines = 0;
  let ended: number | undefined;
  try {
    for await (const line of linesOf(path)) {
      const parsed = parse(line);
      if (lines === 0 && !('rmeet' in parsed)) throw new BackupUnreadable('it is no backup of Rmeet');
      if ('end' in parsed) ended = parsed.end;
      else {
        lines += 1;
        yield parsed;
      }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') throw new BackupUnreadable('it is damaged, or it broke off');
    throw error;
  }
  if (ended !== lines) throw new BackupUnreadable('it broke off');
}

/** The head of a backup. Throws BackupUnreadable. */
export async function readBackupHead(path: string): Promise<BackupHead> {
  for await (const line of readBackup(path)) if ('rmeet' in line) return line;
  throw new BackupUnreadable('it is empty');
}
