import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createDatabase,
  freePort,
  startMailServer,
  startServer,
  until,
  type Api,
  type MailServer,
  type RunningServer,
} from '@rmeet/testkit';

/** A process that fails repeatedly is restarted with growing delays; on a busy machine that adds up. */
const BACK_WITHIN = 120_000;
const HURRY_STEP = 100;

type Database = Awaited<ReturnType<typeof createDatabase>>;

/** The product under test: its processes, its mail server and its clock, which can be advanced. */
export class Product {
  readonly data = mkdtempSync(join(tmpdir(), 'rmeet-kills-'));
  readonly #clock = join(this.data, 'soak-clock');
  #ahead = 0;
  #hurrying: NodeJS.Timeout | undefined;
  #server: RunningServer | undefined;
  #log = '';
  readonly #database: Database | undefined;
  readonly #port: number;
  readonly mails: MailServer;

  private constructor(mails: MailServer, port: number, database: Database | undefined) {
    this.mails = mails;
    this.#port = port;
    this.#database = database;
  }

  /** @param postgres a PostgreSQL server that may create databases; default: the embedded database */
  static async start(postgres: string | undefined): Promise<Product> {
    const product = new Product(
      await startMailServer(),
      await freePort(),
      postgres === undefined ? undefined : await createDatabase(postgres),
    );
    await product.#start();
    return product;
  }

  async #start(): Promise<void> {
    const options = [
      process.env['NODE_OPTIONS'],
      `--import=${pathToFileURL(join(import.meta.dirname, 'clock.ts')).href}`,
    ].filter((one) => one !== undefined);
    this.#server = await startServer({
      data: this.data,
      port: this.#port,
      env: {
        RMEET_SEED: 'demo',
        RMEET_MEDIA_PROCESSES: '1',
        RMEET_SMTP_URL: `smtp://127.0.0.1:${this.mails.port}`,
        RMEET_MAIL_FROM: 'Rmeet <meet@example.org>',
        SOAK_CLOCK: this.#clock,
        NODE_OPTIONS: options.join(' '),
        DATABASE_URL: this.#database?.url ?? '',
      },
    });
  }

  get #running(): RunningServer {
    if (!this.#server) throw new Error('The product was not started.');
    return this.#server;
  }

  get url(): string {
    return this.#running.url;
  }

  get api(): Api {
    return this.#running.api;
  }

  /** The output of its processes. */
  log(): string {
    return this.#log + (this.#server?.log() ?? '');
  }

  /** The current time by its own clock. */
  now(): number {
    return Date.now() + this.#ahead;
  }

  /** Advances the clock by this much at once. */
  jump(ms: number): void {
    this.#ahead += Math.round(ms);
    writeFileSync(this.#clock, String(this.#ahead));
  }

  /** Makes time pass this many times as fast, until it is set to 1. */
  hurry(times: number): void {
    clearInterval(this.#hurrying);
    if (times > 1) this.#hurrying = setInterval(() => this.jump(HURRY_STEP * (times - 1)), HURRY_STEP);
  }

  /** Whether calls are answered. */
  async isUp(): Promise<boolean> {
    return (await fetch(`${this.url}/healthz`).catch(() => undefined))?.status === 200;
  }

  async up(): Promise<void> {
    await until('the server answers again', () => this.isUp(), { within: BACK_WITHIN, every: 100 });
  }

  /** Waits until the database answers, too; returns milliseconds. */
  async ready(): Promise<number> {
    const began = performance.now();
    await until(
      'the server is ready again',
      async () => (await fetch(`${this.url}/readyz`).catch(() => undefined))?.status === 200,
      { within: BACK_WITHIN, every: 20 },
    );
    return performance.now() - began;
  }

  /** Kills the server process, or the database; the supervisor restarts it. */
  kill(which: 'server' | 'database' = 'server'): void {
    this.#running.kill(which);
  }

  /** Whether the database is the product's own, and is killed with it. */
  get hasDatabase(): boolean {
    return this.#database === undefined;
  }

  /**
   * Kills all processes, as when a machine goes down, or only the supervisor, whose children then end; and starts the
   * product again.
   */
  async crash(whole = true): Promise<void> {
    const { supervisor } = this.#running;
    const gone = new Promise((resolve) => supervisor.once('exit', resolve));
    for (const which of whole ? (['supervisor', 'server', 'media', 'database'] as const) : (['supervisor'] as const)) {
      try {
        this.#running.kill(which);
      } catch {
        // It was being restarted, and ends because its supervisor is gone.
      }
    }
    await gone;
    this.#log += this.#running.log();
    await this.#start();
  }

  /** Suspends the media engine, or resumes it. */
  halt(isHalted: boolean): void {
    for (const { pid } of this.#running.run().media)
      if (pid !== undefined) process.kill(pid, isHalted ? 'SIGSTOP' : 'SIGCONT');
  }

  async stop(): Promise<void> {
    this.hurry(1);
    await this.#server?.stop();
    await this.mails.close();
    await this.#database?.drop();
    rmSync(this.data, { recursive: true, force: true });
  }
}
