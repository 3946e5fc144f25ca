import type { Readable } from 'node:stream';

interface FileOptions {
  /** File name the browser saves it under. */
  name: string;
  /** MIME type. */
  type: string;
  /** Destroyed when the client goes away. */
  body: Buffer | Readable;
  /** Shown in the page rather than saved; only for types that cannot run anything. */
  inline?: boolean;
  /** Seconds a browser may keep it; not at all without. */
  cacheSeconds?: number;
}

/** What the handler of a download route answers in place of the envelope's data. */
export class FileAnswer {
  readonly body: Buffer | Readable;
  readonly headers: Record<string, string>;

  constructor({ name, type, body, inline = false, cacheSeconds }: FileOptions) {
    this.body = body;
    this.headers = {
      'content-type': type,
      // RFC 6266: the plain name for old readers, the UTF-8 one for the others.
      'content-disposition':
        `${inline ? 'inline' : 'attachment'}; filename="${name.replace(/[^\w.-]/g, '_')}"; ` +
        `filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': cacheSeconds === undefined ? 'no-store' : `public, max-age=${cacheSeconds}`,
    };
  }
}
