import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { S3mini, S3ServiceError } from 's3mini';
import { checkKey, FileMissing, StorageUnavailable, type Storage, type StoredFile } from './storage.ts';

/** A bucket of an S3 server, and the key that may write to it. */
export interface S3Settings {
  /** `https://s3.example.org`, without the bucket. */
  endpoint: string;
  /** The address of the same server for browsers; undefined if they cannot reach it. */
  publicEndpoint: string | undefined;
  region: string;
  bucket: string;
  accessKey: string;
  secret: string;
  /** Before every key: '' or `folder/`. */
  prefix: string;
  /** Where the bucket's name is: in the path of an address, or in its host name. */
  addressing: 'path' | 'host';
}

/** Files up to this size are sent in one request, larger ones in parts of it. S3 allows 10,000 parts, 5 MiB or more. */
const PART_BYTES = 8 * 2 ** 20;
/** How long one request may wait for its answer, with the sending of one part. Ms. */
const ANSWER_WITHIN = 120_000;
/** Waits before a request is sent again, ms. An outage that lasts longer is the caller's to wait for. */
const WAITS = [200, 1_000];
/** The most for which an address for browsers is valid. */
const MOST_SECONDS = 60;
const PAGE = 1_000;

/** `fetch` that waits at most so long for an answer, but as long as it takes for the content. */
async function fetchInTime(url: string | URL | Request, options?: RequestInit): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error('The S3 server does not answer.')), ANSWER_WITHIN);
  try {
    return await fetch(url, { ...options, signal: late.signal, redirect: 'error' });
  } finally {
    clearTimeout(timer);
  }
}

/** The address of the bucket at an endpoint. */
function bucketAt(endpoint: string, { bucket, addressing }: S3Settings): string {
  const url = new URL(endpoint);
  if (addressing === 'host') url.host = `${bucket}.${url.host}`;
  else url.pathname = `${url.pathname.replace(/\/$/, '')}/${bucket}`;
  return url.href;
}

/**
 * Clients of the bucket, one for each day: s3mini signs with a key of the day, and while it computes the next one at
 * midnight, its other requests are signed with the old one.
 */
function clientsAt(endpoint: string, settings: S3Settings): () => S3mini {
  let made: { day: number; client: S3mini } | undefined;
  return () => {
    const day = Math.floor(Date.now() / 86_400_000);
    if (made?.day !== day)
      made = {
        day,
        client: new S3mini({
          endpoint: bucketAt(endpoint, settings),
          region: settings.region,
          accessKeyId: settings.accessKey,
          secretAccessKey: settings.secret,
          fetch: fetchInTime,
        }),
      };
    return made.client;
  };
}

/** The server's own answer in an error; undefined if there was no answer. */
function answerIn(error: unknown): S3ServiceError | undefined {
  const { cause } = error as Error;
  return [error, cause].find((one) => one instanceof S3ServiceError);
}

/** Whether the same request may succeed soon: no connection, or a server that is overloaded. */
function mayPass(error: unknown): boolean {
  const status = answerIn(error)?.status;
  return status === undefined || status === 429 || (status >= 500 && status !== 507);
}

/** The innermost reason of a failed request, in one line. */
function reasonOf(error: unknown): string {
  const answer = answerIn(error);
  if (answer) return `${answer.status} ${answer.serviceCode ?? ''}`.trim();
  const { cause, message, code } = error as Error & { code?: string };
  if (code !== undefined) return code;
  return cause instanceof Error ? reasonOf(cause) : message;
}

/** Runs a request, again if it may pass. Throws StorageUnavailable. */
async function request<T>(send: () => Promise<T>): Promise<T> {
  for (const pause of [...WAITS, undefined]) {
    try {
      return await send();
    } catch (error) {
      if (pause === undefined || !mayPass(error))
        throw new StorageUnavailable(reasonOf(error), {
          cause: error,
          isFull: answerIn(error)?.status === 507 || answerIn(error)?.serviceCode === 'QuotaExceeded',
        });
      await wait(pause);
    }
  }
  throw new Error('unreachable');
}

const isAbsent = (error: unknown): boolean => {
  const answer = answerIn(error instanceof StorageUnavailable ? error.cause : error);
  // Answers to HEAD have no code.
  return answer?.status === 404 && ['NoSuchKey', 'NotFound', 'Unknown'].includes(answer.serviceCode ?? 'Unknown');
};

/** The content in pieces of PART_BYTES; the last one is shorter, or the only one and empty. */
async function* piecesOf(source: Readable | Buffer): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of Buffer.isBuffer(source) ? [source] : source) {
    let rest = Buffer.from(chunk as Buffer | string);
    while (size + rest.length > PART_BYTES) {
      yield Buffer.concat([...chunks, rest.subarray(0, PART_BYTES - size)]);
      rest = rest.subarray(PART_BYTES - size);
      [chunks, size] = [[], 0];
    }
    chunks.push(rest);
    size += rest.length;
  }
  yield Buffer.concat(chunks);
}

/** The key could not be used, or there is no such bucket; the message says what to do. */
export class StorageUnusable extends Error {
  override readonly name = 'StorageUnusable';
}

/** Stores files in a bucket of an S3 server. */
export interface S3Storage extends Storage {
  /**
   * Stores a small file and removes it.
   *
   * @throws StorageUnusable if a person has to change something, StorageUnavailable if the server does not answer
   */
  check(): Promise<void>;
}

