import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DeskInvitee, Meeting } from '@rmeet/contract';
import { conferenceCall } from '../../src/modules/conferences/tables.ts';
import { notice } from '../../src/modules/notices/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import type { MailServer } from '@rmeet/testkit';
import { codeOf, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { book, invite } from './support/meetings.ts';
import type { TestServer } from './support/server.ts';

let mails: MailServer;
let server: TestServer;
let chair: Person;
let made: Meeting;
const rz = { res: 'rz' };
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
  chair = await signIn(server, 'chair');
  const north = server.people.get('chair')?.tenantId ?? '';
  await server.db.tenant(north, async (tx) => {
    await tx.update(account, { email: 'alice@example.org', locale: 'en' }, eq(account.account, 'alice'));
    await tx.update(account, { email: 'bob@example.org', locale: 'zh' }, eq(account.account, 'bob'));
  });
});
afterAll(() => server.close());
beforeEach(() => {
  mails.received.length = 0;
});

async function start(...invited: string[]): Promise<void> {
  made = await book(server, chair, {
    subject: '查房',
    startTime: server.clock.in(0),
    participants: invite(server, ...invited),
  });
  // The invitations are sent before anybody is called.
  await server.rounds.sendNotices();
  await expect
    .poll(() => server.db.platform((tx) => tx.count(notice, eq(notice.status, 'SENDING'))), { timeout: 20_000 })
    .toBe(0);
  mails.received.length = 0;
  await chair.conferences.join({ body: { numericId: made.numericId } });
}
const callAll = () => chair.conferences.callAll({ params: rz, body: { meetId: made.meetId } });
async function states(): Promise<Record<string, DeskInvitee['mail']>> {
  const { invitees } = await chair.conferences.state({ params: { meetId: made.meetId } });
  return Object.fromEntries(invitees.map(({ name, mail: state }) => [name, state]));
}
const settled = (expected: Record<string, DeskInvitee['mail']>) =>
  expect.poll(states, { timeout: 40_000 }).toEqual(expected);

test('people called get a mail with the link in their language; those without an address get none', async () => {
  await start('alice', 'bob', 'carol', 'guest@example.org');
  await callAll();
  await settled({ Alice: 'SUCCESS', Bob: 'SUCCESS', Carol: 'none', 'guest@example.org': 'SUCCESS' });
  const byAddress = new Map(mails.received.map((one) => [one.to.join(), one]));
  expect([...byAddress.keys()].toSorted()).toEqual(['alice@example.org', 'bob@example.org', 'guest@example.org']);
  expect(byAddress.get('alice@example.org')?.subject).toBe('Chair is calling you into the meeting: 查房');
  expect(byAddress.get('bob@example.org')?.subject).toBe('Chair 正在呼叫您参加会议：查房');
  expect(byAddress.get('guest@example.org')?.subject).toBe('Chair is calling you into the meeting: 查房');
  const spaced = made.numericId.replace(/(\d{3})(?=\d)/g, '$1 ');
  for (const { text } of byAddress.values())
    for (const part of [made.config.url, spaced, '4821', '查房', 'Chair']) expect(text).toContain(part);
  expect(byAddress.get('alice@example.org')?.text).toContain(`Join: ${made.config.url}\n`);
  expect(byAddress.get('bob@example.org')?.text).toContain(`点击加入：${made.config.url}\n`);
});

test('an address gets one mail within two minutes', async () => {
  await start('alice', 'guest@example.org');
  await callAll();
  await settled({ Alice: 'SUCCESS', 'guest@example.org': 'SUCCESS' });
  const outside =
    (await chair.conferences.state({ params: { meetId: made.meetId } })).invitees.find(({ userId }) => userId === null)
      ?.termId ?? '';
  const callOutside = () =>
    chair.conferences.changeStatus({ params: rz, body: { meetId: made.meetId, termId: outside, status: 'CALL' } });
  expect(await codeOf(callOutside())).toBe('TOO_MANY_REQUESTS');
  server.clock.advance({ seconds: 61 });
  await server.tick();
  await callAll();
  await settled({ Alice: 'SUCCESS', 'guest@example.org': 'SUCCESS' });
  expect(mails.received).toHaveLength(2);
  server.clock.advance({ seconds: 60 });
  await callOutside();
  await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(3);
});

test('a mail that the mail server refuses for now is tried again, a permanent refusal is not', async () => {
  await start('guest@example.org');
  mails.refusals.push(451);
  await callAll();
  expect(await states()).toEqual({ 'guest@example.org': 'SENDING' });
  await settled({ 'guest@example.org': 'SUCCESS' });
  expect(mails.received).toHaveLength(1);

  await start('gone@example.org');
  mails.refusals.push(550);
  await callAll();
  await settled({ 'gone@example.org': 'FAIL' });
  expect(mails.received).toEqual([]);
});

test('a called person who has joined meanwhile gets no mail', async () => {
  await start('alice');
  mails.refusals.push(451);
  await callAll();
  const alice = await signIn(server, 'alice');
  await expect.poll(() => mails.refusals, { timeout: 20_000 }).toEqual([]);
  await alice.conferences.join({ body: { numericId: made.numericId } });
  const [call] = await server.db.platform((tx) =>
    tx.find(conferenceCall, eq(conferenceCall.accountId, server.people.get('alice')?.id ?? ''), {
      orderBy: desc(conferenceCall.calledAt),
      limit: 1,
    }),
  );
  expect(call?.mail).toBe('SENDING');
  const mailOf = () =>
    server.db.platform(
      async (tx) => (await tx.findOne(conferenceCall, eq(conferenceCall.conferenceId, call?.conferenceId ?? '')))?.mail,
    );
  await expect.poll(mailOf, { timeout: 40_000 }).toBe('none');
  expect(mails.received).toEqual([]);
});
