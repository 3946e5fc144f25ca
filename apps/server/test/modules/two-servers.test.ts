import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocument, textOf } from '@rmeet/documents';
import { editTogether, openWriter } from '@rmeet/testkit';
import { eq, lt } from 'drizzle-orm';
import { usedCiphertext } from '../../src/modules/accounts/auth/tables.ts';
import { notice } from '../../src/modules/notices/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { randomOf } from '../platform/support/odd-targets.ts';
import { clientOf, codeOf, encrypt, signIn } from './support/client.ts';
import { startTestMail } from './support/mail-server.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { makeStore, type Store } from './support/store.ts';

/** The embedded database can be used by one process only. */
describe('two servers on one database', () => {
  let store: Store;
  let east: TestServer;
  let west: TestServer;
  beforeAll(async () => {
    store = await makeStore();
    east = await startTestServer({ store });
    west = await startTestServer({ store, clock: east.clock, media: east.media });
  });
  afterAll(async () => {
    await Promise.all([east.close(), west.close()]);
    await store.remove();
  });

  test('run one conference: calls at one are events at the other', async () => {
    const alice = await signIn(east, 'alice');
    const made = await book(east, alice, { startTime: east.clock.in(0), participants: invite(east, 'bob') });
    const host = await alice.conferences.join({ body: { numericId: made.numericId } });
    const socket = await connect(west, { sessionToken: host.sessionToken }, `meeting:${made.meetId}`);
    const bob = await signIn(west, 'bob');
    const member = await bob.conferences.join({ body: { numericId: made.numericId } });
    expect((await socket.event('terminalJoined')).event).toMatchObject({ terminal: { termId: member.termId } });
    await clientOf(east, member.sessionToken).conferences.chat({
      params: { meetId: made.meetId },
      body: { id: newId(), text: 'Hello' },
    });
    expect((await socket.event('chat')).event).toMatchObject({ message: { text: 'Hello' } });
    await clientOf(west, alice.token).conferences.end({ params: { meetId: made.meetId } });
    await socket.event('ended');
    await socket.close();
  });

  test('serve a person who joins at both at once', async () => {
    const made = await book(east, await signIn(east, 'alice'), {
      startTime: east.clock.in(0),
      participants: invite(east, 'bob'),
    });
    const [here, there] = [await signIn(east, 'bob'), await signIn(west, 'bob')];
    const rooms = east.media.rooms.size;
    const admissions = await Promise.all(
      [here, there, here, there, here, there].map((bob) =>
        bob.conferences.join({ body: { numericId: made.numericId } }),
      ),
    );
    expect(admissions.every(({ state }) => state === 'admitted')).toBe(true);
    expect(east.media.rooms.size).toBe(rooms + 1);
  });

  test('send each notice once, however many rounds run at once', async () => {
    const { mails, mail, close } = await startTestMail();
    const [north, south] = [
      await startTestServer({ store, clock: east.clock, media: east.media, mail }),
      await startTestServer({ store, clock: east.clock, media: east.media, mail }),
    ];
    try {
      const addresses = Array.from({ length: 30 }, (_, n) => `guest${n}@example.org`);
      const made = await book(north, await signIn(north, 'alice'), { participants: invite(north, ...addresses) });
      await Promise.all([north, south, north, south].map((server) => server.rounds.sendNotices()));
      const waiting = () => north.db.platform((tx) => tx.count(notice, eq(notice.status, 'SENDING')));
      await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
      expect(mails.received.flatMap(({ to }) => to).toSorted((a, b) => a.localeCompare(b))).toEqual(
        addresses.toSorted((a, b) => a.localeCompare(b)),
      );
      expect(
        (await (await signIn(south, 'alice')).notices.ofMeeting({ params: { id: made.meetId } })).map(
          ({ status }) => status,
        ),
      ).toEqual(addresses.map(() => 'SUCCESS'));
    } finally {
      await Promise.all([north.close(), south.close()]);
      await close();
    }
  });

  test("accept each other's passwords and sessions, and end sessions at once", async () => {
    const laptop = await signIn(east, 'carol', 'laptop');
    expect(await codeOf(clientOf(west, laptop.token).meetings.list({ query: {} }))).toBe('OK');
    const socket = await connect(west, { token: laptop.token }, 'user');
    await signIn(east, 'carol', 'phone');
    await socket.closed;
    expect(await codeOf(clientOf(west, laptop.token).meetings.list({ query: {} }))).toBe('USER_LOGIN_ANOTHER_DEVICE');
  });

  test('end sessions of the other server: disabled, reset, signed out, changed rights', async () => {
    const admin = await signIn(east, 'admin');
    const bobId = east.people.get('bob')?.id ?? '';
    const atWest = async () => {
      const bob = clientOf(west, (await signIn(west, 'bob')).token);
      expect(await codeOf(bob.users.current({}))).toBe('OK');
      const socket = await connect(west, { token: bob.token }, 'user');
      return { bob, socket };
    };
    const disabled = await atWest();
    await admin.users.status({ body: { id: bobId, enabled: false } });
    await disabled.socket.closed;
    expect(await codeOf(disabled.bob.users.current({}))).toBe('UNAUTHORIZED');
    await admin.users.status({ body: { id: bobId, enabled: true } });

    const ended = await atWest();
    await admin.users.endSessions({ body: { ids: [bobId] } });
    await ended.socket.closed;
    expect(await codeOf(ended.bob.users.current({}))).toBe('UNAUTHORIZED');

    const left = await atWest();
    await clientOf(east, left.bob.token).auth.logout();
    await left.socket.closed;
    expect(await codeOf(left.bob.users.current({}))).toBe('UNAUTHORIZED');

    const raised = await atWest();
    const [row] = (await admin.users.list({ query: { keyword: 'bob' } })).records;
    await admin.users.update({ body: { id: bobId, name: 'Bob', isTenantAdmin: true, version: row?.version ?? 0 } });
    await raised.socket.event('accessChanged');
    expect(await codeOf(raised.bob.users.list({ query: {} }))).toBe('OK');
    await admin.users.resetPassword({ body: { id: bobId } });
    await raised.socket.closed;
    expect(await codeOf(raised.bob.users.current({}))).toBe('CHANGE_PWD_LDAP');
    await east.db.platform((tx) =>
      tx.update(
        account,
        { passwordHash: east.people.get('bob')?.passwordHash ?? '', passwordDue: false, isTenantAdmin: false },
        eq(account.id, bobId),
      ),
    );
  });

  test('have one document that people at both edit at once, and nothing is lost', async () => {
    const [alice, bob] = [await signIn(east, 'alice'), await signIn(west, 'bob')];
    const { id: documentId } = await alice.documents.create({ body: { kind: 'minutes', title: 'Together' } });
    const bobId = east.people.get('bob')?.id ?? '';
    const share = (right: 'read' | 'write') =>
      alice.documents.share({ params: { id: documentId }, body: { members: [{ userId: bobId, right }] } });
    await share('write');
    const writers = [
      openWriter({ origin: east.origin, token: alice.token, documentId }),
      openWriter({ origin: west.origin, token: bob.token, documentId }),
    ] as const;
    const [, atWest] = writers;
    try {
      for (const writer of writers) await writer.until(({ phase }) => phase === 'open');
      const { contents, lost } = await editTogether(writers, { edits: 1_500, dropEvery: 61, random: randomOf(11) });
      expect(lost).toEqual([]);
      expect(new Set(contents).size).toBe(1);
      // Each shows who is at the other, and a right that is withdrawn at one holds at the other.
      const namesOf = () => writers.map(({ people }) => people.map(({ name }) => name));
      await expect.poll(namesOf, { timeout: 10_000 }).toEqual([['Bob'], ['Alice']]);
      atWest.connection.moveCursor({ anchor: new Uint8Array([1]), head: new Uint8Array([2]) });
      const cursors = () => writers[0].people.map(({ cursor }) => cursor);
      await expect.poll(cursors, { timeout: 10_000 }).toEqual([{ anchor: 'AQ==', head: 'Ag==' }]);
      await share('read');
      await atWest.until(({ right }) => right === 'read');
      await expect.poll(cursors, { timeout: 10_000 }).toEqual([null]);
      const stored = textOf(readDocument(writers[0].doc));
      atWest.doc.getXmlFragment('content').delete(0, 1);
      expect(atWest.connection.state.isSaved).toBe(false);
      expect(textOf(readDocument(writers[0].doc))).toBe(stored);
      atWest.close();
      await expect.poll(namesOf, { timeout: 10_000 }).toEqual([[], []]);
    } finally {
      for (const writer of writers) writer.close();
    }
  });

  test('maintain conferences one at a time, and take over from each other', async () => {
    await east.tick();
    east.media
      .theRooms()
      .at(-1)
      ?.set('Tstranger', {
        identity: 'Tstranger',
        name: '',
        metadata: '',
        joinedAt: new Date(),
        permission: { canPublish: true, canPublishSources: [] },
        tracks: [],
      });
    await west.tick();
    expect(east.media.theRooms().at(-1)?.has('Tstranger')).toBe(true);
    east.clock.advance({ seconds: 5 });
    await west.tick();
    expect(east.media.theRooms().at(-1)?.has('Tstranger')).toBe(false);
  });

  test('accept an encrypted password once, at either of them, and replace its key together each day', async () => {
    const login = (at: TestServer, password: string) =>
      codeOf(clientOf(at).auth.login({ body: { account: 'alice', password } }));
    const keyAt = async (at: TestServer) => (await clientOf(at).auth.loginMode({ query: {} })).publicKey;
    const [first, caught, early, late] = [
      await keyAt(east),
      await encrypt(east, DEMO_PASSWORD),
      await encrypt(west, DEMO_PASSWORD),
      await encrypt(west, DEMO_PASSWORD),
    ];
    expect(await login(east, caught)).toBe('OK');
    // The same bytes in two encodings.
    for (const again of [caught, caught.replace(/=+$/, '')])
      expect(await login(west, again)).toBe('PASSWORD_UNREADABLE');

    east.clock.advance({ hours: 24 });
    const keys = await Promise.all([keyAt(west), keyAt(east)]);
    expect(keys[0]).not.toBe(first);
    expect(keys[1]).toBe(keys[0]);
    expect([await login(east, early), await login(west, early), await login(west, caught)]).toEqual([
      'OK',
      'PASSWORD_UNREADABLE',
      'PASSWORD_UNREADABLE',
    ]);
    expect(await login(west, await encrypt(east, DEMO_PASSWORD))).toBe('OK');

    east.clock.advance({ hours: 24 });
    expect(await login(east, late)).toBe('PASSWORD_UNREADABLE');
    expect(await login(west, await encrypt(east, DEMO_PASSWORD))).toBe('OK');
    // Ciphertexts used with a deleted key are forgotten.
    expect(
      await east.db.platform((tx) =>
        tx.find(usedCiphertext, lt(usedCiphertext.usedAt, new Date(east.clock.now().getTime() - 24 * 60 * 60_000))),
      ),
    ).toEqual([]);
  });
});
