import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { withChanges } from '@rmeet/conference';
import { storeRecording, type StoredRecording } from '../../../../packages/recorder/test/stored-recording.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { recordingGrant } from '../../src/modules/recordings/tables.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { grantRecording, of, rowOf, setRow, setTenant } from './support/recordings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
let erin: Person;
let stored: StoredRecording;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob, carol, erin] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
    signIn(server, 'erin'),
  ]);
  const card = { kind: 'camera', reason: 'codec' } as const;
  const cards = [
    { ...card, from: 4_000, to: 5_000 },
    { ...card, from: 5_500, to: 7_000 },
    { ...card, from: 11_000, to: 11_500 },
  ];
  stored = await storeRecording(server, { isSearchable: false, cards });
});
afterAll(() => server.close());

const idsOf = async (who: Person, query: Parameters<Person['recordings']['queryRecord']>[0]['query'] = {}) =>
  (await who.recordings.queryRecord({ query })).records.map(({ id }) => id);

describe('the list', () => {
  test('has the recordings of a host and, for administrators, of all', async () => {
    const { records, total } = await alice.recordings.queryRecord({ query: {} });
    expect(total).toBe(1);
    expect(records).toMatchObject([
      {
        id: stored.id,
        subject: 'Ward round',
        host: { name: 'Alice' },
        duration: 12_000,
        state: 'ready',
        mulpitleAuth: false,
        authResult: true,
        can: { manage: true, download: true },
        deletedAt: null,
        expiresAt: null,
      },
    ]);
    expect(await idsOf(admin)).toEqual([stored.id]);
    for (const other of [bob, carol, erin]) expect(await idsOf(other)).toEqual([]);
  });

  test('has granted ones, and, if the organisation wants it, those of conferences one was inside of', async () => {
    await grantRecording(server, stored, 'carol');
    expect(await idsOf(carol, { filter: 'granted' })).toEqual([stored.id]);
    expect((await carol.recordings.queryRecord({ query: {} })).records).toMatchObject([
      { mulpitleAuth: true, authResult: true, can: { manage: false, download: true } },
    ]);
    expect(await idsOf(alice, { filter: 'granted' })).toEqual([]);
    expect(await idsOf(alice, { filter: 'mine' })).toEqual([stored.id]);
    expect(await idsOf(carol, { filter: 'mine' })).toEqual([]);
    expect(await idsOf(bob)).toEqual([]);
    await setTenant(server, stored, { watchedBy: 'participants' });
    expect(await idsOf(bob)).toEqual([stored.id]);
    expect(await codeOf(bob.recordings.playback(of(stored)))).toBe('OK');
    await setTenant(server, stored, { watchedBy: 'hosts' });
    expect(await codeOf(bob.recordings.playback(of(stored)))).toBe('NOT_FOUND');
    await server.db.platform((tx) => tx.delete(recordingGrant, eq(recordingGrant.meetingId, stored.meetId)));
    expect(await idsOf(carol)).toEqual([]);
  });

  test('is sorted, filtered and paged', async () => {
    const began = new Date(Date.now() - 10 * 3_600_000);
    const late = await storeRecording(server, { host: 'carol', subject: 'Late', withTracks: false });
    const early = await storeRecording(server, {
      host: 'carol',
      subject: 'Early',
      withTracks: false,
      startedAt: began,
    });
    await setRow(server, early, { duration: 1_000, state: 'failed' });
    expect(await idsOf(carol)).toEqual([late.id, early.id]);
    expect(await idsOf(carol, { order: 'asc' })).toEqual([early.id, late.id]);
    expect(await idsOf(carol, { sort: 'subject' })).toEqual([late.id, early.id]);
    expect(await idsOf(carol, { sort: 'duration', order: 'asc' })).toEqual([early.id, late.id]);
    expect(await idsOf(carol, { state: 'failed' })).toEqual([early.id]);
    expect(await idsOf(carol, { meetId: late.meetId })).toEqual([late.id]);
    expect(await idsOf(carol, { type: 'VIDEO_MEETING' })).toEqual([]);
    expect(await idsOf(carol, { to: new Date(Date.now() - 2 * 3_600_000).toISOString() })).toEqual([early.id]);
    const second = await carol.recordings.searchRecord({ body: { size: 1, current: 2 } });
    expect(second).toMatchObject({ total: 2, current: 2, records: [{ id: early.id }] });
    await setRow(server, late, { isGone: true });
    expect(await idsOf(carol)).toEqual([early.id]);
    expect(await codeOf(carol.recordings.detail(of(late)))).toBe('NOT_FOUND');
  });
});

