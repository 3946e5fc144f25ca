import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import type { MailServer } from '@rmeet/testkit';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let mails: MailServer;
let root: Person;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
  root = await signIn(server, 'root');
});
afterEach(() => {
  server.media.isUp = true;
  server.media.isFailing = false;
});
afterAll(() => server.close());

const audited = () =>
  server.db.tenant(PLATFORM_TENANT_ID, (tx) => tx.find(auditLog, eq(auditLog.action, 'setup.sendTestMail')));

test('settings of the environment are shown, without the account of the mail server', async () => {
  expect(await root.setup.checks()).toEqual({
    mail: { isConfigured: true, server: `127.0.0.1:${mails.port}`, sender: 'meet@example.org' },
    media: { ports: [7882, 7883], isFixed: true, livekit: null },
    isSelfSigned: false,
    hasBackups: false,
    lostPasskeys: [],
  });
});

test('a test mail is accepted or refused, and the audit log has both', async () => {
  expect(await root.setup.sendTestMail({ body: { to: 'bob@example.org' } })).toEqual({ failure: null, detail: '' });
  expect(mails.received).toMatchObject([
    { from: 'meet@example.org', to: ['bob@example.org'], subject: 'Test mail from Rmeet' },
  ]);
  mails.refusals.push(550);
  expect(await root.setup.sendTestMail({ body: { to: 'carol@example.org' } })).toEqual({
    failure: 'recipient',
    detail: '550 Not now',
  });
  expect((await audited()).map(({ actorName, after }) => ({ actorName, after }))).toEqual(
    expect.arrayContaining([
      { actorName: 'Root', after: { to: 'bob@example.org', failure: null } },
      { actorName: 'Root', after: { to: 'carol@example.org', failure: 'recipient' } },
    ]),
  );
});

test('a missing mail server is reported', async () => {
  const without = await startTestServer();
  try {
    const person = await signIn(without, 'root');
    expect((await person.setup.checks()).mail).toEqual({ isConfigured: false, server: '', sender: '' });
    expect(await codeOf(person.setup.sendTestMail({ body: { to: 'bob@example.org' } }))).toBe('MAIL_NOT_CONFIGURED');
  } finally {
    await without.close();
  }
});

test('only operators who manage the platform may run the checks', async () => {
  for (const [person, code] of [
    [clientOf(server), 'UNAUTHORIZED'],
    [await signIn(server, 'admin'), 'FORBIDDEN'],
    [await signIn(server, 'ops'), 'FORBIDDEN'],
  ] as const) {
    expect([
      await codeOf(person.setup.checks()),
      await codeOf(person.setup.sendTestMail({ body: { to: 'bob@example.org' } })),
      await codeOf(person.setup.checkMedia()),
    ]).toEqual([code, code, code]);
  }
});

test('media: a room on every server, open for two minutes, in which nothing can be sent', async () => {
  const { media, clock } = server;
  const { places } = await root.setup.checkMedia();
  expect(places.map(({ zone, port, url }) => ({ zone, port, url }))).toEqual(
    [7882, 7883].map((port) => ({ zone: '', port, url: server.publicUrl.replace('http', 'ws') })),
  );
  const tokens = media.tokens.slice(-2);
  for (const { room, identity, canPublish, ttlSeconds } of tokens) {
    expect({ canPublish, ttlSeconds }).toEqual({ canPublish: false, ttlSeconds: 120 });
    expect(await server.mayBeInRoom(room, identity)).toBe(true);
  }
  const [first] = tokens;
  const rooms = () => [...media.rooms.keys()].filter((name) => name.startsWith('check-'));
  expect(rooms()).toHaveLength(2);
  expect(new Set(tokens.map(({ room }) => media.chosen.get(room)))).toEqual(new Set(['local-1', 'local-2']));
  // The reconciler keeps them; the next trial removes those that are over.
  await server.tick();
  expect(rooms()).toHaveLength(2);
  clock.advance({ seconds: 121 });
  expect(await server.mayBeInRoom(first?.room ?? '', first?.identity ?? '')).toBe(false);
  await root.setup.checkMedia();
  expect(rooms()).toHaveLength(2);
  expect(rooms()).not.toContain(first?.room);
});

test('media: a full server is skipped, and without any the error says so', async () => {
  const before = server.media.mcus;
  try {
    server.media.mcus = [{ id: 'local-1', state: 'full', load: 300 }, ...before.slice(1)];
    expect((await root.setup.checkMedia()).places.map(({ port }) => port)).toEqual([7883]);
  } finally {
    server.media.mcus = before;
  }
  server.media.isFailing = true;
  expect(await codeOf(root.setup.checkMedia())).toBe('MEDIA_UNAVAILABLE');
  server.media.isFailing = false;
  server.media.isUp = false;
  expect(await codeOf(root.setup.checkMedia())).toBe('MEDIA_UNAVAILABLE');
});

test('any person may test a connection in a room of their own; the number of such rooms is limited', async () => {
  const { media, clock } = server;
  // The rooms of the tests before are over.
  clock.advance({ seconds: 121 });
  const nobody = clientOf(server);
  expect(await nobody.conferences.checkConnection()).toMatchObject({
    url: server.publicUrl.replace('http', 'ws'),
    ports: [7882, 7883],
  });
  const { room, identity, canPublish } = media.tokens.at(-1) ?? { room: '', identity: '' };
  expect(canPublish).toBe(true);
  expect(await server.mayBeInRoom(room, identity)).toBe(true);
  for (let others = 10; others < 49; others += 1) media.rooms.set(room.replace(/..$/, String(others)), new Map());
  expect(await codeOf(nobody.conferences.checkConnection())).toBe('SERVICE_BUSY');
  clock.advance({ seconds: 121 });
  expect(await server.mayBeInRoom(room, identity)).toBe(false);
  expect(await codeOf(nobody.conferences.checkConnection())).toBe('OK');
  media.isUp = false;
  expect(await codeOf(nobody.conferences.checkConnection())).toBe('MEDIA_UNAVAILABLE');
  media.isUp = true;
});

test('test mails are limited per minute, and go to exactly one address', async () => {
  for (const to of ['bob', 'bob@example.org, carol@example.org', 'bob@example.org\r\nBcc: erin@example.org'])
    expect(await codeOf(root.setup.sendTestMail({ body: { to } }))).toBe('INVALID_INPUT');
  const codes: string[] = [];
  for (let i = 0; i < 8; i += 1) codes.push(await codeOf(root.setup.sendTestMail({ body: { to: 'bob@example.org' } })));
  expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS');
  expect(mails.received.length).toBeLessThan(8);
});
