import { startSmsGateway, type SmsGatewayServer } from '@rmeet/testkit';
import { eq } from 'drizzle-orm';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  APPROVAL_NOTICE_KINDS,
  INVITEE_NOTICE_KINDS,
  type Meeting,
  type NoticeRecipient,
  type SmsGateway,
} from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { meetingGrant } from '../../src/modules/meetings/tables.ts';
import { notice, noticeSetting } from '../../src/modules/notices/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { createSms } from '../../src/platform/sms/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let gateway: SmsGatewayServer;
let server: TestServer;
let admin: Person;
let chair: Person;
let alice: Person;
let bob: Person;
let dave: Person;
const logged: string[] = [];
beforeAll(async () => {
  gateway = await startSmsGateway();
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      logged.push(chunk.toString());
      done();
    },
  });
  server = await startTestServer({
    publicUrls: ['https://meet.example.org'],
    sms: createSms({ gateway: null, hosts: ['127.0.0.1'] }),
    log: createLog('test', 'trace', stream),
  });
  [admin, chair, alice, bob, dave] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'chair'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'dave'),
  ]);
  await server.db.tenant(north(), async (tx) => {
    await tx.update(
      account,
      { phone: '+49 151 1000', email: 'alice@example.org', locale: 'en' },
      eq(account.account, 'alice'),
    );
    await tx.update(account, { locale: 'en' }, eq(account.account, 'chair'));
  });
  await allowSms();
});
afterAll(async () => {
  await server.close();
  await gateway.close();
});
beforeEach(() => {
  gateway.received.length = 0;
  gateway.answers.length = 0;
});

const north = (): string => server.people.get('chair')?.tenantId ?? '';
/** Lets the chair send text messages. */
const allowSms = async (): Promise<void> => {
  const [code] = await server.db.platform((tx) => tx.find(permission, eq(permission.code, 'sys:sms')));
  await server.db.tenant(north(), (tx) =>
    tx.insert(accountPermission, { accountId: server.people.get('chair')?.id ?? '', permissionId: code?.id ?? '' }),
  );
};
const lastAudit = async (action: string) =>
  (await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, action))))
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .at(-1);
const deliveryText = ({ channel, kind, status, failure }: NoticeRecipient['deliveries'][number]): string =>
  [channel, kind, status, ...(failure ? [failure] : [])].join(' ');
const statesOf = async (person: Person, made: Meeting) =>
  Object.fromEntries(
    (await person.notices.ofMeeting({ params: { id: made.meetId } })).map(({ name, contact, status, deliveries }) => [
      name || contact,
      `${status}: ${deliveries.map(deliveryText).join(', ')}`,
    ]),
  );

