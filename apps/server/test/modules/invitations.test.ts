import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { contract, encodeContact, INVITATION_LIFETIME, type Args } from '@rmeet/contract';
import type { MailServer } from '@rmeet/testkit';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { account, invitation } from '../../src/modules/accounts/users/tables.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const PASSWORD = 'Chosen-by-me-1';

let server: TestServer;
let mails: MailServer;
let admin: Person;
let made = 0;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
});
afterAll(() => server.close());
beforeEach(async () => {
  mails.received.length = 0;
  // The time of a test before has ended its session.
  admin = await signIn(server, 'admin');
});

type CreateBody = NonNullable<Args<typeof contract.users.create>['body']>;
/** An invited person, with the number of mails that have arrived by then. */
async function inviteOne(values: Partial<CreateBody> = {}) {
  made += 1;
  const email = encodeContact(`guest${made}@example.org`);
  const { user, password } = await admin.users.create({
    body: { account: `guest${made}`, name: `Guest ${made}`, email, locale: 'en', invite: true, ...values },
  });
  return { user, password };
}
/** The secret in the newest of `count` mails. */
async function secretOf(count = 1): Promise<string> {
  await expect.poll(() => mails.received.length).toBe(count);
  return (
    /https:\/\/meet\.example\.org\/#\/invitation\?secret=([\w-]+)/.exec(mails.received.at(-1)?.text ?? '')?.[1] ?? ''
  );
}
/** Once the server knows that the mail was accepted. */
const stateOf = async (id: string) =>
  (await admin.users.list({ query: { keyword: 'guest', size: 200 } })).records.find((row) => row.id === id)?.invitation
    ?.state;
const accept = async (secret: string, password = PASSWORD, address?: string) =>
  codeOf(
    clientOf(server, undefined, address).invitations.accept({
      body: { secret, password: await encrypt(server, password) },
    }),
  );
const read = (secret: string, address?: string) =>
  codeOf(clientOf(server, undefined, address).invitations.read({ body: { secret } }));
const login = async (name: string, password: string) =>
  codeOf(clientOf(server).auth.login({ body: { account: name, password: await encrypt(server, password) } }));

