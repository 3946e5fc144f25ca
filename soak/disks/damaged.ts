import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparePostgres } from '@rmeet/postgres';
import { createApi, freePort, until } from '@rmeet/testkit';
import { connectTo } from '../power/database.ts';
import { book, missing, noBookings, signIn, type Bookings } from './bookings.ts';
import { isReady, startOn } from './product.ts';

const BOOKED = 20;
const ENDS_WITHIN = 60_000;
const ROOT = join(import.meta.dirname, '..', '..');

/** The ways to damage a path in the database's folder. */
const ways = {
  removed: (path: string) => rmSync(path, { recursive: true }),
  emptied: (path: string) => truncateSync(path, 0),
  cut: (path: string) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  overwritten: (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size, 7)),
};
type Way = keyof typeof ways;

/**
 * Kinds of damage: the path in the folder, and the way. Names in angle brackets are files of relations, or all
 * segments.
 */
const DAMAGES: readonly [path: string, way: Way][] = [
  ['PG_VERSION', 'removed'],
  ['PG_VERSION', 'emptied'],
  ['PG_VERSION', 'overwritten'],
  ['global/pg_control', 'removed'],
  ['global/pg_control', 'emptied'],
  ['global/pg_control', 'overwritten'],
  ['pg_wal', 'removed'],
  ['<segments>', 'removed'],
  ['<segments>', 'overwritten'],
  ['<segments>', 'cut'],
  ['pg_xact', 'removed'],
  ['pg_multixact', 'removed'],
  ['base', 'removed'],
  ['global', 'removed'],
  ['global/pg_filenode.map', 'overwritten'],
  ['<pg_class>', 'overwritten'],
  ['<account>', 'overwritten'],
  ['<account>', 'removed'],
  ['<meeting>', 'overwritten'],
  ['<meeting>', 'cut'],
  ['<meeting_pkey>', 'overwritten'],
  ['<account>', 'emptied'],
  ['pg_hba.conf', 'removed'],
  ['postgresql.conf', 'removed'],
];

export interface DamageReport {
  kind: string;
  /** How it is detected: at the start, by the first calls. */
  found: string;
  wrong: string[];
}

/**
 * Two data folders with the same meetings, of which damaged copies are made: one was killed while people booked, and
 * one was stopped. Damage in a table of the first one is repaired by its write-ahead log.
 */
export class Damages {
  readonly #base = mkdtempSync(join(tmpdir(), 'rmeet-damaged-'));
  readonly #bookings: Bookings = noBookings();
  readonly #files = new Map<string, string>();

  get acknowledged(): number {
    return this.#bookings.acknowledged.size;
  }

  async make(): Promise<void> {
    const data = join(this.#base, 'killed');
    const server = await startOn(data);
    const people = await signIn(server);
    await book(people, this.#bookings, () => this.acknowledged >= BOOKED);
    const client = await connectTo((await preparePostgres({ folder: join(data, 'postgres') })).url);
    for (const relation of ['pg_class', 'account', 'meeting', 'meeting_pkey']) {
      const {
        rows: [row],
      } = await client.query<{ path: string }>('select pg_relation_filepath($1) as path', [relation]);
      this.#files.set(`<${relation}>`, row?.path ?? '');
    }
    // So that the tables are in their files, and later changes only in the log.
    await client.query('checkpoint');
    await client.end();
    await book(people, this.#bookings, () => this.acknowledged >= 2 * BOOKED);
    for (const which of ['server', 'database', 'supervisor'] as const) server.kill(which);
    await until('the supervisor has ended', () => server.supervisor.signalCode !== null);
    copy(data, join(this.#base, 'stopped'));
    await (await startOn(join(this.#base, 'stopped'))).stop();
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  /** One kind of damage: it is reported, and after the damaged file is restored all data is there. */
  async try(index: number): Promise<DamageReport> {
    const [path, way] = DAMAGES[index % DAMAGES.length]!;
    const from = join(this.#base, /wal|segments/.test(path) ? 'killed' : 'stopped');
    const whole = join(from, 'postgres');
    const data = join(this.#base, `damaged-${index}`);
    copy(from, data);
    const folder = join(data, 'postgres');
    const names = this.#pathsOf(whole, path);
    for (const name of names) ways[way](join(folder, name));
    const wrong: string[] = [];
    const found = await this.#look(data, wrong);
    for (const name of names) {
      rmSync(join(folder, name), { recursive: true, force: true });
      copy(join(whole, name), join(folder, name));
    }
    wrong.push(...(await this.#whatIsLost(data)));
    rmSync(data, { recursive: true, force: true });
    return { kind: `${path} ${way}`, found, wrong };
  }

  #pathsOf(whole: string, path: string): string[] {
    if (path === '<segments>')
      return readdirSync(join(whole, 'pg_wal'))
        .filter((name) => /^[0-9A-F]{24}$/.test(name))
        .map((name) => join('pg_wal', name));
    return [this.#files.get(path) ?? path];
  }

  /** Starts on the damaged folder; returns how the damage was detected. */
  async #look(data: string, wrong: string[]): Promise<string> {
    const port = await freePort();
    const env = {
      ...process.env,
      RMEET_HOST: '127.0.0.1',
      RMEET_PORT: String(port),
      RMEET_DATA: data,
      RMEET_MEDIA_PORT: '0',
      RMEET_SEED: 'demo',
      RMEET_MEDIA_PROCESSES: '1',
      DATABASE_URL: '',
    };
    const child = spawn(process.execPath, [join(ROOT, 'apps', 'server', 'src', 'supervisor.ts')], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        log += chunk.toString();
      });
    const url = `http://127.0.0.1:${port}`;
    const hasSaid = (): boolean =>
      log.includes('is damaged (') && log.includes(join(data, 'postgres')) && log.includes('npm run restore');
    let found = 'by nothing';
    try {
      await until('it ends, or answers', async () => child.exitCode !== null || (await isReady(url)) === true, {
        within: ENDS_WITHIN,
      });
      if (child.exitCode === null) {
        found = 'by a call';
        await until('a call finds it', async () => {
          await use(url);
          return child.exitCode !== null || (await isReady(url)) === false;
        });
      } else {
        found = `at the start, code ${child.exitCode}`;
        if (child.exitCode !== 3) wrong.push(`it ends with code ${child.exitCode}`);
      }
    } catch (error) {
      wrong.push(String(error));
    }
    if (!hasSaid()) wrong.push(`no sentence names folder and way out: ${log.slice(-400)}`);
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await until('it has ended', () => child.exitCode !== null || child.signalCode !== null);
    }
    return found;
  }

  /** With the original files restored, all acknowledged data is there: nothing else was overwritten. */
  async #whatIsLost(data: string): Promise<string[]> {
    try {
      const server = await startOn(data);
      try {
        return (await missing(server, this.#bookings)).map((subject) => `${subject} is lost`);
      } finally {
        await server.stop();
      }
    } catch (error) {
      return [`it does not start with the damaged files put back: ${String(error).slice(0, 400)}`];
    }
  }
}

/** Signs in and reads and books meetings; errors are ignored. */
async function use(url: string): Promise<void> {
  try {
    const api = await createApi(url).as('alice');
    await api.meetings.list({ query: {} });
    await api.meetings.createNetwork({
      body: {
        subject: 'Damage',
        startTime: new Date(Date.now() + 86_400_000).toISOString(),
        duration: 30,
        participants: [],
        password: '4821',
      },
    });
  } catch {
    // It may be rejected.
  }
}

/** With owners and modes: PostgreSQL rejects a folder that others may read. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${from} could not be copied: ${stderr}`);
}
