import { desc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CommandRequestInput, ExpectedPerson, Meeting } from '@rmeet/contract';
import type { MailServer } from '@rmeet/testkit';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { book, invite } from './support/meetings.ts';
import { connect, type TestSocket } from './support/push.ts';
import type { TestServer } from './support/server.ts';

type InviteInput = Extract<CommandRequestInput, { verb: 'invite' }>;

let mails: MailServer;
let server: TestServer;
let chair: Person;
let alice: Person;
let bob: Person;
let made: Meeting;
let sockets: TestSocket[];
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
  [chair, alice, bob] = (await Promise.all(['chair', 'alice', 'bob'].map((name) => signIn(server, name)))) as [
    Person,
    Person,
    Person,
  ];
  const north = server.people.get('alice')?.tenantId ?? '';
  await server.db.tenant(north, (tx) =>
    tx.update(account, { email: 'alice@example.org', locale: 'en' }, eq(account.account, 'alice')),
  );
});
afterAll(() => server.close());
beforeEach(async () => {
  sockets = [];
  mails.received.length = 0;
  made = await book(server, chair, { startTime: server.clock.in(0), participants: invite(server, 'bob') });
  await join(chair);
});
afterEach(async () => {
  await Promise.all(sockets.map((socket) => socket.close()));
  await codeOf(chair.conferences.end({ params: params() }));
  await server.tick();
});

const named = (...names: string[]): InviteInput['people'] => invite(server, ...names) ?? [];
const params = () => ({ meetId: made.meetId });
const U = (name: string): string => `U${server.people.get(name)?.id ?? ''}`;
const join = (who: Person) => who.conferences.join({ body: { numericId: made.numericId } });
const give = (who: Person, body: CommandRequestInput) => who.conferences.command({ params: params(), body });
const inviteNow = (people: InviteInput['people'], more: Partial<InviteInput> = {}, who: Person = chair) =>
  give(who, { verb: 'invite', people, ...more });
async function follow(who: { token: string } | { sessionToken: string }, topic: string): Promise<TestSocket> {
  const credentials = 'sessionToken' in who ? { sessionToken: who.sessionToken } : { token: who.token };
  const socket = await connect(server, credentials, topic);
  sockets.push(socket);
  return socket;
}
async function states(): Promise<Record<string, ExpectedPerson['state']>> {
  const { invitees } = await chair.conferences.inviting({ params: params() });
  return Object.fromEntries(invitees.map(({ name, state }) => [name, state]));
}
const mailsTo = (address: string): string[] =>
  mails.received.flatMap(({ to, subject }) => (to.includes(address) ? [subject] : []));

test('a colleague who was not invited is invited, told and rung by one command, which is audited', async () => {
  const atAlice = await follow(alice, 'user');
  const answer = await inviteNow(named('alice'));
  expect((await atAlice.event('ring')).event).toMatchObject({ meetId: made.meetId, from: 'Chair' });
  expect(await states()).toEqual({ Chair: 'inside', Alice: 'ringing', Bob: 'absent' });
  await atAlice.event('noticesChanged');
  expect((await alice.meetings.detail({ params: { id: made.meetId } })).participants.map(({ kind }) => kind)).toEqual([
    'user',
    'user',
  ]);
  const log = await chair.conferences.events({ params: params(), query: {} });
  expect(log.find(({ commandId }) => commandId === answer?.commandId)).toMatchObject({
    verb: 'invite',
    input: { targets: [U('alice')], names: ['Alice'] },
  });
  const [row] = await server.db.platform((tx) =>
    tx.find(auditLog, undefined, { orderBy: [desc(auditLog.at)], limit: 1 }),
  );
  expect(row).toMatchObject({ action: 'conferences.command', actorName: 'Chair', after: { names: ['Alice'] } });
  await server.rounds.sendNotices();
  await expect.poll(() => mailsTo('alice@example.org'), { timeout: 20_000 }).toEqual(['Invitation: Ward round']);
});

