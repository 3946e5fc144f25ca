import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { recordStatusOf } from '@rmeet/conference';
import { recordingKeys, type RecordingIndex } from '@rmeet/contract';
import { LiveRelay, signAccess } from '@rmeet/live';
import { sizeOf, type GapReason, type RecordingSize, type SpooledFile } from '@rmeet/recorder';
import { createRecordReports } from '../../../src/modules/conferences/index.ts';
import { tenant } from '../../../src/modules/accounts/tenants/tables.ts';
import {
  claimNext,
  holderOf,
  identityOf,
  LEASE,
  newCredential,
  renew,
} from '../../../src/modules/recordings/control/leases.ts';
import {
  freeFromDead,
  Recorders,
  startLive,
  type StartWriter,
} from '../../../src/modules/recordings/recorder/index.ts';
import { recording, type RecordingRow } from '../../../src/modules/recordings/tables.ts';
import { createDelivery } from '../../../src/modules/live/delivery/index.ts';
import type { Context } from '../../../src/platform/http/index.ts';
import { createLog } from '../../../src/platform/log/log.ts';
import { createPublisher } from '../../../src/platform/push/index.ts';
import type { Storage } from '../../../src/platform/storage/index.ts';
import { clientOf, codeOf, signIn, type Person } from '../support/client.ts';
import { openConference, type Inside, type TestConference } from '../support/conference.ts';
import { connect } from '../support/push.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const WITHIN = { timeout: 8_000, interval: 20 };
/** A process that cannot run, and a lease that has the form of a UUID without being one, as most have. */
const DEAD = { pid: 2 ** 31 - 1, holder: '12345678-9abc-def0-1234-56789abcdef0' };
const log = createLog('test', process.env['TEST_LOG'] ?? 'silent');

let server: TestServer;
let alice: Person;
let room: TestConference;
let host: Inside;
/** What is written, in place of media: each segment has 100 bytes and a second. */
class Paper {
  readonly index: RecordingIndex;
  readonly token: string;
  pausedFor: GapReason | undefined;
  isStopped = false;
  readonly #options: Parameters<StartWriter>[2];

  constructor(row: RecordingRow, token: string, options: Parameters<StartWriter>[2]) {
    this.#options = options;
    this.token = token;
    this.pausedFor = options.paused;
    this.index = structuredClone(options.index) ?? {
      version: 1,
      startsAt: row.startedAt.getTime(),
      isComplete: false,
      tracks: [{ id: 'programme', kind: 'programme', termId: null, name: 'Ward round', segments: [] }],
      onAir: [],
      speaking: [],
      gaps: [],
    };
  }

  get size(): RecordingSize {
    return sizeOf(this.index);
  }

  /** Takes what is live. */
  get live() {
    return this.#options.live;
  }

  pause = async (reason: GapReason): Promise<void> => void (this.pausedFor = reason);
  resume = async (): Promise<void> => void (this.pausedFor = undefined);
  stop = async (): Promise<void> => void (this.isStopped = true);

