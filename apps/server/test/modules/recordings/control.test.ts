import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { recordStatusOf, type RecordAction } from '@rmeet/conference';
import type { MeetingBody } from '@rmeet/contract';
import { auditLog } from '../../../src/modules/audit/tables.ts';
import { tenant } from '../../../src/modules/accounts/tenants/tables.ts';
import { recording, type RecordingRow } from '../../../src/modules/recordings/tables.ts';
import { clientOf, codeOf, signIn, type Person } from '../support/client.ts';
import { openConference, rz, stepOf, type Inside, type TestConference } from '../support/conference.ts';
import { invite } from '../support/meetings.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let room: TestConference;
let host: Inside;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());

async function open(body: Partial<MeetingBody> = {}): Promise<void> {
  room = await openConference(server, alice, { participants: invite(server, 'bob'), ...body });
  host = await room.join(alice);
}
beforeEach(() => open());
afterEach(async () => {
  await room.close();
  await host.calls.end(room).catch(() => undefined);
  await settings({ recordings: true, recordingStartedBy: 'chairs', maxRecordingBytes: null, recordingTracks: true });
  await server.db.platform((tx) => tx.delete(recording, eq(recording.tenantId, north())));
});

const north = (): string => server.people.get('alice')?.tenantId ?? '';
const settings = (set: Partial<typeof tenant.$inferInsert>) =>
  server.db.platform((tx) => tx.update(tenant, set, eq(tenant.tenantId, north())));
const rows = (): Promise<RecordingRow[]> =>
  server.db.platform((tx) =>
    tx.find(recording, eq(recording.meetingId, room.meetId), { orderBy: recording.startedAt }),
  );
const ask = (action: RecordAction, calls = host.calls) =>
  calls.setConfRecord({ query: { meetId: room.meetId, action } });
const status = async () => recordStatusOf(await room.control());
const stored = (bytes: number) =>
  server.db.platform((tx) => tx.update(recording, { bytes }, eq(recording.tenantId, north())));

describe('a person in the chair', () => {
  test('starts, pauses, resumes and stops a recording, and each terminal gets each status', async () => {
    const member = await room.join(bob);
    const { socket } = await room.watch(member);
    await ask('START');
    expect((await stepOf(socket, 'record')).changes).toMatchObject([
      { field: 'recording', after: { status: 'STARTING', trouble: null } },
    ]);
    const { recordingId, startedAt } = await host.calls.getRecordStatus({ query: { meetId: room.meetId } });
    expect(await rows()).toMatchObject([
      {
        id: recordingId,
        startedAt: new Date(startedAt ?? ''),
        subject: 'Ward round',
        hostId: server.people.get('alice')?.id,
        state: 'recording',
        wish: 'record',
        withTracks: true,
        leaseHolder: null,
      },
    ]);
    await host.calls.meetingRecord({ params: rz, body: { meetId: room.meetId, action: 'PAUSE' } });
    expect([await status(), (await rows())[0]?.wish]).toEqual(['PAUSED', 'pause']);
    await host.calls.command({ params: room.params, body: { verb: 'record', action: 'RESUME' } });
    expect([await status(), (await rows())[0]?.wish]).toEqual(['STARTING', 'record']);
    await ask('STOP');
    expect(await status()).toBe('STOPPED');
    expect(await rows()).toMatchObject([{ state: 'processing', wish: 'stop', endedAt: server.clock.now() }]);
    // The next one is a recording of its own.
    server.clock.advance({ seconds: 1 });
    await ask('START');
    expect((await rows()).map(({ state }) => state)).toEqual(['processing', 'recording']);
  });

  test('is refused what the status does not allow', async () => {
    for (const action of ['PAUSE', 'RESUME', 'STOP'] as const)
      expect(await codeOf(ask(action))).toBe('RECORD_NOT_POSSIBLE');
    await ask('START');
    for (const action of ['START', 'RESUME'] as const) expect(await codeOf(ask(action))).toBe('RECORD_NOT_POSSIBLE');
    expect(await rows()).toHaveLength(1);
  });

  test('leaves an audit row for each action', async () => {
    await ask('START');
    await ask('STOP');
    const { id } = await room.row();
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id)));
    expect(audited.filter(({ action }) => action === 'conferences.setConfRecord').map(({ after }) => after)).toEqual([
      expect.objectContaining({ verb: 'record', action: 'START' }),
      expect.objectContaining({ verb: 'record', action: 'STOP' }),
    ]);
  });

  test('keeps the settings of the organisation with the recording', async () => {
    await settings({ recordingTracks: false });
    await ask('START');
    await settings({ recordingTracks: true });
    expect(await rows()).toMatchObject([{ withTracks: false, download: true, watermark: false }]);
  });
});

