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
export function s3Storage(settings: S3Settings): S3Storage {
  return new S3Storage(settings);
}

class S3Storage implements Storage {
  readonly #settings: S3Settings;
  readonly #client: () => S3mini;
  readonly #publicClient: (() => S3mini) | undefined;

  constructor(settings: S3Settings) {
    const { endpoint, publicEndpoint } = settings;
    this.#settings = settings;
    this.#client = clientsAt(endpoint, settings);
    this.#publicClient = publicEndpoint === undefined ? undefined : clientsAt(publicEndpoint, settings);
  }

  async put(key: string, source: Readable | Buffer): Promise<{ size: number }> {
    const name = this.#nameOf(key);
    const pieces = piecesOf(source);
    const first = await pieces.next();
    const piece: Buffer = first.done ? Buffer.alloc(0) : first.value;
    const second = await pieces.next();
    if (second.done) {
      await request(() => this.#client().putObject(name, piece));
      return { size: piece.length };
    }
    return this.#putParts(
      name,
      (async function* () {
        yield piece;
        yield second.value;
        yield* pieces;
      })(),
    );
  }

  async moveIn(key: string, path: string): Promise<{ size: number }> {
    const stored = await this.put(key, createReadStream(path, { highWaterMark: 2 ** 20 }));
    await rm(path, { force: true });
    return stored;
  }

  async get(key: string, range?: { start: number; end?: number }): Promise<Readable> {
    const name = this.#nameOf(key);
    const { start = 0, end } = range ?? {};
    try {
      const answer = await request(() =>
        this.#client().getObjectRaw(name, range === undefined, start, end === undefined ? undefined : end + 1),
      );
      return answer.body === null ? Readable.from([]) : Readable.fromWeb(answer.body);
    } catch (error) {
      throw isAbsent(error) ? new FileMissing(key) : error;
    }
  }

  async stat(key: string): Promise<{ size: number } | undefined> {
    const name = this.#nameOf(key);
    try {
      return { size: await request(() => this.#client().getContentLength(name)) };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    const name = this.#nameOf(key);
    await request(() => this.#client().deleteObject(name));
  }

  async deleteFolder(folder: string): Promise<void> {
    for await (const files of this.#pages(folder)) {
      if (files.length === 0) continue;
      const names = files.map(({ key }) => this.#nameOf(key));
      const gone = await request(() => this.#client().deleteObjects(names));
      if (gone.includes(false)) throw new StorageUnavailable(`not all files of ${folder} could be deleted`);
    }
  }

  async address(key: string, seconds: number): Promise<string | null> {
    const name = this.#nameOf(key);
    return this.#publicClient?.().getPresignedUrl('GET', name, Math.min(seconds, MOST_SECONDS)) ?? null;
  }

  async *list(folder?: string): AsyncGenerator<StoredFile> {
    for await (const files of this.#pages(folder)) yield* files;
  }

  hasRoom(): Promise<boolean> {
    return this.#client().bucketExists();
  }

  dropPartial(before: Date): Promise<number> {
    return dropUploads(this.#client(), this.#settings.prefix, before);
  }

  /**
   * Stores a small file and removes it.
   *
   * @throws StorageUnusable if a person has to change something, StorageUnavailable if the server does not answer
   */
  check(): Promise<void> {
    return check(this.#client(), this.#settings);
  }

  #nameOf(key: string): string {
    checkKey(key);
    return `${this.#settings.prefix}${key}`;
  }

  /** Stores a file that is larger than one part. */
  async #putParts(name: string, pieces: AsyncIterable<Buffer>): Promise<{ size: number }> {
    const id = await request(() => this.#client().getMultipartUploadId(name));
    let size = 0;
    const parts: { partNumber: number; etag: string }[] = [];
    try {
      for await (const piece of pieces) {
        size += piece.length;
        const partNumber = parts.length + 1;
        parts.push(await request(() => this.#client().uploadPart(name, id, piece, partNumber)));
      }
      await request(() => this.#client().completeMultipartUpload(name, id, parts));
      return { size };
    } catch (error) {
      // If this fails, too, dropPartial removes the parts later.
      await this.#client()
        .abortMultipartUpload(name, id)
        .catch(() => undefined);
      throw error;
    }
  }

  /** The files below a folder, or all, page by page. */
  async *#pages(folder: string | undefined): AsyncGenerator<StoredFile[]> {
    const { prefix, bucket } = this.#settings;
    const begin = folder === undefined ? prefix : `${this.#nameOf(folder)}/`;
    let token: string | undefined;
    do {
      const from = token;
      const page = await request(() => this.#client().listObjectsPaged('/', begin, PAGE, from));
      if (!page) throw new StorageUnavailable(`there is no bucket ${bucket}`);
      yield (page.objects ?? []).map(({ Key, Size, LastModified }) => ({
        key: Key.slice(prefix.length),
        size: Size,
        modifiedAt: LastModified,
      }));
      token = page.nextContinuationToken;
    } while (token !== undefined);
  }
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
