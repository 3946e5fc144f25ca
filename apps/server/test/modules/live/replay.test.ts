import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLive, createPushHosts, type Live } from '../../../src/modules/live/index.ts';
import { broadcast, broadcastSpan } from '../../../src/modules/live/tables.ts';
import { createIndexFiles } from '../../../src/modules/recordings/library/index-file.ts';
import { createProgramme } from '../../../src/modules/recordings/library/programme.ts';
import { showOnly } from '../../../src/modules/recordings/index.ts';
import { recording } from '../../../src/modules/recordings/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import type { Jobs } from '../../../src/platform/jobs/types.ts';
import { openSecretBox } from '../../../src/platform/secrets/index.ts';
import { storeRecording, type StoredRecording } from '../../../../../packages/recorder/test/stored-recording.ts';
import { clientOf, signIn, type Person } from '../support/client.ts';
import { bookLive, openLive } from '../support/live.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
/** As another server process with the same database has it. */
let live: Live;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
  live = createLive({
    db: server.db,
    secrets: openSecretBox(server.folder),
    jobs: { define: () => undefined, every: () => undefined } as unknown as Jobs,
    log: server.app.log,
    now: server.clock.now,
    stage: {} as Parameters<typeof createLive>[0]['stage'],
    programme: createProgramme({ storage: server.storage, indexes: createIndexFiles(server.storage) }),
    ...ALONE,
  });
});
afterAll(() => server.close());

/** Nothing is pushed or booked, and there are no recorders. */
const ALONE = {
  hosts: createPushHosts([]),
  cdnUrl: null,
  viewerDays: 180,
  ingestUrl: undefined,
  ingestPort: 0,
  clients: { of: () => '127.0.0.1', isProxy: () => false },
  needRecorder: () => undefined,
  recorderSecret: 'secret',
  push: {} as Parameters<typeof createLive>[0]['push'],
  meetings: {} as Parameters<typeof createLive>[0]['meetings'],
};

const open = (id: string) => clientOf(server).watch.open({ params: { id }, body: {} });
const state = (view: string) => clientOf(server).watch.state({ body: { view } });
const later = (seconds = 3): void => server.clock.advance({ seconds });

describe('a signed address', () => {
  test('admits its viewer to what is on air, for a minute', async () => {
    const { id, act } = await openLive(server, alice, { access: 'public' });
    const { view } = await open(id);
    const begun = server.clock.now();
    await act('START');
    const { sign } = await state(view);
    const { recordingId } = await alice.broadcasts.detail({ params: { id } });
    expect(await live.admit(id, sign)).toEqual({
      recordingId,
      spans: [{ from: begun.getTime(), until: null }],
      isOver: false,
    });
    const other = (await bookLive(server, alice, { access: 'public' })).meetId;
    const letter = sign.endsWith('A') ? 'B' : 'A';
    for (const [of, forged] of [
      [other, sign],
      [id, `${sign.slice(0, -1)}${letter}`],
      [id, ''],
    ] as const)
      expect(await live.admit(of, forged)).toBe(undefined);
    later(59);
    expect(await live.admit(id, sign)).toBeDefined();
    later(22);
    expect(await live.admit(id, sign)).toBe(undefined);
  });

  test('ends within two seconds for a viewer who may not watch any more', async () => {
    const { id, act } = await openLive(server, alice, { access: 'public' });
    await act('START');
    const signs = [(await open(id)).sign, (await bob.watch.openSignedIn({ params: { id }, body: {} })).sign];
    const admitted = async () => Promise.all(signs.map(async (sign) => (await live.admit(id, sign)) !== undefined));
    expect(await admitted()).toEqual([true, true]);
    await alice.broadcasts.change({ params: { id }, body: { access: 'organisation' } });
    later(2);
    expect(await admitted()).toEqual([false, true]);
    await act('END');
    later(2);
    expect(await admitted()).toEqual([false, false]);
  });

  test('is checked without a question to the database for each request', async () => {
    const { id, act } = await openLive(server, alice, { access: 'public' });
    await act('START');
    const { sign } = await open(id);
    let count = 0;
    const counted = createLive({
      secrets: openSecretBox(server.folder),
      log: server.app.log,
      now: server.clock.now,
      db: {
        ...server.db,
        tenant: (tenantId, work) => {
          count += 1;
          return server.db.tenant(tenantId, work);
        },
        platform: (work) => server.db.platform(work),
      },
      jobs: { define: () => undefined, every: () => undefined } as unknown as Jobs,
      stage: {} as Parameters<typeof createLive>[0]['stage'],
      programme: createProgramme({ storage: server.storage, indexes: createIndexFiles(server.storage) }),
      ...ALONE,
    });
    await Promise.all(Array.from({ length: 1_000 }, () => counted.admit(id, sign)));
    expect(count).toBe(1);
  });
});