  /** A complete segment. */
  async write(): Promise<void> {
    const segments = this.index.tracks[0]!.segments;
    const number = segments.length;
    const path = join(this.#options.folder, 'programme', `segment-0-${number}.m4s`);
    await mkdir(join(this.#options.folder, 'programme'), { recursive: true });
    await writeFile(path, Buffer.alloc(100));
    const segment = { number, init: 0, at: number * 1_000, duration: 1_000, bytes: 100 };
    segments.push(segment);
    const file: SpooledFile = { track: 'programme', name: `segment-0-${number}.m4s`, path, segment };
    this.#options.onFile(file);
    this.#options.onFirstPart?.();
  }
}

/** A recorder process of a test. */
interface Process {
  recorders: Recorders;
  papers: Paper[];
  hasRoom: boolean;
  idle: boolean;
}
const processes: Process[] = [];
function startProcess(storage: Storage = server.storage, live?: Awaited<ReturnType<typeof startLive>>): Process {
  const made: Process = { papers: [], hasRoom: true, idle: false, recorders: undefined as never };
  made.recorders = new Recorders({
    db: server.db,
    storage,
    log,
    now: server.clock.now,
    report: createRecordReports({ push: createPublisher(server.db, log), now: server.clock.now }),
    startWriter: async (row, { token }, options) => {
      const paper = new Paper(row, token, options);
      made.papers.push(paper);
      return paper;
    },
    hasRoom: async () => made.hasRoom,
    folderOf: (id) => join(server.folder, 'recording-spool', id),
    idleMs: 200,
    ...(live ? { live } : {}),
    onIdle: () => {
      made.idle = true;
    },
  });
  processes.push(made);
  return made;
}

beforeAll(async () => {
  server = await startTestServer();
  alice = await signIn(server, 'alice');
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, alice);
  host = await room.join(alice);
});
afterEach(async () => {
  await room.close();
  await host.calls.end(room).catch(() => undefined);
  for (const { recorders } of processes.splice(0)) await recorders.stop();
  await server.db.platform((tx) => tx.delete(recording, eq(recording.tenantId, north())));
  await server.db.platform((tx) => tx.update(tenant, { maxRecordingBytes: null }, eq(tenant.tenantId, north())));
});

const north = (): string => server.people.get('alice')?.tenantId ?? '';
const ask = (action: 'START' | 'PAUSE' | 'RESUME' | 'STOP') =>
  host.calls.setConfRecord({ query: { meetId: room.meetId, action } });
const row = async (): Promise<RecordingRow> => {
  const found = await server.db.platform((tx) => tx.findOne(recording, eq(recording.meetingId, room.meetId)));
  if (!found) throw new Error('There is no recording.');
  return found;
};
const status = async () => recordStatusOf(await room.control());
const trouble = async () => (await room.control()).recording?.trouble;
/** The only writer of a process, once it has begun. */
async function paperOf(process: Process): Promise<Paper> {
  await expect.poll(() => process.papers.length, WITHIN).toBe(1);
  return process.papers[0]!;
}
const storedIndex = async (id: string): Promise<RecordingIndex> =>
  JSON.parse(await text(await server.storage.get(recordingKeys.index(id)))) as RecordingIndex;

describe('a recorder', () => {
  test('takes a recording, reports its first part, stores its segments, and completes it', async () => {
    const process = startProcess();
    await ask('START');
    process.recorders.start();
    const paper = await paperOf(process);
    expect(await status()).toBe('STARTING');
    await paper.write();
    await expect.poll(status, WITHIN).toBe('RECORDING');
    await paper.write();
    const { id } = await row();
    await expect.poll(async () => (await row()).bytes, WITHIN).toBe(200);
    expect((await row()).duration).toBe(2_000);
    await ask('STOP');
    await expect.poll(async () => (await row()).state, WITHIN).toBe('ready');
    expect(paper.isStopped).toBe(true);
    expect(await row()).toMatchObject({ leaseHolder: null, leaseUntil: null, duration: 2_000, bytes: 200 });
    const index = await storedIndex(id);
    expect([index.isComplete, index.tracks[0]?.segments.length]).toEqual([true, 2]);
    expect((await server.storage.stat(recordingKeys.segment(id, 'programme', { init: 0, number: 1 })))?.size).toBe(100);
    await expect.poll(() => existsSync(join(server.folder, 'recording-spool', id)), WITHIN).toBe(false);
    await expect.poll(() => process.idle, WITHIN).toBe(true);
  });

  test('gives what it makes to servers, says where, and ends that with the recording', async () => {
    const live = await startLive({ secret: 'key', url: undefined, isLocal: true, now: () => new Date(), log });
    const process = startProcess(server.storage, live);
    await ask('START');
    process.recorders.start();
    const paper = await paperOf(process);
    const { id, liveOrigin } = await row();
    expect(liveOrigin).toBe(live.url);
    const relay = new LiveRelay({
      recordingId: id,
      find: async () => ({ url: liveOrigin ?? '', token: signAccess('key', id, new Date()) }),
    });
    paper.live?.takeInit(1, Buffer.from('init'));
    paper.live?.takePart({ segment: 1, init: 1, startsSegment: true, at: 0, duration: 333, data: Buffer.from('part') });
    await expect.poll(() => relay.window.segments.length, WITHIN).toBe(1);
    const delivery = createDelivery({
      db: server.db,
      secret: 'key',
      now: () => new Date(),
      log,
      admit: async () => ({ recordingId: id, spans: [{ from: 0, until: null }], isOver: false }),
    });
    const context = { signal: AbortSignal.timeout(8_000) } as Context;
    const answer = await delivery.playlist(context, {
      params: { id },
      query: { quality: 'high', sign: 's', plain: false },
    });
    expect((await answer.part(undefined)).body).toEqual(expect.any(Buffer));
    delivery.close();
    await paper.write();
    await ask('STOP');
    await expect.poll(() => relay.window.isOver, WITHIN).toBe(true);
    await expect.poll(async () => (await row()).liveOrigin, WITHIN).toBeNull();
    relay.close();
    await live.close();
  });

  test('pauses and resumes as people ask, and ends a recording without content as failed', async () => {
    const process = startProcess();
    await ask('START');
    await ask('PAUSE');
    process.recorders.start();
    const paper = await paperOf(process);
    expect(paper.pausedFor).toBe('paused');
    expect(await status()).toBe('PAUSED');
    await ask('RESUME');
    await expect.poll(() => paper.pausedFor, WITHIN).toBeUndefined();
    await host.calls.end(room);
    await expect.poll(async () => (await row()).state, WITHIN).toBe('failed');
  });

  test('pauses while disk or quota are full, warns before, and resumes by itself', async () => {
    const process = startProcess();
    await server.db.platform((tx) => tx.update(tenant, { maxRecordingBytes: 1_000 }, eq(tenant.tenantId, north())));
    await ask('START');
    process.recorders.start();
    const paper = await paperOf(process);
    for (let count = 0; count < 9; count += 1) await paper.write();
    await expect.poll(async () => (await room.control()).recording?.isSpaceLow, WITHIN).toBe(true);
    expect(await status()).toBe('RECORDING');
    await paper.write();
    await expect.poll(trouble, WITHIN).toBe('quotaFull');
    expect([await status(), paper.pausedFor]).toEqual(['PAUSED', 'quotaFull']);
    await server.db.platform((tx) => tx.update(tenant, { maxRecordingBytes: 9_000 }, eq(tenant.tenantId, north())));
    await expect.poll(status, WITHIN).toBe('RECORDING');
    expect(paper.pausedFor).toBeUndefined();
    process.hasRoom = false;
    await expect.poll(trouble, WITHIN).toBe('diskFull');
    process.hasRoom = true;
    await expect.poll(status, WITHIN).toBe('RECORDING');
    expect((await room.control()).recording).toMatchObject({ trouble: null, isSpaceLow: false });
  });

  test('obeys, renews its lease and leaves while the storage does not answer', async () => {
    const { storage } = server;
    const stuck = new Promise<never>(() => undefined);
    const process = startProcess({
      ...storage,
      put: () => stuck,
      moveIn: () => stuck,
      get: (key) => storage.get(key),
      list: (folder) => storage.list(folder),
    });
    await ask('START');
    process.recorders.start();
    const paper = await paperOf(process);
    await paper.write();
    await expect.poll(status, WITHIN).toBe('RECORDING');
    await ask('PAUSE');
    await expect.poll(() => paper.pausedFor, WITHIN).toBe('paused');
    const { leaseUntil } = await row();
    server.clock.advance({ seconds: 1 });
    await expect.poll(async () => (await row()).leaseUntil, WITHIN).not.toEqual(leaseUntil);
    await process.recorders.stop();
    expect(await row()).toMatchObject({ state: 'recording', leaseHolder: null });
  });

  test('continues a recording whose process died on this machine while the storage does not answer', async () => {
    await ask('START');
    const { id } = await row();
    const leaseUntil = new Date(server.clock.now().getTime() + LEASE);
    await server.db.platform((tx) =>
      tx.update(recording, { leaseHolder: DEAD.holder, leaseUntil, bytes: 200 }, eq(recording.id, id)),
    );
    const spool = join(server.folder, 'recording-spool', id);
    const track = { id: 'programme', kind: 'programme', termId: null, name: 'Ward round' } as const;
    const segment = (number: number) => ({ number, init: 1, at: number * 1_000, duration: 1_000, bytes: 100 });
    const index: RecordingIndex = {
      version: 1,
      startsAt: 0,
      isComplete: false,
      tracks: [{ ...track, segments: [segment(0)] }],
      onAir: [],
      speaking: [],
      gaps: [],
    };
    await mkdir(join(spool, 'programme'), { recursive: true });
    await writeFile(join(spool, 'index.json'), JSON.stringify(index));
    await writeFile(join(spool, 'holder.json'), JSON.stringify(DEAD));
    // Complete after the index was written, and stored.
    await writeFile(join(spool, 'programme', 'segments.jsonl'), `${JSON.stringify(segment(1))}\n{"num`);
    await freeFromDead(server.db, join(server.folder, 'recording-spool'), server.clock.now);
    const stuck = new Promise<never>(() => undefined);
    const process = startProcess({ ...server.storage, put: () => stuck, get: () => stuck });
    process.recorders.start();
    const paper = await paperOf(process);
    expect(paper.index.tracks).toEqual([{ ...track, segments: [segment(0), segment(1)] }]);
  });

  test('leaves a recording to the next one when its process ends', async () => {
    const first = startProcess();
    await ask('START');
    first.recorders.start();
    const paper = await paperOf(first);
    await paper.write();
    await first.recorders.stop();
    expect(paper.isStopped).toBe(true);
    expect(await row()).toMatchObject({ state: 'recording', leaseHolder: null, bytes: 100 });
    const second = startProcess();
    await second.recorders.claim();
    const next = await paperOf(second);
    expect(next.index.tracks[0]?.segments).toHaveLength(1);
  });
});

describe('a lease', () => {
  const claimAs = (holder: string) => server.db.platform((tx) => claimNext(tx, holder, [], server.clock.now()));

  test('keeps other recorders away, and ends 3 s after its last renewal', async () => {
    await ask('START');
    const dead = newCredential().holder;
    expect((await claimAs(dead))?.row.leaseHolder).toBe(dead);
    server.clock.advance({ seconds: 2 });
    const early = startProcess();
    await early.recorders.claim();
    expect(early.recorders.count).toBe(0);
    server.clock.advance({ seconds: 1 });
    const next = startProcess();
    await next.recorders.claim();
    expect(next.recorders.count).toBe(1);
    const { id } = await row();
    const late = server.db.tenant(north(), (tx) => renew(tx, { id, holder: dead }, {}, server.clock.now()));
    expect(await late).toBeUndefined();
  });

  test('that another recorder took ends the writing at once, and what was written is not stored twice', async () => {
    const first = startProcess();
    await ask('START');
    await first.recorders.claim();
    const paper = await paperOf(first);
    await server.db.platform((tx) =>
      tx.update(recording, { leaseHolder: newCredential().holder }, eq(recording.meetingId, room.meetId)),
    );
    await expect.poll(() => [paper.isStopped, first.recorders.count], WITHIN).toEqual([true, 0]);
    expect((await row()).state).toBe('recording');
  });

  test('opens the push topic of its meeting and its media room, and nothing else, until it is gone', async () => {
    const other = await openConference(server, alice);
    const process = startProcess();
    await ask('START');
    await process.recorders.claim();
    const { token } = await paperOf(process);
    const socket = await connect(server, { deskToken: token }, `meeting:${room.meetId}`);
    expect(await socket.message((message) => 'snapshot' in message)).toMatchObject({
      snapshot: { control: { recording: { status: 'STARTING' } } },
    });
    socket.send({ subscribe: [`meeting:${other.meetId}`] });
    expect(await socket.message((message) => 'error' in message)).toMatchObject({ error: 'FORBIDDEN' });
    await socket.close();
    const call = clientOf(server, token).conferences.watch({ params: room.params });
    expect(await codeOf(call)).toBe('UNAUTHORIZED');
    const { id, generation } = await room.row();
    const identity = identityOf(holderOf(token));
    const mayEnter = () => server.mayBeInRoom(`${id}.${generation}`, identity);
    expect(await mayEnter()).toBe(true);
    await ask('STOP');
    await expect.poll(async () => (await row()).state, WITHIN).toBe('failed');
    expect(await mayEnter()).toBe(false);
    await expect(connect(server, { deskToken: token })).rejects.toThrow('UNAUTHORIZED');
  });

  test('keeps its recorder on the media engine, where no one else may hide', async () => {
    const process = startProcess();
    await ask('START');
    await process.recorders.claim();
    const { token } = await paperOf(process);
    const engine = server.media.theRoom();
    const [own, foreign] = [identityOf(holderOf(token)), identityOf(newCredential().holder)];
    for (const identity of [own, foreign]) engine.set(identity, server.media.connect(identity));
    await server.tick();
    expect([engine.has(own), engine.has(foreign)]).toEqual([true, false]);
  });
});
