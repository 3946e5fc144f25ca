import type { Readable } from 'node:stream';

interface FileOptions {
  /** File name under which the browser saves it. */
  name: string;
  /** MIME type. */
  type: string;
  /** Destroyed when the client disconnects. */
  body: Buffer | Readable | StoredBody;
  /** Displayed in the page instead of saved; only for types that cannot execute code. */
  inline?: boolean;
  /** Seconds a browser may cache it; without it, not at all. */
  cacheSeconds?: number;
  /** Only the browser may cache it, no proxy, because it is for one caller. */
  isPrivate?: boolean;
  /** Its content never changes: a browser that reloads the page need not ask again. */
  isImmutable?: boolean;
  /** Beside those that follow from the other options. */
  headers?: Readonly<Record<string, string>>;
}

/** A body of known size that can also be read in part, so that a client can continue a broken download. */
interface StoredBody {
  size: number;
  /** Bytes from `start` to `end` inclusive; without a range, all. */
  open(range?: { start: number; end: number }): Promise<Readable>;
}

interface Part {
  status: 200 | 206 | 302 | 416;
  headers: Record<string, string | number>;
  body: Buffer | Readable;
}

/** What the handler of a download route returns instead of the envelope's data. */
export class FileAnswer {
  readonly #body: FileOptions['body'];
  #location: string | undefined;
  readonly headers: Record<string, string>;

  /** An answer that sends the client to another address, which it may use for so many seconds. */
  static at(location: string, seconds: number): FileAnswer {
    const answer = new FileAnswer({ name: '', type: 'text/plain', body: Buffer.alloc(0) });
    answer.#location = location;
    answer.headers['cache-control'] = `private, max-age=${seconds}`;
    return answer;
  }

  constructor(options: FileOptions) {
    const { name, type, body, inline = false, cacheSeconds, isPrivate = false, isImmutable = false } = options;
    this.#body = body;
    this.headers = {
      'content-type': type,
      // RFC 6266: the plain name for old clients, the UTF-8 one for the others.
      'content-disposition':
        `${inline ? 'inline' : 'attachment'}; filename="${name.replace(/[^\w.-]/g, '_')}"; ` +
        `filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control':
        cacheSeconds === undefined
          ? 'no-store'
          : `${isPrivate ? 'private' : 'public'}, max-age=${cacheSeconds}${isImmutable ? ', immutable' : ''}`,
      ...options.headers,
    };
  }

  /** The answer to a request with this header `range`: the part of a stored body that it names, else everything. */
  async part(wanted: string | undefined): Promise<Part> {
    const body = this.#body;
    if (this.#location !== undefined)
      return { status: 302, headers: { ...this.headers, location: this.#location }, body: Buffer.alloc(0) };
    if (!('open' in body)) return { status: 200, headers: this.headers, body };
    const { size } = body;
    const headers = { ...this.headers, 'accept-ranges': 'bytes' };
    const range = rangeOf(wanted, size);
    if (range === undefined)
      return { status: 200, headers: { ...headers, 'content-length': size }, body: await body.open() };
    if (range === null)
      return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, body: Buffer.alloc(0) };
    const { start, end } = range;
    return {
      status: 206,
      headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 },
      body: await body.open(range),
    };
  }
}

/** One range of bytes (RFC 9110, 14.1.2); undefined if the header names none, null if the file has no such bytes. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | null | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  // A range that ends before it starts is invalid, and ignored.
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end ? null : { start, end };
}
