import { randomUUID } from 'node:crypto';
import multipart from '@fastify/multipart';
import { LIMITS, type ReceivedFile } from '@rmeet/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Storage } from '../../storage/index.ts';
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

const FIELD = 'meeting';
const FILE = 'file';
/** The first part of the storage keys of uploaded files. */
export const UPLOADS = 'uploads';
const MEGABYTE = 1024 * 1024;

/** Allows routes to accept forms (`multipart` in the contract); mount() rejects them for all others. */
export async function acceptForms(app: FastifyInstance): Promise<void> {
  await app.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fieldNameSize: 100,
      fieldSize: LIMITS.bodyBytes,
      fields: 1,
      files: LIMITS.files,
      fileSize: LIMITS.fileBytes,
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
  if (error instanceof AppError || (error instanceof Error && 'syscall' in error)) return error;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'FST_FILES_LIMIT' || code === 'FST_PARTS_LIMIT'
    ? new AppError('FILES_TOO_MANY', { limit: LIMITS.files })
    : new AppError('MALFORMED_BODY');
}

/**
 * Reads a form to its end and writes its files directly to the storage. `mayBringFiles` is called before the first of
 * them is read.
 *
 * @throws AppError FORBIDDEN, FILE_TOO_LARGE, FILES_TOO_MANY, BODY_TOO_LARGE, MALFORMED_BODY; nothing is stored then
 */
export async function receiveForm(request: FastifyRequest, storage: Storage, mayBringFiles: boolean): Promise<Form> {
  const files: ReceivedFile[] = [];
  const discard = async (): Promise<void> => {
    for (const { key } of files) await storage.delete(key);
  };
  let body: unknown;
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
      if (!mayBringFiles) throw new AppError('FORBIDDEN');
      const file = { name: fileNameOf(part.filename), key: `${UPLOADS}/${randomUUID()}`, size: 0 };
      files.push(file);
      file.size = (await storage.put(file.key, part.file)).size;
      if (part.file.truncated)
        throw new AppError('FILE_TOO_LARGE', { name: file.name, megabytes: LIMITS.fileBytes / MEGABYTE });
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
