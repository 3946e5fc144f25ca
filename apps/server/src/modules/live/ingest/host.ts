import { eq, lt } from 'drizzle-orm';
import type { LiveOutput, OriginHandler } from '@rmeet/live';
import { WhipEndpoint, type WhipNetwork } from '@rmeet/recorder';
import { RtmpIngest, type IngestSink, type PublishRequest } from '@rmeet/rtmp';
import { newId, PLATFORM_TENANT_ID, type Db } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Push } from '../../../platform/push/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { announceMeeting } from '../../meetings/index.ts';
import { streamArrived } from '../manual/on-air.ts';
import { hashStreamKey } from '../manual/secrets.ts';
import type { PushHosts } from '../targets/hosts.ts';
import { Guesses } from './guesses.ts';
import { claim, endedOf, findByKey, findPlayed, isIngestNeeded, release, renew, takenByOthers } from './leases.ts';
import { Pull } from './pull.ts';
import { OutsideStream } from './stream.ts';
import { ingestHost, type BroadcastIngestRow } from './tables.ts';
import { CLIENT_HEADER, WHIP } from './whip.ts';

type Way = NonNullable<BroadcastIngestRow['way']>;

/** How often leases are renewed and streams looked for, ms. */
const ROUND_EVERY = 1_000;
/** A process that is not seen for so long is forgotten, ms. */
const FORGOTTEN_AFTER = 24 * 3_600_000;

export interface IngestHostOptions {
  db: Db;
  log: Log;
  push: Push;
  secrets: SecretBox;
  /** From where streams may be taken. */
  hosts: PushHosts;
  now: () => Date;
  /** Where parts go, and from where servers get them; without `url`, no stream is taken. */
  live: {
    readonly url: string | undefined;
    open(of: { id: string; tenantId: string }, startsAt: number): Omit<LiveOutput, 'end'>;
    end(id: string): void;
    leave(id: string): void;
    handle(name: string, handler: OriginHandler): void;
  };
  /** Where encoders connect by RTMP; null: nowhere. */
  rtmp: { port: number; host: string } | null;
  /** Where encoders send media by WHIP; servers forward their requests. */
  whip?: WhipNetwork;
}

/** One encoder, or one address, that sends a stream now. */
interface Connection {
  row: BroadcastIngestRow;
  holder: string;
  stream: OutsideStream;
  close: () => void;
}

/**
 * Takes the outside streams of broadcasts: encoders push them with a key, or they are taken from an address. A stream
 * has one sender at a time; its lease says which process has it.
 */
export class IngestHost {
  readonly #options: IngestHostOptions;
  readonly #id = newId();
  readonly #ingest: RtmpIngest;
  readonly #whip: WhipEndpoint;
  readonly #guesses = new Guesses();
  /** By broadcast: over all connections, so that times and numbers go on. */
  readonly #streams = new Map<string, OutsideStream>();
  readonly #connections = new Map<string, Connection>();
  readonly #pulls = new Map<string, Pull>();
  #rtmpPort: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();
  #isStopped = false;
  #isFailing = false;
  /** That the port cannot be used. */
  #isTold = false;
  #isNeeded = false;