/** Stores files in a bucket of an S3 server. */
// oxlint-disable-next-line max-lines-per-function -- the methods of one interface, over the same client
export function s3Storage(settings: S3Settings): S3Storage {
  const { endpoint, publicEndpoint, prefix, bucket } = settings;
  const client = clientsAt(endpoint, settings);
  const publicClient = publicEndpoint === undefined ? undefined : clientsAt(publicEndpoint, settings);
  const nameOf = (key: string): string => {
    checkKey(key);
    return `${prefix}${key}`;
  };
  /** What all keys below a folder begin with. */
  const beginOf = (folder: string | undefined): string => (folder === undefined ? prefix : `${nameOf(folder)}/`);

  /** Stores a file whose first piece is full, in parts. */
  async function putParts(name: string, pieces: AsyncIterable<Buffer>): Promise<{ size: number }> {
    const id = await request(() => client().getMultipartUploadId(name));
    let size = 0;
    const parts: { partNumber: number; etag: string }[] = [];
    try {
      for await (const piece of pieces) {
        size += piece.length;
        const partNumber = parts.length + 1;
        parts.push(await request(() => client().uploadPart(name, id, piece, partNumber)));
      }
      await request(() => client().completeMultipartUpload(name, id, parts));
      return { size };
    } catch (error) {
      // If this fails, too, dropPartial removes the parts later.
      await client()
        .abortMultipartUpload(name, id)
        .catch(() => undefined);
      throw error;
    }
  }

  async function put(key: string, source: Readable | Buffer): Promise<{ size: number }> {
    const name = nameOf(key);
    const pieces = piecesOf(source);
    const first = await pieces.next();
    const piece: Buffer = first.done ? Buffer.alloc(0) : first.value;
    const second = await pieces.next();
    if (second.done) {
      await request(() => client().putObject(name, piece));
      return { size: piece.length };
    }
    return putParts(
      name,
      (async function* () {
        yield piece;
        yield second.value;
        yield* pieces;
      })(),
    );
  }

  async function* pages(begin: string): AsyncGenerator<StoredFile[]> {
    let token: string | undefined;
    do {
      const from = token;
      const page = await request(() => client().listObjectsPaged('/', begin, PAGE, from));
      if (!page) throw new StorageUnavailable(`there is no bucket ${bucket}`);
      yield (page.objects ?? []).map(({ Key, Size, LastModified }) => ({
        key: Key.slice(prefix.length),
        size: Size,
        modifiedAt: LastModified,
      }));
      token = page.nextContinuationToken;
    } while (token !== undefined);
  }

  async function stat(key: string): Promise<{ size: number } | undefined> {
    const name = nameOf(key);
    try {
      return { size: await request(() => client().getContentLength(name)) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  return {
    put,
    stat,
    async moveIn(key, path) {
      const stored = await put(key, createReadStream(path, { highWaterMark: 2 ** 20 }));
      await rm(path, { force: true });
      return stored;
    },
    async get(key, range) {
      const name = nameOf(key);
      const { start = 0, end } = range ?? {};
      try {
        const answer = await request(() =>
          client().getObjectRaw(name, range === undefined, start, end === undefined ? undefined : end + 1),
        );
        return answer.body === null ? Readable.from([]) : Readable.fromWeb(answer.body);
      } catch (error) {
        throw isAbsent(error) ? new FileMissing(key) : error;
      }
    },
    async delete(key) {
      const name = nameOf(key);
      await request(() => client().deleteObject(name));
    },
    async deleteFolder(folder) {
      for await (const files of pages(beginOf(folder))) {
        if (files.length === 0) continue;
        const gone = await request(() => client().deleteObjects(files.map((file) => nameOf(file.key))));
        if (gone.includes(false)) throw new StorageUnavailable(`not all files of ${folder} could be deleted`);
      }
    },
    async address(key, seconds) {
      const name = nameOf(key);
      return publicClient ? publicClient().getPresignedUrl('GET', name, Math.min(seconds, MOST_SECONDS)) : null;
    },
    async *list(folder) {
      for await (const files of pages(beginOf(folder))) yield* files;
    },
    hasRoom: () => client().bucketExists(),
    dropPartial: (before) => dropUploads(client(), prefix, before),
    check: () => check(client(), settings),
  };
}

/** Aborts uploads in parts that began before a time and never ended; returns how many. */
async function dropUploads(client: S3mini, prefix: string, before: Date): Promise<number> {
  const answer = (await request(() => client.listMultipartUploads('/', prefix))) as unknown as {
    ListMultipartUploadsResult?: { Upload?: unknown };
  };
  const result = answer.ListMultipartUploadsResult ?? {};
  const uploads = [result.Upload ?? []].flat() as { Key: string; UploadId: string; Initiated: string }[];
  const old = uploads.filter(({ Key, Initiated }) => Key.startsWith(prefix) && new Date(Initiated) < before);
  for (const { Key, UploadId } of old) await request(() => client.abortMultipartUpload(Key, UploadId));
  return old.length;
}

async function check(client: S3mini, { endpoint, bucket, prefix }: S3Settings): Promise<void> {
  const name = `${prefix}.rmeet-check`;
  try {
    await client.putObject(name, 'Rmeet may write here.');
    await client.deleteObject(name);
  } catch (error) {
    const answer = answerIn(error);
    if (mayPass(error))
      throw new StorageUnavailable(`${endpoint} cannot be used: ${reasonOf(error)}`, { cause: error });
    if (answer?.serviceCode === 'NoSuchBucket')
      throw new StorageUnusable(
        `There is no bucket ${bucket} at ${endpoint}. Create it, or set RMEET_S3_BUCKET to another one.`,
        { cause: error },
      );
    throw new StorageUnusable(
      `The S3 server ${endpoint} does not let this key write to the bucket ${bucket} (${reasonOf(error)}). Check ` +
        'RMEET_S3_KEY, RMEET_S3_SECRET and RMEET_S3_REGION, and what the key may do.',
      { cause: error },
    );
  }
}
