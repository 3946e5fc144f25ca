import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withChanges } from '@rmeet/conference';
import { storeRecording, type StoredRecording } from '../../../../packages/recorder/test/stored-recording.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
let stored: StoredRecording;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob, carol] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
  ]);
  stored = await storeRecording(server);
});
afterAll(() => server.close());

const of = ({ id }: StoredRecording) => ({ params: { id } });
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
    expect(await idsOf(bob)).toEqual([]);
    expect(await idsOf(carol)).toEqual([]);
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
