import type { Readable } from 'node:stream';

interface FileOptions {
  /** File name under which the browser saves it. */
  name: string;
  /** MIME type. */
  type: string;
  /** Destroyed when the client disconnects. */
  body: Buffer | Readable;
  /** Displayed in the page instead of saved; only for types that cannot execute code. */
  inline?: boolean;
  /** Seconds a browser may cache it; without it, not at all. */
  cacheSeconds?: number;
}

/** What the handler of a download route returns instead of the envelope's data. */
export class FileAnswer {
  readonly body: Buffer | Readable;
  readonly headers: Record<string, string>;

  constructor({ name, type, body, inline = false, cacheSeconds }: FileOptions) {
    this.body = body;
    this.headers = {
      'content-type': type,
      // RFC 6266: the plain name for old clients, the UTF-8 one for the others.
      'content-disposition':
        `${inline ? 'inline' : 'attachment'}; filename="${name.replace(/[^\w.-]/g, '_')}"; ` +
        `filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': cacheSeconds === undefined ? 'no-store' : `public, max-age=${cacheSeconds}`,
    };
  }
}