describe('the notice centre', () => {
  test("keeps the notices its reader received, also after their removal, and shows no one else's", async () => {
    const socket = await connect(server, { token: bob.token }, 'user');
    const made = await book(server, chair, { subject: 'Board', participants: invite(server, 'bob') });
    await socket.event('noticesChanged');
    const own = async (person: Person) =>
      (await person.notices.list({ query: {} })).records.filter(({ meetId }) => meetId === made.meetId);
    expect(await own(bob)).toMatchObject([
      {
        kind: 'invitation',
        subject: 'Board',
        host: 'Chair',
        startTime: made.startTime,
        duration: 60,
        rooms: [],
        readAt: null,
      },
    ]);
    await chair.meetings.update({
      params: { id: made.meetId },
      body: {
        subject: 'Board, secret',
        startTime: made.startTime,
        duration: 60,
        password: '4821',
        participants: [],
        version: 1,
      },
    });
    expect((await own(bob)).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['cancellation', 'Board, secret'],
      ['invitation', 'Board'],
    ]);
    expect(await own(alice)).toEqual([]);
    expect(await codeOf(bob.meetings.detail({ params: { id: made.meetId } }))).toBe('NOT_FOUND');
    await socket.close();
  });

  test('counts unread notices, and marks them read one by one or all at once', async () => {
    await bob.notices.markAllRead();
    const [one, two] = [
      await book(server, chair, { participants: invite(server, 'bob') }),
      await book(server, chair, { participants: invite(server, 'bob') }),
    ];
    const list = await bob.notices.list({ query: { unreadOnly: 'true' } });
    expect([list.unread, list.total, list.records.map(({ meetId }) => meetId)]).toEqual([
      2,
      2,
      [two.meetId, one.meetId],
    ]);
    const [newest] = list.records;
    const socket = await connect(server, { token: bob.token }, 'user');
    expect(await bob.notices.markRead({ params: { id: newest?.id ?? '' } })).toEqual({ unread: 1 });
    await socket.event('noticesChanged');
    expect(await bob.notices.markRead({ params: { id: newest?.id ?? '' } })).toEqual({ unread: 1 });
    expect((await bob.notices.list({ query: {} })).records[0]?.readAt).toBe(server.clock.now().toISOString());
    for (const person of [alice, chair, dave])
      expect(await codeOf(person.notices.markRead({ params: { id: newest?.id ?? '' } }))).toBe('NOT_FOUND');
    expect(await codeOf(bob.notices.markRead({ params: { id: newId() } }))).toBe('NOT_FOUND');
    expect(await bob.notices.markAllRead()).toEqual({ unread: 0 });
    expect((await bob.notices.list({ query: { unreadOnly: 'true' } })).records).toEqual([]);
    await socket.close();
  });

  test('deletes one notice, or all read ones, for its reader alone', async () => {
    await bob.notices.markAllRead();
    await bob.notices.clearRead();
    const subjects = async (person: Person) =>
      (await person.notices.list({ query: {} })).records.map(({ subject }) => subject);
    expect(await subjects(bob)).toEqual([]);
    const told: Meeting[] = [];
    for (const subject of ['Read once', 'Read too', 'Thrown away', 'Unread'])
      told.push(await book(server, chair, { subject, participants: invite(server, 'alice', 'bob') }));
    const [, thrown, second, first] = (await bob.notices.list({ query: {} })).records;
    for (const one of [first, second]) await bob.notices.markRead({ params: { id: one?.id ?? '' } });
    const socket = await connect(server, { token: bob.token }, 'user');
    for (const person of [alice, chair, dave])
      expect(await codeOf(person.notices.clear({ params: { id: thrown?.id ?? '' } }))).toBe('NOT_FOUND');
    expect(await bob.notices.clear({ params: { id: thrown?.id ?? '' } })).toEqual({ unread: 1 });
    await socket.event('noticesChanged');
    expect(await subjects(bob)).toEqual(['Unread', 'Read too', 'Read once']);
    expect(await codeOf(bob.notices.clear({ params: { id: thrown?.id ?? '' } }))).toBe('NOT_FOUND');
    expect(await codeOf(bob.notices.markRead({ params: { id: thrown?.id ?? '' } }))).toBe('NOT_FOUND');
    expect(await bob.notices.clearRead()).toEqual({ cleared: 2, unread: 1 });
    expect(await bob.notices.clearRead()).toEqual({ cleared: 0, unread: 1 });
    expect((await bob.notices.list({ query: {} })).total).toBe(1);
    expect((await subjects(alice)).slice(0, 4)).toEqual(['Unread', 'Thrown away', 'Read too', 'Read once']);
    // The host still sees how both were notified.
    expect(await statesOf(chair, told[2] as Meeting)).toMatchObject({
      Alice: 'SUCCESS: centre invitation SUCCESS',
      Bob: 'SUCCESS: centre invitation SUCCESS',
    });
    await socket.close();
  });

  test('is paged', async () => {
    for (let n = 0; n < 3; n += 1)
      await book(server, chair, { subject: `Page ${n}`, participants: invite(server, 'bob') });
    const [first, second] = [
      await bob.notices.list({ query: { size: 2 } }),
      await bob.notices.list({ query: { size: 2, current: 2 } }),
    ];
    expect([...first.records, ...second.records].map(({ subject }) => subject).slice(0, 3)).toEqual([
      'Page 2',
      'Page 1',
      'Page 0',
    ]);
  });

  test('notifies the host of what others did with the meeting, not of their own actions', async () => {
    const made = await book(server, chair, { subject: 'Taken over', participants: invite(server, 'bob') });
    const kinds = async () =>
      (await chair.notices.list({ query: {} })).records
        .filter(({ meetId }) => meetId === made.meetId)
        .map(({ kind }) => kind);
    await chair.meetings.update({
      params: { id: made.meetId },
      body: {
        subject: 'Mine',
        startTime: made.startTime,
        duration: 60,
        password: '4821',
        participants: invite(server, 'bob'),
        version: 1,
      },
    });
    expect(await kinds()).toEqual([]);
    await admin.meetings.cancel({ params: { id: made.meetId }, query: {} });
    expect(await kinds()).toEqual(['cancellation']);
  });
});