describe('an invitation', () => {
  test('is a mail in the language of the person, whose link sets the password and signs in, once', async () => {
    const { user, password } = await inviteOne({ department: '外科' });
    expect([password, user.invitation?.state]).toEqual([null, 'waiting']);
    const secret = await secretOf();
    const [mail] = mails.received;
    expect(mail).toMatchObject({
      to: [`${user.account}@example.org`],
      subject: 'north invites you to its video meetings',
    });
    expect(mail?.html).toContain(`href="https://meet.example.org/#/invitation?secret=${secret}"`);
    await expect.poll(() => stateOf(user.id)).toBe('sent');
    expect((await admin.users.list({ query: { status: 'invited', keyword: user.account } })).records).toHaveLength(1);
    expect((await admin.users.list({ query: { status: 'enabled', keyword: user.account } })).records).toEqual([]);

    const person = clientOf(server);
    expect(await person.invitations.read({ body: { secret } })).toMatchObject({
      account: user.account,
      branding: { name: 'north' },
      passwordRules: { minLength: 8 },
    });
    expect(await accept(secret, 'short')).toBe('PASSWORD_TOO_WEAK');
    expect(await accept(secret, `x${user.account}X12345`)).toBe('PASSWORD_TOO_WEAK');
    const signedIn = await person.invitations.accept({ body: { secret, password: await encrypt(server, PASSWORD) } });
    expect(signedIn.user).toMatchObject({ id: user.id, tenantName: 'north' });
    expect(await codeOf(clientOf(server, signedIn.token).users.current({}))).toBe('OK');
    expect(await login(user.account, PASSWORD)).toBe('OK');
    expect(await stateOf(user.id)).toBeUndefined();

    expect([await read(secret), await accept(secret, 'Another-one-2')]).toEqual([
      'INVITATION_INVALID',
      'INVITATION_INVALID',
    ]);
    const log = await server.db.platform((tx) =>
      tx.find(auditLog, eq(auditLog.targetId, user.id), { orderBy: auditLog.id }),
    );
    expect(log.map(({ action, actorName }) => [action, actorName])).toEqual([
      ['users.create', 'Admin'],
      ['invitations.accept', user.name],
    ]);
    expect(JSON.stringify(log)).not.toContain(secret);
  });

  test('is in Chinese for a person whose language that is, and its names are no HTML', async () => {
    await inviteOne({ locale: 'zh', name: '<b>张伟</b>' });
    await secretOf();
    expect(mails.received[0]).toMatchObject({ subject: 'north 邀请您加入视频会议' });
    expect(mails.received[0]?.text).toContain('链接 7 天内有效');
    expect(mails.received[0]?.html).toContain('&lt;b&gt;张伟&lt;/b&gt;');
  });

  test('is accepted once, even by two requests at the same time', async () => {
    await inviteOne();
    const secret = await secretOf();
    const codes = await Promise.all([accept(secret), accept(secret, 'Another-one-2')]);
    expect(codes.toSorted()).toEqual(['INVITATION_INVALID', 'OK']);
  });

  test('works for seven days', async () => {
    const { user } = await inviteOne();
    const secret = await secretOf();
    await expect.poll(() => stateOf(user.id)).toBe('sent');
    server.clock.advance({ seconds: INVITATION_LIFETIME / 1_000 - 1 });
    expect(await read(secret)).toBe('OK');
    server.clock.advance({ seconds: 1 });
    expect([await read(secret), await accept(secret)]).toEqual(['INVITATION_INVALID', 'INVITATION_INVALID']);
    admin = await signIn(server, 'admin');
    expect(await stateOf(user.id)).toBe('expired');
    // Another one works.
    await admin.users.invite({ body: { id: user.id } });
    expect(await accept(await secretOf(2))).toBe('OK');
  });

  test('sent again or withdrawn makes earlier links worthless', async () => {
    const { user } = await inviteOne();
    const first = await secretOf();
    await expect.poll(() => stateOf(user.id)).toBe('sent');
    await admin.users.invite({ body: { id: user.id } });
    const second = await secretOf(2);
    expect(await read(first)).toBe('INVITATION_INVALID');
    expect(await read(second)).toBe('OK');
    expect(await admin.users.revokeInvitation({ body: { id: user.id } })).toMatchObject({
      invitation: { state: 'revoked' },
    });
    expect(await accept(second)).toBe('INVITATION_INVALID');
    expect(await codeOf(admin.users.revokeInvitation({ body: { id: user.id } }))).toBe('NOT_FOUND');
  });

  test('of a disabled or deleted account opens nothing; a first password takes its place', async () => {
    const { user } = await inviteOne();
    const secret = await secretOf();
    await admin.users.status({ body: { id: user.id, enabled: false } });
    expect([await read(secret), await accept(secret)]).toEqual(['ACCOUNT_DISABLED', 'ACCOUNT_DISABLED']);
    expect(await codeOf(admin.users.invite({ body: { id: user.id } }))).toBe('NOT_INVITABLE');
    await admin.users.status({ body: { id: user.id, enabled: true } });
    await admin.users.remove({ query: { id: user.id } });
    expect([await read(secret), await accept(secret)]).toEqual(['INVITATION_INVALID', 'INVITATION_INVALID']);
    await admin.users.restore({ body: { id: user.id } });
    expect(await read(secret)).toBe('OK');
    const { password } = await admin.users.resetPassword({ body: { id: user.id } });
    expect(await accept(secret)).toBe('INVITATION_INVALID');
    expect(await login(user.account, password)).toBe('PWD_EXPIRED');
  });

  test('replaces a first password that was never used, and no other one', async () => {
    const { user, password } = await inviteOne({ invite: false });
    expect(await login(user.account, password ?? '')).toBe('PWD_EXPIRED');
    expect(user).toMatchObject({ invitation: null, can: { invite: true } });
    await admin.users.invite({ body: { id: user.id } });
    expect(await login(user.account, password ?? '')).toBe('BAD_CREDENTIALS');
    expect(await accept(await secretOf())).toBe('OK');
    expect(await codeOf(admin.users.invite({ body: { id: user.id } }))).toBe('NOT_INVITABLE');
    expect(await login(user.account, PASSWORD)).toBe('OK');
  });

  test('needs a mail address', async () => {
    expect(await codeOf(inviteOne({ email: '--' }))).toBe('ACCOUNT_WITHOUT_MAIL');
    expect((await admin.users.list({ query: { keyword: `guest${made}` } })).records).toEqual([]);
  });

  test('is sent again later if the mail server refuses it for now, and not if it refuses it for good', async () => {
    mails.refusals.push(451);
    const { user } = await inviteOne();
    const tries = () =>
      server.db.platform(async (tx) => (await tx.findOne(invitation, eq(invitation.accountId, user.id)))?.tries);
    await expect.poll(async () => [await tries(), mails.refusals.length]).toEqual([1, 0]);
    await expect
      .poll(async () => {
        server.clock.advance({ seconds: 61 });
        await server.rounds.sendInvitations();
        return mails.received.length;
      })
      .toBe(1);
    mails.refusals.push(550);
    const { user: other } = await inviteOne();
    await expect.poll(() => stateOf(other.id)).toBe('failed');
    expect(mails.received).toHaveLength(1);
  });

  test('has a secret of which only the hash is stored, and guesses are slowed down', async () => {
    const { user } = await inviteOne();
    const secret = await secretOf();
    const rows = await server.db.platform(async (tx) => [
      await tx.find(invitation),
      await tx.find(account, eq(account.id, user.id)),
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const codes: string[] = [];
    for (let guess = 0; guess < 12; guess += 1) codes.push(await read(`guess ${guess}`, '10.9.8.7'));
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'INVITATION_INVALID'));
    expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS');
    // The link itself works from there.
    expect(await read(secret, '10.9.8.7')).toBe('OK');
    // An invited account has no password that could be guessed.
    expect([await login(user.account, ''), await login(user.account, DEMO_PASSWORD)]).toEqual([
      'BAD_CREDENTIALS',
      'BAD_CREDENTIALS',
    ]);
  });

  test('of the only other administrator does not count as one', async () => {
    const { user } = await inviteOne({ isTenantAdmin: true });
    const root = await signIn(server, 'root');
    const id = server.people.get('admin')?.id ?? '';
    const tenantId = server.people.get('admin')?.tenantId ?? '';
    expect(await codeOf(root.users.status({ body: { tenantId, id, enabled: false } }))).toBe('LAST_ADMIN');
    await admin.users.remove({ query: { id: user.id } });
  });
});

test('without a mail server no one is invited, and pages know why', async () => {
  const silent = await startTestServer();
  try {
    const there = await signIn(silent, 'admin');
    expect(await there.users.invitationMail()).toEqual({ lacks: 'mailServer' });
    const body = { account: 'mailless', name: 'Mailless', email: encodeContact('a@example.org'), invite: true };
    expect(await codeOf(there.users.create({ body }))).toBe('INVITATIONS_UNAVAILABLE');
    expect((await there.users.list({ query: { keyword: 'mailless' } })).records).toEqual([]);
  } finally {
    await silent.close();
  }
});
