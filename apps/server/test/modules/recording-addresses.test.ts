import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PLAYBACK_SECONDS } from '@rmeet/contract';
import { storeRecording, type StoredRecording } from '../../../../packages/recorder/test/stored-recording.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { recordingGrant, recordingShare, recordingView } from '../../src/modules/recordings/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { addressesOf, grantRecording, of, setRow, statusesOf } from './support/recordings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob, carol, dave] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
    signIn(server, 'dave'),
  ]);
});
afterAll(() => server.close());

const signOf = async (who: Person, recording: StoredRecording): Promise<string> =>
  (await who.recordings.playback(of(recording))).sign;
const isPlaylist = (address: string): boolean => address.endsWith('.m3u8');

/** Each address by itself answers so; playlists and files apart. */
async function answersOf(recording: StoredRecording, sign: string) {
  const all = addressesOf(recording);
  expect(all.filter(isPlaylist).length).toBe(recording.index.tracks.length);
  return {
    playlists: await statusesOf(server, all.filter(isPlaylist), sign),
    files: await statusesOf(
      server,
      all.filter((address) => !isPlaylist(address)),
      sign,
    ),
  };
}
const open = { playlists: [200], files: [200] };
const closed = { playlists: [404], files: [404] };
/** What was signed before still works, up to a minute. */
const closing = { playlists: [404], files: [200] };

describe('signed addresses', () => {
  test('work for one recording and one minute; forged ones do not', async () => {
    const [one, other] = [await storeRecording(server), await storeRecording(server)];
    const sign = await signOf(alice, one);
    expect(await answersOf(one, sign)).toEqual(open);
    expect(await answersOf(other, sign)).toEqual(closed);
    const [viewer, expiry, mac] = sign.split('.') as [string, string, string];
    const forged = [
      `${viewer}.${Number(expiry) + 60}.${mac}`,
      `u${server.people.get('admin')?.id}.${expiry}.${mac}`,
      `v${viewer.slice(1)}.${expiry}.${mac}`,
      `${viewer}.${expiry}.${mac.slice(0, -2)}AA`,
      `${viewer}.${expiry}.`,
      'x',
    ];
    const [playlist, init] = addressesOf(one) as [string, string];
    for (const each of forged) expect(await statusesOf(server, [playlist, init], each), each).toEqual([404]);
    server.clock.advance({ seconds: PLAYBACK_SECONDS + 1 });
    expect(await answersOf(one, sign)).toEqual(closed);
    expect(await answersOf(one, await signOf(alice, one))).toEqual(open);
  });

  test('files that are missing answer 404, and no address leads elsewhere', async () => {
    const recording = await storeRecording(server, { withTracks: false });
    const sign = await signOf(alice, recording);
    const base = `/api/api/v1/recordings/${recording.id}/tracks/`;
    await server.storage.delete(`recordings/${recording.id}/programme/segment-1-2.m4s`);
    expect(await statusesOf(server, [`${base}programme/segment-1-2.m4s`], sign)).toEqual([404]);
    expect(await statusesOf(server, [`${base}programme/segment-1-3.m4s`], sign)).toEqual([200]);
    expect(await statusesOf(server, [`${base}camera-x/playlist.m3u8`], sign)).toEqual([404]);
    const odd = ['..%2f..%2findex.json', 'index.json', '..%2findex.json', 'segment-1-1.m4s%00', 'init-1.mp4%2f..'];
    for (const file of odd) {
      const [status] = await statusesOf(server, [`${base}programme/${file}`], sign);
      expect([400, 404, 406, 422], file).toContain(status);
    }
  });

  test('lead to the storage where browsers can read it, for the seconds that are left', async () => {
    const recording = await storeRecording(server, { withTracks: false });
    const sign = await signOf(alice, recording);
    const [, init] = addressesOf(recording) as [string, string];
    const redirecting = vi
      .spyOn(server.storage, 'address')
      .mockImplementation((key, seconds) => Promise.resolve(`https://files.example.org/${key}?seconds=${seconds}`));
    server.clock.advance({ seconds: 20 });
    const answer = await server.app.inject({ url: `${init}?sign=${sign}`, headers: { host: 'localhost' } });
    redirecting.mockRestore();
    expect(answer.statusCode).toBe(302);
    const location = new URL(String(answer.headers['location']));
    expect(location.pathname).toBe(`/recordings/${recording.id}/programme/init-1.mp4`);
    const left = Number(location.searchParams.get('seconds'));
    expect(left).toBeGreaterThan(PLAYBACK_SECONDS - 23);
    expect(left).toBeLessThanOrEqual(PLAYBACK_SECONDS - 20);
    expect(answer.headers['cache-control']).toBe(`private, max-age=${left}`);
  });

  test('of those who may not watch it are not given: every call answers as for an unknown id', async () => {
    const recording = await storeRecording(server, { withTracks: false });
    const unknown = { params: { id: newId() } };
    for (const who of [bob, carol, dave])
      for (const args of [of(recording), unknown]) {
        const { id } = args.params;
        expect(
          new Set([
            await codeOf(who.recordings.detail(args)),
            await codeOf(who.recordings.timeline(args)),
            await codeOf(who.recordings.playback(args)),
            await codeOf(who.recordings.exports(args)),
            await codeOf(who.recordings.startExport({ ...args, body: {} })),
            await codeOf(who.recordings.shares(args)),
            await codeOf(who.recordings.share({ ...args, body: {} })),
            await codeOf(who.recordings.change({ ...args, body: { subject: 'Mine' } })),
            await codeOf(who.recordings.remove({ body: { ids: [id] } })),
            await codeOf(who.recordings.restore({ body: { ids: [id] } })),
          ]),
        ).toEqual(new Set(['NOT_FOUND']));
      }
    expect(await codeOf(alice.recordings.remove({ body: { ids: [recording.id, newId()] } }))).toBe('NOT_FOUND');
    expect((await alice.recordings.detail(of(recording))).deletedAt).toBeNull();
  });

  test('end with the right: no playlist at once, no file after a minute', async () => {
    const recording = await storeRecording(server);
    await grantRecording(server, recording, 'carol');
    const sign = await signOf(carol, recording);
    expect(await answersOf(recording, sign)).toEqual(open);
    await server.db.platform((tx) => tx.delete(recordingGrant, eq(recordingGrant.meetingId, recording.meetId)));
    expect(await answersOf(recording, sign)).toEqual(closing);
    expect(await codeOf(carol.recordings.playback(of(recording)))).toBe('NOT_FOUND');
    server.clock.advance({ seconds: PLAYBACK_SECONDS + 1 });
    expect(await answersOf(recording, sign)).toEqual(closed);
  });

  test('end for former members, and in the bin for all', async () => {
    const recording = await storeRecording(server, { withTracks: false });
    await grantRecording(server, recording, 'bob');
    const sign = await signOf(bob, recording);
    const id = server.people.get('bob')?.id ?? '';
    const setAccount = (values: object) => server.db.platform((tx) => tx.update(account, values, eq(account.id, id)));
    await setAccount({ enabled: false });
    expect(await answersOf(recording, sign)).toEqual(closing);
    await setAccount({ enabled: true });
    expect(await answersOf(recording, sign)).toEqual(open);
    const ofAdmin = await signOf(admin, recording);
    await alice.recordings.remove({ body: { ids: [recording.id] } });
    expect(await answersOf(recording, sign)).toEqual(closing);
    expect(await answersOf(recording, ofAdmin)).toEqual(closing);
    expect(await codeOf(admin.recordings.playback(of(recording)))).toBe('NOT_FOUND');
    expect(await codeOf(bob.recordings.detail(of(recording)))).toBe('NOT_FOUND');
    expect((await admin.recordings.detail(of(recording))).authResult).toBe(false);
  });
});