  constructor(options: IngestHostOptions) {
    this.#options = options;
    const { log, whip } = options;
    const onError = (error: Error): void => log.warn({ error }, 'A stream could not be taken');
    this.#whip = new WhipEndpoint({
      path: `/${WHIP}`,
      ...(whip === undefined ? {} : { network: whip }),
      open: (key, { headers }, close) => this.open(key, 'whip', { from: String(headers[CLIENT_HEADER]), close }),
      onError,
    });
    this.#ingest = new RtmpIngest({
      accept: (request, close) => this.#accept(request, close),
      onError,
    });
  }

  /** Whether there are broadcasts whose streams it may have to take. */
  get isNeeded(): boolean {
    return this.#isNeeded || this.#connections.size > 0;
  }

  async start(): Promise<void> {
    const { live } = this.#options;
    if (live.url === undefined) return;
    live.handle(WHIP, (request, response) => void this.#whip.handle(request, response));
    await this.#round();
  }

  /** Tried in each round: another process of this machine may have the port, and end. */
  async #listen(): Promise<void> {
    const { rtmp, log } = this.#options;
    if (!rtmp || this.#rtmpPort !== null) return;
    try {
      this.#rtmpPort = await this.#ingest.listen(rtmp.port, rtmp.host);
    } catch (error) {
      const { message: reason } = error as Error;
      if (!this.#isTold) log.info({ port: rtmp.port, reason }, 'Streams are not taken by RTMP here');
      this.#isTold = true;
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await Promise.allSettled([this.#current]);
    for (const pull of this.#pulls.values()) pull.close();
    for (const { close } of this.#connections.values()) close();
    this.#whip.close();
    if (this.#rtmpPort !== null) await this.#ingest.close();
    await Promise.allSettled([...this.#connections.keys()].map((id) => this.#closed(id)));
    for (const id of this.#streams.keys()) this.#options.live.leave(id);
    await this.#options.db.platform((tx) => tx.delete(ingestHost, eq(ingestHost.id, this.#id))).catch(() => undefined);
  }

  /** A stream key of RTMP is the name of the stream, whatever the application. */
  async #accept({ stream: key, from }: PublishRequest, close: () => void): Promise<IngestSink | null> {
    return this.open(key, 'rtmp', { from, close });
  }

  /**
   * Begins to take the stream of a key: what takes its media, or null if the key is wrong, is not valid now, or is in
   * use; callers must answer these alike. `close` ends the connection.
   */
  async open(key: string, way: Way, { from, close }: { from: string; close: () => void }): Promise<IngestSink | null> {
    const { db, now } = this.#options;
    const at = now().getTime();
    if (this.#isStopped || !this.#guesses.mayTry(from, at)) return null;
    const row = await db.platform((tx) => findByKey(tx, hashStreamKey(key)));
    if (!row) this.#guesses.note(from, at);
    return row?.playSealed === null ? this.#take(row, way, close) : null;
  }

  async #take(found: BroadcastIngestRow, way: Way, close: () => void): Promise<IngestSink | null> {
    const { db, log, now, live } = this.#options;
    const { broadcastId, tenantId } = found;
    const holder = newId();
    const row = await db.tenant(tenantId, (tx) => claim(tx, found, holder, { now: now(), origin: live.url ?? '' }));
    if (!row) return null;
    const stream = this.#streamOf(row);
    this.#connections.set(broadcastId, { row, holder, stream, close });
    log.info({ broadcastId, way }, 'A stream comes');
    return { ...stream.begin(way), onClosed: () => void this.#closed(broadcastId, holder) };
  }

  #streamOf(row: BroadcastIngestRow): OutsideStream {
    const { live, now } = this.#options;
    const { broadcastId: id, tenantId } = row;
    // Another process had it meanwhile: its numbers are used already.
    if ((this.#streams.get(id)?.nextSegment ?? Infinity) < row.nextSegment) this.#forget(id);
    const stream =
      this.#streams.get(id) ??
      new OutsideStream({
        row,
        open: (startsAt) => live.open({ id, tenantId }, startsAt),
        now: () => now().getTime(),
        onArrived: () => void this.#arrived(id, tenantId),
      });
    this.#streams.set(id, stream);
    return stream;
  }

  /** Another process has, or may have, the stream: its viewers follow that one. */
  #forget(broadcastId: string): void {
    this.#options.live.leave(broadcastId);
    this.#streams.delete(broadcastId);
  }

  /** Stored at once, so that it goes on air with its first part. */
  async #arrived(broadcastId: string, tenantId: string): Promise<void> {
    const { db, log, push, now } = this.#options;
    try {
      await this.#store(broadcastId);
      const isOnAir = await db.tenant(tenantId, (tx) => streamArrived(tx, broadcastId, now()));
      if (isOnAir) await db.tenant(tenantId, (tx) => announceMeeting(push, tx, broadcastId));
    } catch (error) {
      log.warn({ error, broadcastId }, 'It could not be stored that a stream arrives');
    }
  }

  /** Renews the lease of a connection, and ends it if the stream may not come any more. */
  async #store(broadcastId: string): Promise<void> {
    const connection = this.#connections.get(broadcastId);
    if (!connection) return;
    const { db, now } = this.#options;
    const { row, holder, stream, close } = connection;
    const pull = this.#pulls.get(broadcastId);
    const arrival = { ...stream.arrival, ...pull?.trouble };
    const after = await db.tenant(row.tenantId, (tx) => renew(tx, broadcastId, holder, arrival, now()));
    const isSame = after?.keyHash === row.keyHash && after.playSealed === row.playSealed;
    if (isSame) return;
    close();
    await this.#closed(broadcastId, holder);
    if (!after) this.#forget(broadcastId);
  }

  async #closed(broadcastId: string, holder?: string): Promise<void> {
    const connection = this.#connections.get(broadcastId);
    if (!connection || (holder !== undefined && connection.holder !== holder)) return;
    const { db, log } = this.#options;
    this.#connections.delete(broadcastId);
    this.#pulls.get(broadcastId)?.close();
    this.#pulls.delete(broadcastId);
    const { row, stream } = connection;
    stream.end();
    log.info({ broadcastId }, 'A stream has ended');
    const { arrival } = stream;
    await db
      .tenant(row.tenantId, (tx) => release(tx, broadcastId, connection.holder, arrival))
      .catch((error: unknown) => log.warn({ error, broadcastId }, 'The end of a stream could not be stored'));
  }

  async #round(): Promise<void> {
    const { log } = this.#options;
    this.#current = this.#work();
    try {
      await this.#current;
      this.#isFailing = false;
    } catch (error) {
      // Streams go on meanwhile.
      if (!this.#isFailing) log.warn({ error }, 'The streams of broadcasts could not be followed; it is retried');
      this.#isFailing = true;
    }
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#round(), ROUND_EVERY);
  }

  async #work(): Promise<void> {
    for (const { stream } of this.#connections.values()) stream.tick();
    await this.#listen();
    await Promise.all([...this.#connections.keys()].map((id) => this.#store(id)));
    const { db, now, live } = this.#options;
    const at = now();
    const { needed, played, ended, taken } = await db.platform(async (tx) => {
      const seen = { origin: live.url ?? '', rtmpPort: this.#rtmpPort, seenAt: at };
      await tx.insert(
        ingestHost,
        { id: this.#id, tenantId: PLATFORM_TENANT_ID, ...seen },
        { target: [ingestHost.id], set: seen },
      );
      await tx.delete(ingestHost, lt(ingestHost.seenAt, new Date(at.getTime() - FORGOTTEN_AFTER)));
      return {
        needed: await isIngestNeeded(tx, at),
        played: await findPlayed(tx, at),
        ended: await endedOf(tx, [...this.#streams.keys()]),
        taken: await takenByOthers(tx, [...this.#streams.keys()], live.url ?? '', at),
      };
    });
    this.#isNeeded = needed;
    for (const id of taken) if (!this.#connections.has(id)) this.#forget(id);
    for (const id of ended) {
      live.end(id);
      this.#streams.delete(id);
    }
    for (const row of played) await this.#pull(row);
  }

  /** Takes a stream from its address, if it is time. */
  async #pull(found: BroadcastIngestRow): Promise<void> {
    const { secrets, hosts } = this.#options;
    const { broadcastId } = found;
    if (this.#pulls.has(broadcastId) || this.#isStopped) return;
    const sink = await this.#take(found, 'play', () => this.#pulls.get(broadcastId)?.close());
    if (!sink) return;
    const connection = this.#connections.get(broadcastId);
    if (connection) this.#pulls.set(broadcastId, new Pull(connection, { secrets, hosts }));
  }
}