const http = (values: Partial<SmsGateway> = {}): SmsGateway => ({
  url: `${gateway.origin}/send`,
  method: 'POST',
  headers: [{ name: 'Authorization', value: 'Bearer {secret}' }],
  body: '{"to":"{phone}","message":"{text}"}',
  successPath: 'code',
  successValue: '0',
  ...values,
});
const versionOf = async (person: Person): Promise<number> => (await person.notices.settings()).version;
const withGateway = async (values: Partial<SmsGateway> & { secret?: string } = {}) => {
  const { secret, ...rest } = values;
  return admin.notices.saveSettings({
    body: {
      reminderMinutes: 15,
      gateway: { ...http(rest), ...(secret === undefined ? {} : { secret }) },
      version: await versionOf(admin),
    },
  });
};

describe('settings', () => {
  test('start with a reminder 15 minutes before and no gateway, and belong to the tenant', async () => {
    expect(await admin.notices.settings()).toEqual({
      reminderMinutes: 15,
      hasMail: false,
      smsSource: 'none',
      gateway: null,
      version: 0,
    });
    expect(await codeOf(admin.notices.testSms({ body: { phone: '10086' } }))).toBe('SMS_NOT_CONFIGURED');
    const saved = await withGateway({ secret: 'k7Wm2xQe-secret' });
    expect(saved).toMatchObject({
      smsSource: 'tenant',
      gateway: { url: `${gateway.origin}/send`, hasSecret: true },
      version: 1,
    });
    expect(JSON.stringify(saved)).not.toContain('k7Wm2xQe');
    const [row] = await server.db.platform((tx) => tx.find(noticeSetting));
    expect(JSON.stringify(row)).not.toContain('k7Wm2xQe');
    expect(await lastAudit('notices.saveSettings')).toMatchObject({
      targetKind: 'tenant',
      before: { gateway: '' },
      after: { gateway: `${gateway.origin}/send` },
    });
    expect(JSON.stringify(await lastAudit('notices.saveSettings'))).not.toContain('k7Wm2xQe');
    expect(await codeOf(admin.notices.saveSettings({ body: { reminderMinutes: 5, gateway: null, version: 0 } }))).toBe(
      'CHANGED_MEANWHILE',
    );
    expect(await dave.notices.settings()).toMatchObject({ smsSource: 'none', version: 0 });
    expect(await codeOf(alice.notices.settings())).toBe('FORBIDDEN');
    for (const reminderMinutes of [10, -5, 61])
      expect(
        await codeOf(
          admin.notices.saveSettings({ body: { reminderMinutes: reminderMinutes as 5, gateway: null, version: 1 } }),
        ),
      ).toBe('INVALID_INPUT');
  });

  test('send a secret only to the server it was entered for', async () => {
    await withGateway({ secret: 'k7Wm2xQe-secret' });
    await withGateway({ url: `${gateway.origin}/other` });
    await admin.notices.testSms({ body: { phone: '+49 151 2000' } });
    expect(gateway.received).toMatchObject([{ url: '/other', headers: { authorization: 'Bearer k7Wm2xQe-secret' } }]);
    expect(await codeOf(withGateway({ url: 'http://127.0.0.1:1/send' }))).toBe('SMS_SECRET_NEEDED');
    expect(await withGateway({ url: 'http://127.0.0.1:1/send', secret: '' })).toMatchObject({
      gateway: { hasSecret: false },
    });
  });

  test('refuse a gateway inside the network, and test one with its answer', async () => {
    expect(await codeOf(withGateway({ url: 'http://169.254.169.254/latest' }))).toBe('SMS_GATEWAY_FORBIDDEN');
    await withGateway({ secret: 'k7' });
    await admin.notices.testSms({ body: { phone: '+49 151 2000' } });
    expect(JSON.parse(gateway.received[0]?.body ?? '')).toEqual({
      to: '+491512000',
      message: 'This is a test message of the meeting platform.',
    });
    expect(await lastAudit('notices.testSms')).toMatchObject({ after: { tested: true } });
    gateway.answers.push({ status: 403 });
    const refusal = await admin.notices.testSms({ body: { phone: '10086' } }).catch((error: Error) => error.message);
    expect(refusal).toContain('SMS_FAILED: The text message was not sent (403)');
  });
});