describe('a replay', () => {
  /** A broadcast of a stored recording, on air from second 4 to 8 of 12. */
  async function ended(): Promise<{ stored: StoredRecording; id: string }> {
    const startedAt = server.clock.now();
    const stored = await storeRecording(server, { startedAt });
    later(60);
    const id = stored.meetId;
    const [from, until] = [4, 8].map((second) => new Date(startedAt.getTime() + second * 1_000)) as [Date, Date];
    await server.db.tenant(stored.tenantId, async (tx) => {
      await tx.insert(broadcast, {
        id,
        state: 'ended',
        access: 'public',
        chat: 'open',
        slowSeconds: 0,
        questions: true,
        allowsLikes: true,
        watermark: false,
        announcement: '',
        replay: true,
        startedAt: from,
        endedAt: until,
        recordingId: stored.id,
        createdAt: startedAt,
      });
      await tx.insert(broadcastSpan, { id: newId(), broadcastId: id, recordingId: stored.id, from, until });
      await showOnly(tx, stored.id, [{ from, until }]);
    });
    return { stored, id };
  }
  const set = ({ id }: StoredRecording, values: Partial<typeof recording.$inferInsert>) =>
    server.db.platform((tx) => tx.update(recording, values, eq(recording.id, id)));

  test('plays what was on air, and nothing else of the recording', async () => {
    const { id, stored } = await ended();
    const { sign, hasReplay } = await open(id);
    expect(hasReplay).toBe(true);
    expect(await live.admit(id, sign)).toMatchObject({ recordingId: stored.id, isOver: true });
    const playlist = await (await live.replay.playlist(id, sign))!.part(undefined);
    const lines = (playlist.body as Buffer).toString().split('\n');
    const files = lines.flatMap((line) => /^(segment[^?]+)\?sign=l/.exec(line)?.[1] ?? []);
    const all = stored.index.tracks.find((track) => track.id === 'programme')?.segments ?? [];
    expect(files).toEqual(
      all
        .filter(({ at, duration }) => at + duration > 4_000 && at < 8_000)
        .map((one) => `segment-${one.init}-${one.number}.m4s`),
    );
    expect(files.length).toBeLessThan(all.length);
    expect(await live.replay.media(id, files[0] ?? '', sign)).toBeDefined();
    const [first] = all;
    const before = `segment-${first?.init}-${first?.number}.m4s`;
    await expect(live.replay.media(id, before, sign)).rejects.toThrow('NOT_FOUND');
    expect(await live.replay.playlist(id, '')).toBe(undefined);
  });

  test('is there while its recording is, and as long as the setting permits it', async () => {
    const { id, stored } = await ended();
    const { view, sign } = await open(id);
    const has = async () => {
      later();
      const seen = await state(view);
      return [seen.hasReplay, seen.sign !== '', (await live.replay.playlist(id, sign)) !== undefined];
    };
    await set(stored, { deletedAt: server.clock.now() });
    expect(await has()).toEqual([false, false, false]);
    await set(stored, { deletedAt: null });
    expect(await has()).toEqual([true, true, true]);
    await alice.broadcasts.change({ params: { id }, body: { replay: false } });
    expect(await has()).toEqual([false, false, false]);
  });
});

describe('a round', () => {
  test('ends broadcasts whose meeting was not held', async () => {
    const { meetId: id } = await bookLive(server, alice, { access: 'public' }, { startTime: server.clock.in(10) });
    expect(await server.rounds.endBroadcasts()).toBe(0);
    server.clock.advance({ hours: 48 });
    await server.rounds.lapseMeetings();
    await server.rounds.endBroadcasts();
    const row = await server.db.platform((tx) => tx.findOne(broadcast, eq(broadcast.id, id)));
    expect(row).toMatchObject({ state: 'ended', recordingId: null, endedAt: server.clock.now() });
  });
});