describe('a search', () => {
  const found = async (keyword: string) =>
    (await alice.recordings.queryRecord({ query: { keyword, meetId: stored.meetId } })).records.map((one) => one.found);

  test('finds subject, names, messages and captions, with their second; no private messages', async () => {
    await server.rounds.tidyRecordings();
    await server.rounds.tidyRecordings();
    expect(await found('ward')).toEqual([[]]);
    expect(await found('grace')).toEqual([[{ in: 'person', text: 'Grace', at: null }]]);
    expect(await found('results')).toEqual([[{ in: 'chat', text: 'The results are in', at: 3_000 }]]);
    expect(await found('of Monday')).toEqual([[{ in: 'caption', text: 'Admissions of Monday', at: 6_000 }]]);
    expect(await found('private remark')).toEqual([]);
    expect(await found('no such word')).toEqual([]);
    expect((await bob.recordings.queryRecord({ query: { keyword: 'results' } })).records).toEqual([]);
    expect((await erin.recordings.queryRecord({ query: { keyword: 'results' } })).records).toEqual([]);
  });
});

describe('the timeline', () => {
  test('has chapters, chat, captions, votes and who was there; no private messages', async () => {
    const timeline = await alice.recordings.timeline(of(stored));
    expect(timeline.chapters).toEqual([
      { at: 5_000, kind: 'layout', text: '4', termId: null },
      { at: 6_000, kind: 'topic', text: 'Admissions', termId: null },
      { at: 8_500, kind: 'vote', text: 'Is the plan approved?', termId: null },
      { at: 10_000, kind: 'rollCall', text: '', termId: null },
    ]);
    expect(timeline.chat.map(({ at, name, text }) => [at, name, text])).toEqual([
      [3_000, 'Alice', 'The results are in'],
      [9_000, 'Bob', 'Thank you all'],
    ]);
    expect(timeline.captions).toEqual([{ from: 6_000, to: 8_000, text: 'Admissions of Monday' }]);
    expect(timeline.votes).toEqual([
      {
        at: 8_500,
        question: 'Is the plan approved?',
        options: [
          { text: 'Yes', count: 2 },
          { text: 'No', count: 0 },
        ],
      },
    ]);
    expect(timeline.attendance).toEqual([
      { name: 'Alice', isGuest: false, stays: [{ from: 0, to: 12_000 }] },
      { name: 'Bob', isGuest: false, stays: [{ from: 0, to: 12_000 }] },
      { name: 'Grace', isGuest: true, stays: [{ from: 2_000, to: 11_000 }] },
    ]);
    expect(timeline.speaking).toEqual([
      { termId: stored.host, name: 'Alice', spans: [{ from: 0, to: 3_500 }] },
      { termId: stored.second, name: 'Bob', spans: [{ from: 4_000, to: 9_000 }] },
    ]);
    expect(timeline.cards).toEqual([{ from: 4_000, to: 7_000, name: 'Bob', reason: 'codec' }]);
  });

  test('gives the control state at the start and the steps from there', async () => {
    const { first, steps } = (await alice.recordings.timeline(of(stored))).control;
    const present = ({ terminals }: typeof first): string[] =>
      Object.entries(terminals).flatMap(([termId, entry]) => (entry.present ? termId : []));
    expect(new Set(present(first))).toEqual(new Set([stored.host, stored.second]));
    expect(first).toMatchObject({ mode: 'AUTO', layout: { model: 'AUTO' }, banner: null });
    const stateAt = (time: number) =>
      steps
        .filter(({ at }) => at <= time)
        .reduce((control, { changes, version }) => withChanges(control, changes, version), first);
    expect(present(stateAt(2_000))).toContain(stored.guest);
    expect(stateAt(4_500)).toMatchObject({ mode: 'SPEAKER', speakerId: stored.second });
    expect(stateAt(7_000)).toMatchObject({ layout: { model: '4' }, banner: { text: 'Admissions of Monday' } });
    expect(present(stateAt(12_000))).not.toContain(stored.guest);
  });
});