test('an outside address gets the invitation once, and a person is only rung on request', async () => {
  const atAlice = await follow(alice, 'user');
  const people: InviteInput['people'] = [...named('alice'), { kind: 'mail', email: 'Guest@example.org' }];
  await inviteNow(people, { ring: false });
  await inviteNow([{ kind: 'mail', email: 'guest@EXAMPLE.org' }]);
  await atAlice.event('noticesChanged');
  expect(atAlice.messages.some((message) => 'event' in message && message.event.type === 'ring')).toBe(false);
  expect(await states()).toEqual({ Chair: 'inside', Alice: 'absent', Bob: 'absent', 'Guest@example.org': 'absent' });
  await server.rounds.sendNotices();
  await expect.poll(() => mailsTo('Guest@example.org').length, { timeout: 20_000 }).toBe(1);
});

test('only accounts of the organisation that lead the meeting invite, and only colleagues', async () => {
  const people = named('alice');
  expect(await codeOf(inviteNow(people, {}, bob))).toBe('FORBIDDEN');
  expect(await codeOf(inviteNow(people, {}, alice))).toBe('NOT_FOUND');
  expect(await codeOf(bob.conferences.inviting({ params: params() }))).toBe('FORBIDDEN');
  const member = await join(bob);
  expect(await codeOf(inviteNow(people, {}, clientOf(server, member.sessionToken)))).toBe('FORBIDDEN');
  const guest = await clientOf(server).conferences.join({
    body: { numericId: made.numericId, password: '4821', name: 'Grace' },
  });
  await give(chair, { verb: 'chairman', termId: guest.termId });
  expect(await codeOf(inviteNow(people, {}, clientOf(server, guest.sessionToken)))).toBe('FORBIDDEN');
  expect(await codeOf(clientOf(server, guest.sessionToken).conferences.inviting({ params: params() }))).toBe(
    'FORBIDDEN',
  );
  // Erin is a user of another tenant.
  expect(await codeOf(inviteNow(named('erin')))).toBe('PARTICIPANT_UNKNOWN');
  await give(chair, { verb: 'chairman', termId: member.termId });
  await inviteNow(people, {}, clientOf(server, member.sessionToken));
  expect(await states()).toMatchObject({ Alice: 'ringing' });
});

test('a channel that is not set up is refused, and said before', async () => {
  expect(await chair.conferences.inviting({ params: params() })).toMatchObject({ mail: null, sms: 'notConfigured' });
  expect(await codeOf(inviteNow([{ kind: 'phone', phone: '+86 10 1234 5678' }]))).toBe('VERB_IMPOSSIBLE');
  expect(await states()).toEqual({ Chair: 'inside', Bob: 'absent' });
});

test('a ring is cancelled and repeated; unanswered it was missed, until the person comes', async () => {
  const atBob = await follow(bob, 'user');
  const terminal = await follow(await join(chair), `meeting:${made.meetId}`);
  await give(chair, { verb: 'call', targets: [U('bob')] });
  await atBob.event('ring');
  await terminal.event('callsChanged');
  expect(await codeOf(give(bob, { verb: 'cancelCall', targets: [U('bob')] }))).toBe('FORBIDDEN');
  await give(chair, { verb: 'cancelCall', targets: [U('bob')] });
  await atBob.event('ringOver');
  expect(await states()).toMatchObject({ Bob: 'absent' });
  await inviteNow(named('bob'));
  expect(await states()).toMatchObject({ Bob: 'ringing' });
  server.clock.advance({ seconds: 60 });
  await server.tick();
  expect(await states()).toMatchObject({ Bob: 'missed' });
  const { sessionToken } = await join(bob);
  expect(await states()).toMatchObject({ Bob: 'inside' });
  await clientOf(server, sessionToken).conferences.leave({ params: params() });
  expect(await states()).toMatchObject({ Bob: 'absent' });
});
