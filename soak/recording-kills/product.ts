import { execFile } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { startS3, startServer, type RunningServer, type S3Server } from '@rmeet/testkit';

const run = promisify(execFile);

/** Of its file system: more than the recorder wants to be free before it continues on a disk that was full. */
const SIZE = '1200m';
const CHUNK = 2 ** 20;

export interface ProductOptions {
  /** The program of an S3 server; undefined: files are stored in the data folder. */
  s3Program: string | undefined;
  /** The data folder is on a file system of its own, which can be filled. Needs root. */
  hasOwnDisk: boolean;
}

/** The product under test: its processes, its disk, its S3 server and its clock. */
export class Product {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rmeet-recording-kills-'));
  readonly #clock = join(this.#folder, 'soak-clock');
  readonly #hasOwnDisk: boolean;
  readonly s3: S3Server | undefined;
  #server: RunningServer | undefined;
  #ahead = 0;

  private constructor(hasOwnDisk: boolean, s3: S3Server | undefined) {
    this.#hasOwnDisk = hasOwnDisk;
    this.s3 = s3;
  }

  static async start({ s3Program, hasOwnDisk }: ProductOptions): Promise<Product> {
    const product = new Product(
      hasOwnDisk,
      s3Program === undefined ? undefined : await startS3({ program: s3Program }),
    );
    await product.#start();
    return product;
  }

  async #start(): Promise<void> {
    mkdirSync(this.#disk);
    if (this.#hasOwnDisk) await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', this.#disk]);
    const clock = pathToFileURL(join(import.meta.dirname, '..', 'kills', 'clock.ts')).href;
    const settings = this.s3?.settings;
    this.#server = await startServer({
      data: join(this.#disk, 'data'),
      env: {
        RMEET_SEED: 'demo',
        RMEET_MEDIA_PROCESSES: '1',
        DATABASE_URL: '',
        SOAK_CLOCK: this.#clock,
        NODE_OPTIONS: [process.env['NODE_OPTIONS'], `--import=${clock}`].filter(Boolean).join(' '),
        ...(settings && {
          RMEET_S3_BUCKET: settings.bucket,
          RMEET_S3_ENDPOINT: settings.endpoint,
          RMEET_S3_KEY: settings.accessKey,
          RMEET_S3_SECRET: settings.secret,
          RMEET_S3_PREFIX: settings.prefix,
        }),
      },
    });
  }

  get #disk(): string {
    return join(this.#folder, 'disk');
  }

  get server(): RunningServer {
    if (!this.#server) throw new Error('The product was not started.');
    return this.#server;
  }

  /** The path of a stored file. */
  stored(key: string): string {
    const { s3 } = this;
    return s3 ? join(s3.folder, s3.settings.bucket, s3.settings.prefix, key) : join(this.server.data, 'files', key);
  }

  /** Sets its clock forward or back, by ms. */
  jump(ms: number): void {
    this.#ahead += Math.round(ms);
    writeFileSync(this.#clock, String(this.#ahead));
  }

  /** Fills its disk until this many bytes are left; the returned function frees the space again. */
  fill(left: number): () => void {
    const path = join(this.#disk, 'ballast');
    const file = openSync(path, 'w');
    const { bavail, bsize } = statfsSync(this.#disk);
    let rest = bavail * bsize - left;
    for (let size = CHUNK; size >= 1 && rest > 0; size = Math.floor(size / 2)) {
      try {
        while (rest > 0) {
          const written = writeSync(file, Buffer.alloc(Math.min(size, rest)));
          rest -= written;
          if (written < size) break;
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
    closeSync(file);
    return () => rmSync(path);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.s3?.remove();
    if (this.#hasOwnDisk) await run('umount', ['--lazy', this.#disk]).catch(() => undefined);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