describe('a recording is refused', () => {
  test('to members and guests, to the chair where only hosts may, and to other tenants', async () => {
    const member = await room.join(bob);
    const guest = await room.guest('Dora');
    for (const { calls } of [member, guest]) expect(await codeOf(ask('START', calls))).toBe('FORBIDDEN');
    await host.calls.coChairs({ params: room.params, body: { termIds: [member.termId], appoint: true } });
    await settings({ recordingStartedBy: 'hosts' });
    expect(await codeOf(ask('START', member.calls))).toBe('FORBIDDEN');
    expect(await codeOf(ask('START', (await room.desk('chair', alice)).conferences))).toBe('FORBIDDEN');
    await ask('START');
    expect(await codeOf(ask('STOP', member.calls))).toBe('FORBIDDEN');
    await ask('STOP', (await signIn(server, 'admin')).conferences);
    await settings({ recordingStartedBy: 'chairs' });
    await ask('START', member.calls);
    const dave = await signIn(server, 'dave');
    expect(await codeOf(ask('STOP', dave.conferences))).toBe('NOT_FOUND');
    expect(await codeOf(dave.conferences.getRecordStatus({ query: { meetId: room.meetId } }))).toBe('NOT_FOUND');
  });

  test('where the organisation has none, but one that runs can be ended', async () => {
    await ask('START');
    await settings({ recordings: false });
    await ask('PAUSE');
    expect(await codeOf(ask('RESUME'))).toBe('RECORDING_OFF');
    await ask('STOP');
    expect(await codeOf(ask('START'))).toBe('RECORDING_OFF');
  });

  test('in an encrypted meeting', async () => {
    await host.calls.end(room);
    room = await openConference(server, alice, { e2ee: true });
    const { numericId } = room.meeting;
    const { sessionToken } = await alice.conferences.join({ body: { numericId, e2ee: true } });
    const { conferences } = clientOf(server, sessionToken);
    expect(await codeOf(ask('START', conferences))).toBe('E2EE_UNSUPPORTED');
    await conferences.end(room);
  });

  test('when the space of the organisation is used up, recordings in the bin included', async () => {
    await settings({ maxRecordingBytes: 1_000 });
    await ask('START');
    await stored(999);
    await ask('PAUSE');
    await ask('RESUME');
    await stored(1_000);
    await ask('STOP');
    await server.db.platform((tx) =>
      tx.update(recording, { deletedAt: server.clock.now() }, eq(recording.tenantId, north())),
    );
    expect(await codeOf(ask('START'))).toBe('RECORDINGS_FULL');
  });
});

describe('a booked recording', () => {
  beforeEach(async () => {
    await host.calls.end(room);
    await open({ autoRecord: true });
  });

  test('starts with the first person inside, once, and not again after its end', async () => {
    expect([await status(), (await rows()).length]).toEqual(['STARTING', 1]);
    const { id } = await room.row();
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, id)));
    expect(audited).toContainEqual(
      expect.objectContaining({ action: 'conferences.setConfRecord', actorKind: 'system' }),
    );
    const member = await room.join(bob);
    await ask('STOP');
    await member.calls.leave(room);
    await room.join(bob);
    expect([await status(), (await rows()).length]).toEqual(['STOPPED', 1]);
  });

  test('does not start with people who wait, or where the organisation has none', async () => {
    await host.calls.end(room);
    await settings({ recordings: false });
    await open({ autoRecord: true });
    expect([await status(), (await rows()).length]).toEqual(['NONE', 0]);
    await settings({ recordings: true });
    await host.calls.end(room);
    room = await openConference(server, alice, { autoRecord: true, waitingRoom: true });
    const guest = await room.guest('Dora');
    expect([guest.state, (await rows()).length]).toEqual(['waiting', 0]);
    host = await room.join(alice);
    expect(await status()).toBe('STARTING');
  });
});

describe('the end of the conference', () => {
  test('ends its recording, whose status can still be asked', async () => {
    await ask('START');
    await host.calls.end(room);
    expect(await rows()).toMatchObject([{ state: 'processing', wish: 'stop', endedAt: server.clock.now() }]);
    const last = await alice.conferences.getRecordStatus({ query: { meetId: room.meetId } });
    expect(last).toMatchObject({ status: 'STOPPED', recordingId: (await rows())[0]?.id });
    expect((await bob.conferences.getRecordStatus({ query: { meetId: room.meetId } })).status).toBe('STOPPED');
    const carol = await signIn(server, 'carol');
    expect(await codeOf(carol.conferences.getRecordStatus({ query: { meetId: room.meetId } }))).toBe('NOT_FOUND');
  });

  test('is noticed later if it was missed', async () => {
    await ask('START');
    await host.calls.end(room);
    await server.db.platform((tx) =>
      tx.update(recording, { state: 'recording', wish: 'record', endedAt: null }, eq(recording.tenantId, north())),
    );
    await server.rounds.watchRecordings();
    expect(await rows()).toMatchObject([{ state: 'processing', wish: 'stop' }]);
  });
});

describe('without a recorder', () => {
  test('the conference learns it after 15 s, and a new recording can be started', async () => {
    await ask('START');
    server.clock.advance({ seconds: 14 });
    await server.rounds.watchRecordings();
    expect(await status()).toBe('STARTING');
    server.clock.advance({ seconds: 1 });
    await server.rounds.watchRecordings();
    expect((await room.control()).recording).toMatchObject({ status: 'FAILED', trouble: 'noRecorder' });
    await ask('START');
    expect((await rows()).map(({ state }) => state)).toEqual(['processing', 'recording']);
  });

  test('the conference is not told of a recorder that gave its recording back until none came for 15 s', async () => {
    await ask('START');
    await server.db.platform((tx) => tx.update(recording, { bytes: 100 }, eq(recording.tenantId, north())));
    server.clock.advance({ minutes: 5 });
    await server.rounds.watchRecordings();
    expect(await status()).toBe('STARTING');
    server.clock.advance({ seconds: 15 });
    await server.rounds.watchRecordings();
    expect(await status()).toBe('FAILED');
  });

  test('a recording that is over fails after an hour, or keeps what it has', async () => {
    await ask('START');
    await ask('STOP');
    server.clock.advance({ minutes: 59 });
    await server.rounds.watchRecordings();
    expect(await rows()).toMatchObject([{ state: 'processing' }]);
    server.clock.advance({ minutes: 1 });
    await server.rounds.watchRecordings();
    expect(await rows()).toMatchObject([{ state: 'failed', trouble: 'noRecorder' }]);
  });
});