describe('text messages', () => {
  const due = () => server.rounds.sendNotices();

  test('go to a telephone number that is invited into a running meeting', async () => {
    await withGateway({ secret: 'k7' });
    const made = await book(server, chair, { subject: '查房', startTime: server.clock.in(0) });
    const params = { meetId: made.meetId };
    await chair.conferences.join({ body: { numericId: made.numericId } });
    expect(await chair.conferences.inviting({ params })).toMatchObject({ mail: 'notConfigured', sms: null });
    const people = [{ kind: 'phone' as const, name: 'Ward 3', phone: '10086' }];
    await chair.conferences.command({ params, body: { verb: 'invite', people } });
    await due();
    const [{ body } = { body: '{}' }] = gateway.received;
    expect(JSON.parse(body)).toMatchObject({ to: '10086', message: expect.stringContaining(made.config.url) });
    expect(await statesOf(chair, made)).toEqual({ 'Ward 3': 'SUCCESS: sms invitation SUCCESS' });
    await chair.conferences.end({ params });
  });

  test('reach people with a number and telephone parties, if the host may send them', async () => {
    await withGateway({ secret: 'k7' });
    const made = await book(server, chair, {
      subject: '查房',
      participants: [...(invite(server, 'alice', 'bob') ?? []), { kind: 'phone', name: 'Ward 3', phone: '10086' }],
    });
    await due();
    const sent = gateway.received
      .map(({ body }) => JSON.parse(body) as { to: string; message: string })
      .toSorted((a, b) => a.to.localeCompare(b.to));
    expect(sent.map(({ to }) => to)).toEqual(['+491511000', '10086']);
    for (const { message } of sent)
      for (const part of ['Chair invites you: 查房', made.config.url, '4821']) expect(message).toContain(part);
    expect(await statesOf(chair, made)).toEqual({
      Alice: 'SUCCESS: sms invitation SUCCESS, centre invitation SUCCESS',
      Bob: 'SUCCESS: centre invitation SUCCESS',
      'Ward 3': 'SUCCESS: sms invitation SUCCESS',
    });
    await chair.meetings.cancel({ params: { id: made.meetId }, query: {} });
    await due();
    expect(gateway.received.slice(2).map(({ body }) => (JSON.parse(body) as { message: string }).message)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^Cancelled, or without you: 查房/) as string),
    );
  });

  test('are not sent for hosts who may not, or without a gateway, which is reported', async () => {
    await withGateway({ secret: 'k7' });
    const phone = { kind: 'phone' as const, name: 'Ward 3', phone: '10086' };
    const forbidden = await book(server, admin, { participants: [...(invite(server, 'alice') ?? []), phone] });
    expect(await statesOf(admin, forbidden)).toEqual({
      Alice: 'SUCCESS: centre invitation SUCCESS',
      'Ward 3': 'FAIL: sms invitation FAIL notPermitted',
    });
    await admin.notices.saveSettings({ body: { reminderMinutes: 15, gateway: null, version: await versionOf(admin) } });
    const none = await book(server, chair, { participants: [...(invite(server, 'alice') ?? []), phone] });
    await due();
    expect(gateway.received).toEqual([]);
    expect(await statesOf(chair, none)).toEqual({
      Alice: 'SUCCESS: centre invitation SUCCESS',
      'Ward 3': 'FAIL: sms invitation FAIL notConfigured',
    });
    // Once there is a gateway, they are sent.
    await withGateway({ secret: 'k7' });
    await chair.notices.resend({ params: { id: none.meetId } });
    await due();
    expect(gateway.received).toHaveLength(2);
    expect(await statesOf(chair, none)).toMatchObject({ 'Ward 3': 'SUCCESS: sms invitation SUCCESS' });
  });

  test('that the gateway refuses are given up; those it cannot accept now are tried again', async () => {
    await withGateway({ secret: 'k7' });
    const party = (name: string, phone: string) => ({ kind: 'phone' as const, name, phone });
    gateway.answers.push({ status: 200, body: '{"code":7}' });
    const refused = await book(server, chair, { participants: [party('One', '10001')] });
    await due();
    expect(await statesOf(chair, refused)).toEqual({ One: 'FAIL: sms invitation FAIL refused' });
    gateway.answers.push({ status: 503 });
    const late = await book(server, chair, { participants: [party('Two', '10002')] });
    await due();
    expect(await statesOf(chair, late)).toEqual({ Two: 'SENDING: sms invitation SENDING' });
    server.clock.advance({ seconds: 31 });
    await due();
    expect(await statesOf(chair, late)).toEqual({ Two: 'SUCCESS: sms invitation SUCCESS' });
  });
});