describe('playing', () => {
  test('the playlist names each file with its signature, and each file is served', async () => {
    const { sign, watermark } = await alice.recordings.playback(of(stored));
    expect(watermark).toBeNull();
    const { tracks } = await alice.recordings.detail(of(stored));
    expect(tracks.map(({ kind, name }) => [kind, name])).toEqual([
      ['programme', ''],
      ['camera', 'Alice'],
      ['microphone', 'Alice'],
      ['camera', 'Bob'],
      ['microphone', 'Bob'],
    ]);
    for (const { id: track, segments } of tracks) {
      const base = `/api/api/v1/recordings/${stored.id}/tracks/${track}/`;
      const playlist = await send(server, 'GET', `${base}playlist.m3u8?sign=${sign}`);
      const lines = playlist.file!.toString().split('\n');
      expect(lines.at(-2)).toBe('#EXT-X-ENDLIST');
      expect(lines.filter((line) => line.startsWith('segment-')).length).toBe(segments.length);
      const files = lines.flatMap((line) => /^(segment-.*)|URI="(.*)"/.exec(line)?.slice(1).find(Boolean) ?? []);
      for (const file of files) {
        const { httpStatus, file: data } = await send(server, 'GET', base + file);
        expect(httpStatus).toBe(200);
        expect(data!.length).toBeGreaterThan(100);
      }
    }
    expect(await codeOf(bob.recordings.playback(of(stored)))).toBe('NOT_FOUND');
    expect(await codeOf(clientOf(server).recordings.playback(of(stored)))).toBe('UNAUTHORIZED');
  });
});

describe('changes', () => {
  test('rename, set and cut; the playlist leaves out segments that are wholly cut, unless all are wanted', async () => {
    const own = await storeRecording(server, { subject: 'Rehearsal', withTracks: false });
    const edit = { start: 1_000, end: 11_000, cuts: [{ from: 4_000, to: 8_500 }] };
    const setting = { download: false, watermark: true };
    const changed = await alice.recordings.change({ ...of(own), body: { subject: 'Premiere', setting, edit } });
    expect(changed).toMatchObject({ subject: 'Premiere', setting, edit });
    const { sign, watermark } = await alice.recordings.playback(of(own));
    expect(watermark).toBe('Alice');
    const address = `/api/api/v1/recordings/${own.id}/tracks/programme/playlist.m3u8?sign=${sign}`;
    const numbers = async (query: string) =>
      [...(await send(server, 'GET', address + query)).file!.toString().matchAll(/segment-1-(\d+)/g)].map(([, n]) =>
        Number(n),
      );
    expect(await numbers('')).toEqual([1, 2, 5, 6]);
    expect(await numbers('&whole=true')).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await send(server, 'GET', address)).file!.toString().match(/#EXT-X-DISCONTINUITY/g)).toHaveLength(1);
    await grantRecording(server, own, 'carol');
    expect(await codeOf(carol.recordings.change({ ...of(own), body: { subject: 'Mine' } }))).toBe('FORBIDDEN');
    expect((await carol.recordings.detail(of(own))).can).toEqual({ manage: false, download: false });
    const [row] = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.targetId, own.id)));
    expect(row).toMatchObject({
      action: 'recordings.change',
      targetKind: 'recording',
      targetName: 'Premiere',
      before: { subject: 'Rehearsal' },
      after: { subject: 'Premiere', edit },
    });
  });

  test('a running recording plays what is stored, and is neither cut, shared, saved nor deleted', async () => {
    const running = await storeRecording(server, { withTracks: false, isRunning: true });
    const { sign } = await alice.recordings.playback(of(running));
    const address = `/api/api/v1/recordings/${running.id}/tracks/programme/playlist.m3u8?sign=${sign}`;
    const playlist = (await send(server, 'GET', address)).file!.toString();
    expect(playlist).toContain('#EXT-X-PLAYLIST-TYPE:EVENT');
    expect(playlist).not.toContain('#EXT-X-ENDLIST');
    expect((await alice.recordings.timeline(of(running))).attendance.at(0)?.stays).toEqual([{ from: 0, to: null }]);
    const edit = { start: 1_000, end: null, cuts: [] };
    expect(
      await Promise.all([
        codeOf(alice.recordings.change({ ...of(running), body: { edit } })),
        codeOf(alice.recordings.share({ ...of(running), body: {} })),
        codeOf(alice.recordings.startExport({ ...of(running), body: {} })),
        codeOf(alice.recordings.remove({ body: { ids: [running.id] } })),
      ]),
    ).toEqual(Array.from({ length: 4 }, () => 'RECORDING_RUNNING'));
    expect((await alice.recordings.change({ ...of(running), body: { subject: 'Still on' } })).subject).toBe('Still on');
  });
});

