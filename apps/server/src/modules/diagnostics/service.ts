import { hostname, loadavg, totalmem, freemem, availableParallelism } from 'node:os';
import type { contract, Input } from '@rmeet/contract';
import { archiveOf } from '../../platform/archive/index.ts';
import { ownVersion } from '../../platform/backup/index.ts';
import type { Config } from '../../platform/config/index.ts';
import { databaseState, type Db } from '../../platform/db/index.ts';
import { FileAnswer, type Context, type OperatorCaller } from '../../platform/http/index.ts';
import { recentLines } from '../../platform/log/recent.ts';
import { scrub } from '../../platform/log/scrub.ts';
import type { Media } from '../../platform/media/types.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { secretsIn, shownSettings } from './settings.ts';

type OperatorContext = Context<OperatorCaller>;

interface DiagnosticsDeps {
  config: Config;
  db: Db;
  media: Media;
  storage: Storage;
  now: () => Date;
}

const TEXT = 'text/plain; charset=utf-8';
const MEGABYTE = 1_048_576;
/** Lines that are scrubbed at once. */
const BATCH = 200;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What one zone says of itself; a zone that does not answer is shown as such. */
async function zoneState(media: Media): Promise<Record<string, unknown>> {
  const { zone } = media;
  try {
    const [servers, rooms] = [await media.servers(), await media.listRooms()];
    return {
      zone: zone.id,
      available: media.available(),
      servers: servers.map(({ state, load }) => ({ state, load })),
      rooms: rooms.length,
      participants: rooms.reduce((sum, { participantCount }) => sum + participantCount, 0),
    };
  } catch (error) {
    return { zone: zone.id, available: false, failure: (error as Error).message };
  }
}

function machineState(now: Date): Record<string, unknown> {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    at: now.toISOString(),
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    load: loadavg(),
    memoryMegabytes: {
      total: Math.round(totalmem() / MEGABYTE),
      free: Math.round(freemem() / MEGABYTE),
      process: Math.round(rss / MEGABYTE),
      heap: Math.round(heapUsed / MEGABYTE),
    },
    uptimeSeconds: Math.round(process.uptime()),
  };
}

/** The parts of a summary, each read when it is asked for. */
const partsOf = ({ config, db, media, storage, now }: DiagnosticsDeps) => ({
  versions: async () => {
    const { version, migrations } = await db.platform(databaseState);
    return { rmeet: await ownVersion(), node: process.version, postgres: version, migrations };
  },
  machine: () => Promise.resolve(machineState(now())),
  settings: () => Promise.resolve(shownSettings(config)),
  database: async () => {
    const { size, tables } = await db.platform(databaseState);
    const megabytes = (bytes: number): number => Math.round((bytes / MEGABYTE) * 10) / 10;
    return {
      megabytes: megabytes(size),
      tables: tables.map(({ name, size: bytes, rows }) => ({ name, megabytes: megabytes(bytes), rows })),
    };
  },
  media: () => Promise.all(media.zones().map(zoneState)),
  storage: async () => ({ hasRoom: await storage.hasRoom() }),
});

/** What support needs to know of an installation. Everything passes `scrub` before it leaves the server. */
export function createDiagnostics(deps: DiagnosticsDeps) {
  const { config, now } = deps;
  const known = [...secretsIn(config), hostname()];
  const clean = (text: string): string => scrub(text, known);
  const parts = partsOf(deps);
  const textOf = async (part: keyof typeof parts): Promise<string> => clean(json(await parts[part]()));

  async function* logLines(count: number): AsyncGenerator<string> {
    const lines = recentLines(count);
    for (let i = 0; i < lines.length; i += BATCH) yield `${clean(lines.slice(i, i + BATCH).join('\n'))}\n`;
  }

  async function logText(count: number): Promise<string> {
    let text = '';
    for await (const part of logLines(count)) text += part;
    return text;
  }

  return {
    log: async (_: OperatorContext, { lines }: Input<typeof contract.diagnostics.log>['query']): Promise<FileAnswer> =>
      new FileAnswer({ name: 'server.log', type: TEXT, body: Buffer.from(await logText(lines)) }),

    async summary(): Promise<FileAnswer> {
      const texts: string[] = [];
      for (const part of Object.keys(parts) as (keyof typeof parts)[]) texts.push(`${part}\n${await textOf(part)}`);
      return new FileAnswer({ name: 'summary.txt', type: TEXT, body: Buffer.from(texts.join('\n')) });
    },

    bundle: ({ signal }: OperatorContext): FileAnswer =>
      new FileAnswer({
        name: `rmeet-diagnostics-${now().toISOString().slice(0, 10)}.zip`,
        type: 'application/zip',
        body: archiveOf(
          [
            ...(Object.keys(parts) as (keyof typeof parts)[]).map((part) => ({
              name: `${part}.json`,
              parts: () => textOf(part),
            })),
            { name: 'server.log', parts: () => logLines(Number.POSITIVE_INFINITY) },
          ],
          signal,
        ),
      }),
  };
}

export type DiagnosticsService = ReturnType<typeof createDiagnostics>;
