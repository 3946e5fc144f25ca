import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { FileMissing, type Storage } from '../storage/index.ts';

/** The first part of the storage keys of recordings. A backup lists these files, but does not contain them. */
const RECORDINGS = 'recordings';
export const isOfRecording = (key: string): boolean => key.startsWith(`${RECORDINGS}/`);

/** A file of a recording, as a backup lists it. */
export interface RecordingFile {
  key: string;
  size: number;
}

/** The hashes of a recording's copied files, as `sha256sum --check` reads them. */
const SUMS = 'SHA256SUMS';
/** How many files are copied before their hashes are stored: as many are copied again after an interruption. */
const SUMS_EVERY = 200;
/** Recorders write the index again and again; all other files never change. */
const isRewritten = (key: string): boolean => key.endsWith('/index.json');

/** Some files of recordings could not be copied. */
export class CopyIncomplete extends Error {
  override readonly name = 'CopyIncomplete';
}

export interface Progress {
  files: number;
  bytes: number;
  ofFiles: number;
  ofBytes: number;
}

export interface Copied {
  files: number;
  bytes: number;
  /** Keys that could not be copied, with the reason. */
  failed: { key: string; reason: string }[];
}

/** `recordings/<id>` of a key. */
const folderOf = (key: string): string => key.split('/', 2).join('/');

async function sizesIn(storage: Storage): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { key, size } of storage.list(RECORDINGS)) sizes.set(key, size);
  return sizes;
}

async function readSums(storage: Storage, folder: string): Promise<Map<string, string>> {
  try {
    const lines = (await text(await storage.get(`${folder}/${SUMS}`))).split('\n').filter((line) => line !== '');
    return new Map(lines.map((line) => [`${folder}/${line.slice(66)}`, line.slice(0, 64)]));
  } catch (error) {
    if (error instanceof FileMissing) return new Map();
    throw error;
  }
}

async function writeSums(storage: Storage, folder: string, sums: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...sums].map(([key, sum]) => `${sum}  ${key.slice(folder.length + 1)}\n`);
  await storage.put(`${folder}/${SUMS}`, Buffer.from(lines.join('')));
}

/**
 * Copies one file and reads the copy again; returns its hash.
 *
 * @throws Error if the copy, or the file itself, differs from what it should be
 */
async function copyFile(key: string, from: Storage, to: Storage, expected: string | undefined): Promise<string> {
  const sent = createHash('sha256');
  const source = await from.get(key);
  await to.put(
    key,
    Readable.from(
      (async function* () {
        for await (const chunk of source) {
          sent.update(chunk as Buffer);
          yield chunk;
        }
      })(),
    ),
  );
  const sum = sent.digest('hex');
  const stored = createHash('sha256');
  for await (const chunk of await to.get(key)) stored.update(chunk as Buffer);
  if (stored.digest('hex') !== sum) throw new Error('the copy differs from the file');
  if (expected !== undefined && expected !== sum) throw new Error(`the file differs from its hash in ${SUMS}`);
  return sum;
}

/**
 * Copies those of these files that the target lacks, and verifies each copy. Files that are deleted meanwhile are left
 * out. Goes on after a failure.
 */
export async function copyRecordings(
  files: readonly RecordingFile[],
  from: Storage,
  to: Storage,
  report: (progress: Progress) => void,
): Promise<Copied> {
  const present = await sizesIn(to);
  const copied: Copied = { files: 0, bytes: 0, failed: [] };
  const progress: Progress = { files: 0, bytes: 0, ofFiles: files.length, ofBytes: sumOf(files) };
  for (const [folder, own] of Map.groupBy(files, ({ key }) => folderOf(key))) {
    const sums = await readSums(to, folder);
    let unsaved = 0;
    for (const { key, size } of own) {
      if (isRewritten(key) || !sums.has(key) || present.get(key) !== size) {
        try {
          sums.set(key, await copyFile(key, from, to, undefined));
          copied.files += 1;
          copied.bytes += size;
          unsaved += 1;
        } catch (error) {
          if (!(error instanceof FileMissing)) copied.failed.push({ key, reason: (error as Error).message });
        }
      }
      if (unsaved >= SUMS_EVERY) {
        await writeSums(to, folder, sums);
        unsaved = 0;
      }
      progress.files += 1;
      progress.bytes += size;
      report(progress);
    }
    if (unsaved > 0) await writeSums(to, folder, sums);
  }
  return copied;
}

const sumOf = (files: readonly RecordingFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Those of the listed files that the storage lacks, or has with another size. */
export async function missingIn(storage: Storage, files: readonly RecordingFile[]): Promise<RecordingFile[]> {
  const present = await sizesIn(storage);
  return files.filter(({ key, size }) => {
    const found = present.get(key);
    return found === undefined || (found !== size && !isRewritten(key));
  });
}

/** Brings files back from where `copyRecordings` has put them, and checks their hashes. */
export async function bringBack(
  files: readonly RecordingFile[],
  from: Storage,
  to: Storage,
  report: (progress: Progress) => void,
): Promise<Copied> {
  const copied: Copied = { files: 0, bytes: 0, failed: [] };
  const progress: Progress = { files: 0, bytes: 0, ofFiles: files.length, ofBytes: sumOf(files) };
  for (const [folder, own] of Map.groupBy(files, ({ key }) => folderOf(key))) {
    const sums = await readSums(from, folder);
    for (const { key, size } of own) {
      try {
        await copyFile(key, from, to, sums.get(key));
        copied.files += 1;
        copied.bytes += size;
      } catch (error) {
        await to.delete(key);
        copied.failed.push({ key, reason: (error as Error).message });
      }
      progress.files += 1;
      progress.bytes += size;
      report(progress);
    }
  }
  return copied;
}

/** How many recordings these files belong to, and how many each has. */
export function recordingsOf(files: readonly RecordingFile[]): Map<string, number> {
  return new Map(
    [...Map.groupBy(files, ({ key }) => folderOf(key))].map(([folder, own]) => [
      folder.slice(RECORDINGS.length + 1),
      own.length,
    ]),
  );
}

/** Prints the progress of a copy at most once a second, to standard error if it is a terminal. */
export function progressLine(): (progress: Progress) => void {
  let printed = performance.now();
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(2);
  return ({ files, ofFiles, bytes, ofBytes }) => {
    if (!process.stderr.isTTY || performance.now() - printed < 1_000) return;
    printed = performance.now();
    process.stderr.write(
      `Files of recordings: ${files} of ${ofFiles}, ${gigabytes(bytes)} of ${gigabytes(ofBytes)} GB\n`,
    );
  };
}

/** @throws CopyIncomplete if something could not be copied */
export function refuseFailed({ failed }: Copied, place: string): void {
  const [first] = failed;
  if (first)
    throw new CopyIncomplete(
      `${failed.length} files of recordings could not be copied, ${place}; the first is ${first.key}: ` +
        `${first.reason}. Run the same command again; it copies what is missing.`,
    );
}