describe('GET meetings/notice/resend/{id}', () => {
  test('sends to all invited people again, for host, stand-in and administrator, and writes the log', async () => {
    await withGateway({ secret: 'k7' });
    const made = await book(server, chair, {
      subject: 'Again',
      participants: [...(invite(server, 'bob') ?? []), { kind: 'phone', name: 'Ward 3', phone: '10086' }],
    });
    await server.rounds.sendNotices();
    gateway.received.length = 0;
    expect(await chair.notices.resend({ params: { id: made.meetId } })).toMatchObject([
      { kind: 'user', name: 'Bob', contact: '', status: 'SUCCESS' },
      {
        kind: 'phone',
        name: 'Ward 3',
        contact: '10086',
        status: 'SENDING',
        deliveries: [{ channel: 'sms', status: 'SENDING', attempts: 0 }],
      },
    ]);
    expect(await lastAudit('notices.resend')).toMatchObject({
      targetId: made.meetId,
      targetName: 'Again',
      actorName: 'Chair',
    });
    await server.rounds.sendNotices();
    expect(gateway.received).toHaveLength(1);
    expect(await codeOf(admin.notices.resend({ params: { id: made.meetId } }))).toBe('OK');
    await server.db.tenant(north(), (tx) =>
      tx.insert(meetingGrant, {
        meetingId: made.meetId,
        accountId: server.people.get('alice')?.id ?? '',
        grantedBy: 'Chair',
        grantedAt: server.clock.now(),
      }),
    );
    expect(await codeOf(alice.notices.resend({ params: { id: made.meetId } }))).toBe('OK');
    expect(await codeOf(bob.notices.resend({ params: { id: made.meetId } }))).toBe('FORBIDDEN');
    for (const id of [made.meetId, newId()])
      expect(await codeOf(dave.notices.resend({ params: { id } }))).toBe('NOT_FOUND');
    // Notices that are already waiting are not queued twice.
    await server.rounds.sendNotices();
    const rows = await server.db.platform((tx) => tx.find(notice, eq(notice.phone, '10086')));
    expect(rows.filter(({ status }) => status === 'SENDING')).toEqual([]);
  });

  test('is refused if it comes too often, and if the meeting is over', async () => {
    const over = await book(server, alice, {
      startTime: server.clock.in(0),
      duration: 5,
      participants: invite(server, 'bob'),
    });
    const codes: string[] = [];
    for (let n = 0; n < 7; n += 1) codes.push(await codeOf(alice.notices.resend({ params: { id: over.meetId } })));
    expect(codes.slice(0, 5)).toEqual(['OK', 'OK', 'OK', 'OK', 'OK']);
    expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS');
    const made = await book(server, bob, {
      startTime: server.clock.in(0),
      duration: 5,
      participants: invite(server, 'alice'),
    });
    server.clock.advance({ hours: 3 });
    expect(await codeOf(bob.notices.resend({ params: { id: made.meetId } }))).toBe('MEETING_ENDED');
  });
});

test('addresses and numbers are masked for people who may not manage the meeting, and absent from logs', async () => {
  const made = await book(server, chair, {
    participants: [
      ...(invite(server, 'bob', 'guest.of.honour@example.org') ?? []),
      { kind: 'phone', name: 'Ward 3', phone: '+49 170 7654321' },
    ],
  });
  await server.rounds.sendNotices();
  const contacts = async (person: Person) =>
    (await person.notices.ofMeeting({ params: { id: made.meetId } })).map(({ contact }) => contact);
  expect(await contacts(chair)).toEqual(['', 'guest.of.honour@example.org', '+491707654321']);
  expect(await contacts(bob)).toEqual(['', 'g***@example.org', '+4***21']);
  expect(await codeOf(dave.notices.ofMeeting({ params: { id: made.meetId } }))).toBe('NOT_FOUND');
  expect(logged.length).toBeGreaterThan(20);
  for (const secret of ['guest.of.honour', '7654321', 'alice@example.org', '1511000', '151 1000', 'k7Wm2xQe'])
    expect(
      logged.filter((line) => line.includes(secret)),
      secret,
    ).toEqual([]);
});