describe('a link', () => {
  const guest = () => clientOf(server).recordings;
  const share = (recording: StoredRecording, body: Parameters<Person['recordings']['share']>[0]['body'] = {}) =>
    alice.recordings.share({ ...of(recording), body });
  const tokenOf = ({ link }: { link: string }): string => /#\/shareRecordDetails\/([\w-]+)$/.exec(link)?.[1] ?? '';
  const signFor = async (view: string): Promise<string> => (await guest().sharedPlayback({ body: { view } })).sign;

  test('opens the programme without sign-in, and nothing else', async () => {
    const recording = await storeRecording(server);
    const made = await share(recording, { watermark: false });
    const { view, recording: shown, timeline, download } = await guest().openShare({ body: { token: tokenOf(made) } });
    expect(shown.tracks.map(({ id }) => id)).toEqual(['programme']);
    expect(Object.keys(timeline).toSorted()).toEqual(['chapters', 'gaps', 'speaking']);
    expect(download).toBe(false);
    const sign = await signFor(view);
    const all = addressesOf(recording);
    const isProgramme = (address: string): boolean => address.includes('/tracks/programme/');
    expect(await statusesOf(server, all.filter(isProgramme), sign)).toEqual([200]);
    const others = all.filter((address) => !isProgramme(address));
    expect(others.length).toBeGreaterThan(20);
    expect(await statusesOf(server, others, sign)).toEqual([404]);
    expect(await codeOf(guest().sharedPlayback({ body: { view: tokenOf(made) } }))).toBe('SHARE_ENDED');
    const stored = await server.db.platform((tx) => tx.find(recordingShare, eq(recordingShare.id, made.id)));
    expect(JSON.stringify(stored)).not.toContain(tokenOf(made));
  });

  test('counts each viewer once, and ends after as many as it is for', async () => {
    const recording = await storeRecording(server, { withTracks: false });
    const token = tokenOf(await share(recording, { maxViews: 2, watermark: false }));
    const { view } = await guest().openShare({ body: { token } });
    expect((await guest().openShare({ body: { token, view } })).view).toBe(view);
    await guest().openShare({ body: { token } });
    expect(await codeOf(guest().openShare({ body: { token } }))).toBe('SHARE_ENDED');
    expect((await guest().openShare({ body: { token, view } })).view).toBe(view);
    expect((await alice.recordings.shares(of(recording))).records).toMatchObject([{ views: 2, maxViews: 2 }]);
    expect(await statusesOf(server, addressesOf(recording), await signFor(view))).toEqual([200]);
  });

  test('asks for its password and for the name that is shown over the picture', async () => {
    const recording = await storeRecording(server, { withTracks: false });
    const token = tokenOf(await share(recording, { password: '4821' }));
    const attempt = (body: object, address: string) =>
      codeOf(clientOf(server, undefined, address).recordings.openShare({ body: { token, ...body } }));
    expect(await attempt({ name: 'Grace' }, '10.0.0.1')).toBe('SHARE_PASSWORD');
    expect(await attempt({ password: '4821' }, '10.0.0.1')).toBe('SHARE_NAME');
    const { view } = await guest().openShare({ body: { token, password: '4821', name: 'Grace' } });
    expect((await guest().sharedPlayback({ body: { view } })).watermark).toBe('Grace');
    const guesses: string[] = [];
    for (let n = 0; n < 7; n += 1) guesses.push(await attempt({ password: `${n}`, name: 'Eve' }, '10.0.0.2'));
    expect(guesses.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'SHARE_PASSWORD'));
    expect(guesses[6]).toBe('TOO_MANY_REQUESTS');
    expect(await attempt({ password: '4821', name: 'Eve' }, '10.0.0.2')).toBe('TOO_MANY_REQUESTS');
    expect(await attempt({ password: '4821', name: 'Heidi' }, '10.0.0.3')).toBe('OK');
  });

  test.each(['revoked', 'expired', 'in the bin', 'of a disabled organisation'])(
    'that is %s opens nothing, and what it opened before ends',
    async (why) => {
      const recording = await storeRecording(server, why.startsWith('of') ? { host: 'dave', second: 'erin' } : {});
      const maker = why.startsWith('of') ? dave : alice;
      const inAnHour = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
      const body = { expiresAt: inAnHour, watermark: false, download: true };
      const made = await maker.recordings.share({ ...of(recording), body });
      const token = tokenOf(made);
      const { view } = await guest().openShare({ body: { token } });
      let sign = await signFor(view);
      if (why === 'revoked') await maker.recordings.unshare({ params: { id: made.id } });
      if (why === 'expired') {
        server.clock.advance({ minutes: 59, seconds: 50 });
        sign = await signFor(view);
        server.clock.advance({ seconds: 11 });
      }
      if (why === 'in the bin') await setRow(server, recording, { deletedAt: server.clock.now() });
      if (why.startsWith('of')) {
        const root = await signIn(server, 'root');
        await root.tenants.setEnabled({ body: { id: recording.tenantId, enabled: false } });
      }
      expect(await codeOf(guest().openShare({ body: { token } }))).toBe('SHARE_ENDED');
      expect(await codeOf(guest().openShare({ body: { token, view } }))).toBe('SHARE_ENDED');
      expect(await codeOf(guest().sharedPlayback({ body: { view } }))).toBe('SHARE_ENDED');
      expect((await send(server, 'GET', `/api/api/v1/recordings/shared/file?view=${view}`)).statusCode).toBe(
        'SHARE_ENDED',
      );
      const programme = addressesOf(recording).filter((address) => address.includes('/programme/'));
      expect(await statusesOf(server, programme.filter(isPlaylist), sign)).toEqual([404]);
      server.clock.advance({ seconds: PLAYBACK_SECONDS + 1 });
      expect(await statusesOf(server, programme, sign)).toEqual([404]);
    },
  );

  test('guessed ones are delayed by address', async () => {
    const attempt = (token: string, address: string) =>
      codeOf(clientOf(server, undefined, address).recordings.openShare({ body: { token } }));
    const codes: string[] = [];
    for (let n = 0; n < 22; n += 1) codes.push(await attempt(`guess-${n}`, '10.0.1.1'));
    expect(new Set(codes.slice(0, 20))).toEqual(new Set(['SHARE_ENDED']));
    expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS');
    const token = tokenOf(await share(await storeRecording(server, { withTracks: false }), { watermark: false }));
    expect(await attempt(token, '10.0.1.1')).toBe('OK');
  });

  test('is made, listed and ended by those who manage the recording', async () => {
    const recording = await storeRecording(server, { withTracks: false });
    await grantRecording(server, recording, 'carol');
    const made = await share(recording);
    expect(await codeOf(carol.recordings.shares(of(recording)))).toBe('FORBIDDEN');
    expect(await codeOf(carol.recordings.share({ ...of(recording), body: {} }))).toBe('FORBIDDEN');
    expect(await codeOf(carol.recordings.unshare({ params: { id: made.id } }))).toBe('FORBIDDEN');
    expect(await codeOf(dave.recordings.unshare({ params: { id: made.id } }))).not.toBe('OK');
    await admin.recordings.unshare({ params: { id: made.id } });
    expect(await codeOf(admin.recordings.unshare({ params: { id: made.id } }))).toBe('NOT_FOUND');
    expect((await alice.recordings.shares(of(recording))).records).toEqual([]);
    expect(await server.db.platform((tx) => tx.count(recordingView, eq(recordingView.shareId, made.id)))).toBe(0);
  });
});
