import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import { LIMITS, MEGABYTE, type FileKind, type ReceivedFile } from '@rmeet/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ContentReader, StorageUnavailable, type ContentChecks, type Storage } from '../../storage/index.ts';
import { AppError } from './app-error.ts';
import { fileNameOf } from './file-name.ts';

/** The content of a form. */
export interface Form {
  /** The JSON of its field `meeting`; undefined without one. */
  body: unknown;
  /** Its parts `file`, stored. */
  files: ReceivedFile[];
  /** Removes the stored files again, because the call failed. */
  discard(): Promise<void>;
}

/** What the files of one form may be. */
export interface FileRules {
  files: number;
  /** Largest size of each; bytes. */
  bytes: number;
  /** Called as soon as the kind of a file is known, with its first bytes; throws what the sender is to get. */
  checkKind?: (kind: FileKind, name: string, head: Buffer) => void;
}

const FIELD = 'meeting';
const FILE = 'file';
/** The first part of the storage keys of uploaded files. */
export const UPLOADS = 'uploads';

/** Allows routes to accept forms (`multipart` in the contract); mount() rejects them for all others. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fieldNameSize: 100,
      fieldSize: LIMITS.bodyBytes,
      fields: 1,
      files: LIMITS.files,
      // Each file has the limit of its call's rules (FileRules).
      fileSize: Infinity,
      parts: LIMITS.files + 1,
      headerPairs: 20,
    },
  });
}

/** JSON with the same rules as a JSON body. */
function parseJson(request: FastifyRequest, text: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  void request.server.getDefaultJsonParser('error', 'error')(request, text, (error, value) =>
    error ? reject(new AppError('MALFORMED_BODY')) : resolve(value),
  );
  return promise;
}

/** The error for the sender of a broken form; storage errors are not changed. */
function toRefusal(error: unknown): unknown {
  if (error instanceof AppError || error instanceof StorageUnavailable) return error;
  if (error instanceof Error && 'syscall' in error) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT'
    ? new AppError('FILES_TOO_MANY', { limit: LIMITS.files })
    : new AppError('MALFORMED_BODY');
}

/**
 * Writes one file to the storage while its content is checked.
 *
 * @throws AppError FILE_TOO_LARGE, and what rules throw
 */
async function store(
  storage: Storage,
  part: MultipartFile,
  key: string,
  { bytes, checkKind }: FileRules,
): Promise<ReceivedFile> {
  const name = fileNameOf(part.filename);
  const checks: ContentChecks = {
    size(read) {
      if (read > bytes) throw new AppError('FILE_TOO_LARGE', { name, megabytes: bytes / MEGABYTE });
    },
    kind: checkKind && ((kind, head) => checkKind(kind, name, head)),
  };
  const reader = new ContentReader(name, checks);
  // Both fail together. The storage knows the reason: its own, or the one with which the reader was destroyed.
  const [stored] = await Promise.allSettled([storage.put(key, reader), pipeline(part.file, reader)]);
  if (stored.status === 'rejected') throw stored.reason;
  return { name, key, ...reader.content };
}

/**
 * Reads a form to its end and writes its files directly to the storage. `rulesOf` is called with the body, which comes
 * first, before the first file is read, and may throw.
 *
 * @throws AppError FILE_TOO_LARGE, FILES_TOO_MANY, BODY_TOO_LARGE, MALFORMED_BODY, and what `rulesOf` throws; nothing
 *   is stored then
 */
export async function receiveForm(
  request: FastifyRequest,
  storage: Storage,
  rulesOf: (body: unknown) => FileRules | Promise<FileRules>,
): Promise<Form> {
  const keys: string[] = [];
  const files: ReceivedFile[] = [];
  const discard = async (): Promise<void> => {
    for (const key of keys) await storage.delete(key);
  };
  let body: unknown;
  let rules: FileRules | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        if (part.fieldname !== FIELD) continue;
        if (part.valueTruncated) throw new AppError('BODY_TOO_LARGE');
        body = typeof part.value === 'string' ? await parseJson(request, part.value) : part.value;
        continue;
      }
      if (part.fieldname !== FILE) {
        part.file.resume();
        continue;
      }
      rules ??= await rulesOf(body);
      if (files.length >= rules.files) throw new AppError('FILES_TOO_MANY', { limit: rules.files });
      const key = `${UPLOADS}/${randomUUID()}`;
      keys.push(key);
      files.push(await store(storage, part, key, rules));
    }
    return { body, files, discard };
  } catch (error) {
    await discard();
    // The rest is read and discarded: browsers do not read a response before they have sent everything.
    request.raw.unpipe();
    request.raw.resume();
    throw toRefusal(error);
  }
}