describe('who may watch', () => {
  test('is said for all recordings of a meeting by those who manage it', async () => {
    const own = await storeRecording(server, { withTracks: false });
    const grant = (who: Person, userIds: string[]) =>
      who.recordings.grantRecordIds({ query: { meetId: own.meetId }, body: { userIds } });
    const idOf = (name: string): string => server.people.get(name)?.id ?? '';
    const before = await alice.recordings.getRecordLink({ query: { meetId: own.meetId } });
    expect(before.records).toMatchObject([{ id: own.id, link: `${server.origin}/#/record-details/${own.id}` }]);
    expect(await codeOf(carol.recordings.getRecordLink({ query: { meetId: own.meetId } }))).toBe('NOT_FOUND');
    expect(await codeOf(grant(alice, [idOf('erin')]))).toBe('PARTICIPANT_UNKNOWN');
    expect(await codeOf(grant(carol, [idOf('carol')]))).toBe('NOT_FOUND');
    expect(await codeOf(grant(erin, [idOf('erin')]))).toBe('NOT_FOUND');
    const { granted } = await grant(alice, [idOf('carol'), idOf('bob')]);
    expect(granted.map(({ name }) => name).toSorted()).toEqual(['Bob', 'Carol']);
    expect((await carol.recordings.getRecordLink({ query: { meetId: own.meetId } })).records).toHaveLength(1);
    expect((await alice.recordings.detail(of(own))).granted).toHaveLength(2);
    expect((await carol.recordings.detail(of(own))).granted).toEqual([]);
    await grant(alice, []);
    expect(await codeOf(carol.recordings.playback(of(own)))).toBe('NOT_FOUND');
  });

  test('the record of a conference lists the recordings that the reader may watch', async () => {
    const recordingsOf = async (who: Person) =>
      (await who.history.record({ query: { id: stored.conferenceId } })).recordings;
    const { startedAt } = (await rowOf(server, stored))!;
    expect(await recordingsOf(alice)).toEqual([
      { id: stored.id, name: 'Ward round', startedAt: startedAt.toISOString(), duration: 12 },
    ]);
    expect(await recordingsOf(bob)).toEqual([]);
  });
});

test('a purged account leaves its recordings, and loses its grants', async () => {
  const own = await storeRecording(server, { second: 'chair', withTracks: false });
  await grantRecording(server, own, 'chair');
  const id = server.people.get('chair')?.id ?? '';
  const deletedAt = new Date(server.clock.now().getTime() - 31 * 86_400_000);
  await server.db.platform((tx) => tx.update(account, { enabled: false, deletedAt }, eq(account.id, id)));
  expect((await alice.recordings.detail(of(own))).granted).toEqual([]);
  await server.rounds.purgeDeleted();
  expect(await server.db.platform((tx) => tx.count(recordingGrant, eq(recordingGrant.accountId, id)))).toBe(0);
  expect((await alice.recordings.timeline(of(own))).speaking[1]?.name).toBe('Chair');
});
