import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { contract, pathOf, type Meeting } from '@rmeet/contract';
import type { MailServer, ReceivedMail } from '@rmeet/testkit';
import { terminalSession } from '../../src/modules/conferences/tables.ts';
import { notice, noticeEdition } from '../../src/modules/notices/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { clientOf, send, signIn, type Person } from './support/client.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import type { TestServer } from './support/server.ts';

/** An address instead of a name: names are rejected while no address is configured. */
const EVIL = '198.51.100.7';

let mails: MailServer;
let server: TestServer;
let chair: Person;

async function start(publicUrls: readonly string[]): Promise<void> {
  ({ server, mails } = await startServerWithMail({ publicUrls }));
  chair = await signIn(server, 'chair');
  await server.db.tenant(server.people.get('chair')?.tenantId ?? '', async (tx) => {
    await tx.update(account, { email: 'alice@example.org', locale: 'en' }, eq(account.account, 'alice'));
    await tx.update(account, { email: 'bob@example.org', locale: 'zh' }, eq(account.account, 'bob'));
  });
}

const everybody = () => invite(server, 'alice', 'bob', 'dana@example.com');

/** Books with a chosen host header, and invites everybody. */
async function bookAs(host: string): Promise<Meeting> {
  const body = {
    subject: 'Round',
    startTime: server.clock.in(0),
    duration: 30,
    password: '4821',
    participants: everybody(),
  };
  const answer = await send(server, 'POST', contract.meetings.createNetwork.path, { token: chair.token, host, body });
  expect(answer.statusCode).toBe('OK');
  return answer.data as Meeting;
}

async function delivered(count: number): Promise<Map<string, ReceivedMail>> {
  await server.rounds.sendNotices();
  await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(count);
  await expect
    .poll(() => server.db.platform((tx) => tx.count(notice, eq(notice.status, 'SENDING'))), { timeout: 20_000 })
    .toBe(0);
  return new Map(mails.received.splice(0).map((one) => [one.to.join(), one]));
}

beforeEach(() => {
  mails.received.length = 0;
});

beforeAll(() => start([]));
afterAll(() => server.close());

test('a forged Host header reaches no mail, calendar event or row; the mail says why it has no link', async () => {
  const made = await bookAs(EVIL);
  // Only the forger sees the response.
  expect(made.config.url).toContain(EVIL);
  const sent = await delivered(3);
  for (const one of sent.values()) {
    expect(JSON.stringify(one)).not.toContain(EVIL);
    expect(one.text).toContain('4821');
    expect(one.text).toContain(made.numericId.replace(/(\d{3})(?=\d)/g, '$1 '));
    expect(one.ical?.content).not.toContain('/#/join');
  }
  expect(sent.get('alice@example.org')?.text).toContain(
    'Join: no link, because the operator has not set the address of this server (RMEET_PUBLIC_URL).',
  );
  expect(sent.get('bob@example.org')?.text).toContain(
    '加入会议：无链接，因为管理员尚未设置本系统的访问地址（RMEET_PUBLIC_URL）',
  );
  const editions = await server.db.platform((tx) => tx.find(noticeEdition));
  expect(editions.length).toBeGreaterThan(0);
  expect(JSON.stringify(editions)).not.toContain(EVIL);
});

test('an old edition with a forged host is ignored, without a notice of a change', async () => {
  const made = await bookAs('127.0.0.1');
  await delivered(3);
  const [edition] = await server.db.platform((tx) => tx.find(noticeEdition, eq(noticeEdition.meetingId, made.meetId)));
  if (!edition) throw new Error('Nobody was told.');
  await server.db.platform((tx) =>
    tx.update(
      noticeEdition,
      { snapshot: { ...edition.snapshot, origin: `http://${EVIL}` } as never },
      eq(noticeEdition.id, edition.id),
    ),
  );
  const body = {
    subject: made.subject,
    startTime: made.startTime,
    duration: made.duration,
    password: '4821',
    participants: everybody(),
    version: 1,
  };
  const same = await chair.meetings.update({ params: { id: made.meetId }, body });
  await server.rounds.sendNotices();
  expect(mails.received).toEqual([]);
  await chair.meetings.update({
    params: { id: made.meetId },
    body: { ...body, subject: 'Other round', version: same.version },
  });
  for (const one of (await delivered(3)).values()) expect(JSON.stringify(one)).not.toContain(EVIL);
});

test('calls to absent people carry no forged host either', async () => {
  const made = await bookAs('127.0.0.1');
  await delivered(3);
  const { sessionToken } = await chair.conferences.join({ body: { numericId: made.numericId } });
  const answer = await send(server, 'POST', pathOf(contract.conferences.callAll, { params: { res: 'rz' } }), {
    token: chair.token,
    host: EVIL,
    body: { meetId: made.meetId },
  });
  expect(answer.statusCode).toBe('OK');
  await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(3);
  expect(JSON.stringify(mails.received)).not.toContain(EVIL);
  for (const { text } of mails.received) expect(text).toMatch(/^(Join: no link, because|点击加入：无链接)/m);
  await clientOf(server, sessionToken).conferences.leave({ params: { meetId: made.meetId } });
});

test('a terminal that joins under a forged host gets links without one', async () => {
  const made = await bookAs('127.0.0.1');
  const answer = await send(server, 'POST', contract.conferences.join.path, {
    token: chair.token,
    host: EVIL,
    body: { numericId: made.numericId },
  });
  const { termId, sessionToken } = answer.data as { termId: string; sessionToken: string };
  const row = await server.db.platform((tx) => tx.findOne(terminalSession, eq(terminalSession.termId, termId)));
  expect(JSON.stringify(row)).not.toContain(EVIL);
  const socket = await connect(server, { sessionToken }, `meeting:${made.meetId}`);
  const { snapshot } = (await socket.message((one) => 'snapshot' in one)) as {
    snapshot: { invitation: { guestUrl: string } };
  };
  expect(snapshot.invitation.guestUrl).toBe(`/#/join?number=${made.numericId}&pwd=4821`);
  await socket.close();
});