describe('texts', () => {
  const key = { kind: 'invitation', channel: 'sms', locale: 'en' } as const;

  test('exist for every kind, channel and language, and can all be shown', async () => {
    const texts = await admin.notices.texts();
    // Approvals are not announced by text message.
    expect(texts).toHaveLength(INVITEE_NOTICE_KINDS.length * 4 + APPROVAL_NOTICE_KINDS.length * 2);
    for (const { isBuiltIn, ...text } of texts) {
      expect(isBuiltIn).toBe(true);
      const shown = await admin.notices.previewText({ body: text });
      expect(`${shown.subject}${shown.text}`).not.toMatch(/[{}]/);
      expect(shown.text).toMatch(text.locale === 'zh' ? /晨间查房/ : /Ward round/);
      expect(shown.html === '').toBe(text.channel === 'sms');
      expect(shown.subject === '').toBe(text.channel === 'sms');
    }
  });

  test('belong to the tenant once it has written them, until it resets them', async () => {
    await withGateway({ secret: 'k7' });
    const before = (await admin.notices.texts()).find(
      (one) => one.kind === 'invitation' && one.channel === 'sms' && one.locale === 'en',
    );
    expect(
      await admin.notices.saveText({
        body: { ...key, subject: 'ignored', text: 'Come to {subject}, {{number}}, {name}' },
      }),
    ).toMatchObject({ subject: '', isBuiltIn: false });
    expect(await lastAudit('notices.saveText')).toMatchObject({
      targetKind: 'noticeText',
      before: { text: before?.text },
      after: { text: 'Come to {subject}, {{number}}, {name}' },
    });
    const made = await book(server, chair, {
      subject: 'Own {password}',
      participants: [{ kind: 'phone', name: 'Ward 3', phone: '10086' }],
    });
    await server.rounds.sendNotices();
    expect(gateway.received.map(({ body }) => (JSON.parse(body) as { message: string }).message)).toEqual([
      `Come to Own {password}, {${made.numericId.replace(/(\d{3})(?=\d)/g, '$1 ')}}, Ward 3`,
    ]);
    expect((await dave.notices.texts()).every(({ isBuiltIn }) => isBuiltIn)).toBe(true);
    expect(await admin.notices.resetText({ query: key })).toEqual({ ...before, isBuiltIn: true });
    expect(await lastAudit('notices.resetText')).toMatchObject({ after: { text: before?.text } });
    expect((await admin.notices.texts()).every(({ isBuiltIn }) => isBuiltIn)).toBe(true);
  });

  test('name no unknown field, and are not empty', async () => {
    for (const send of [admin.notices.saveText, admin.notices.previewText]) {
      const refusal = await send({ body: { ...key, subject: '', text: 'Hello {subject} {meetingRoom} {x}' } }).catch(
        (error: Error) => error.message,
      );
      expect(refusal).toContain('NOTICE_TEXT_UNKNOWN_FIELD: {meetingRoom} is not a field');
      expect(await codeOf(send({ body: { ...key, channel: 'mail', subject: '{nothing}', text: 'x' } }))).toBe(
        'NOTICE_TEXT_UNKNOWN_FIELD',
      );
      expect(await codeOf(send({ body: { ...key, subject: '', text: ' \n' } }))).toBe('INVALID_INPUT');
      expect(await codeOf(send({ body: { ...key, channel: 'mail', subject: ' ', text: 'x' } }))).toBe('INVALID_INPUT');
    }
    expect(await codeOf(alice.notices.saveText({ body: { ...key, subject: '', text: 'x' } }))).toBe('FORBIDDEN');
  });

  test('are never markup in a mail', async () => {
    const { html } = await admin.notices.previewText({
      body: {
        ...key,
        channel: 'mail',
        subject: 'x',
        text: '<b>{subject}</b> & "x"\nhttps://x.example/?a=1&b="><script>',
      },
    });
    expect(html).toContain(
      '&lt;b&gt;Ward round&lt;/b&gt; &amp; &quot;x&quot;<br><a ' +
        'href="https://x.example/?a=1&amp;b=">https://x.example/?a=1&amp;b=</a>&quot;&gt;&lt;script&gt;',
    );
  });
});
