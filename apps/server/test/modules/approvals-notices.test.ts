import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ENTRY_TYPES, type ApprovalRules, type BookingBody, type Meeting, type Notice } from '@rmeet/contract';
import type { MailServer, ReceivedMail } from '@rmeet/testkit';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { notice } from '../../src/modules/notices/tables.ts';
import { accountPermission, permission } from '../../src/modules/accounts/permissions/tables.ts';
import { accountRole, role, rolePermission } from '../../src/modules/accounts/roles/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { newId, PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import { readCalendar as read } from './support/calendar.ts';
import { signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { withoutIds } from './support/ids.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { invite } from './support/meetings.ts';
import type { TestServer } from './support/server.ts';

let mails: MailServer;
let server: TestServer;
let north: string;
let admin: Person;
/** They approve meetings: chair by a direct grant and in English, carol by a role and in Chinese. */
let chair: Person;
let carol: Person;
let alice: Person;

beforeAll(async () => {
  // Calendars have a resolution of seconds.
  ({ server, mails } = await startServerWithMail({ clock: new Clock(Date.parse('2029-10-18T06:00:00Z')) }));
  north = server.people.get('admin')?.tenantId ?? '';
  const idOf = (name: string): string => server.people.get(name)?.id ?? '';
  await server.db.platform(async (tx) => {
    const entry = await tx.findOne(
      permission,
      and(eq(permission.code, 'sys:approve'), eq(permission.type, ENTRY_TYPES.permission)),
    );
    const permissionId = entry?.id ?? '';
    await tx.asTenant(north).insert(accountPermission, { accountId: idOf('chair'), permissionId });
    // A person of another tenant, who may approve there.
    await tx
      .asTenant(server.people.get('dave')?.tenantId ?? '')
      .insert(accountPermission, { accountId: idOf('dave'), permissionId });
    const roleId = newId();
    const platform = tx.asTenant(PLATFORM_TENANT_ID);
    await platform.insert(role, {
      id: roleId,
      name: 'Approvers',
      nameEn: 'Approvers',
      kind: 'user',
      createdAt: server.clock.now(),
    });
    await platform.insert(rolePermission, { roleId, permissionId });
    await tx.asTenant(north).insert(accountRole, { accountId: idOf('carol'), roleId });
    for (const [name, locale] of [
      ['alice', 'en'],
      ['bob', 'en'],
      ['chair', 'en'],
      ['carol', 'zh'],
      ['dave', 'en'],
    ] as const) {
      await tx.update(account, { email: `${name}@example.org`, locale }, eq(account.account, name));
    }
  });
  [admin, chair, carol, alice] = [
    await signIn(server, 'admin'),
    await signIn(server, 'chair'),
    await signIn(server, 'carol'),
    await signIn(server, 'alice'),
  ];
  await rule({ all: true });
});
afterAll(() => server.close());
beforeEach(async () => {
  mails.received.length = 0;
  await server.db.platform((tx) =>
    tx.update(meeting, { status: 'OFFLINE', cancelledAt: server.clock.now() }, eq(meeting.status, 'SCHEDULE')),
  );
});

const rule = async (values: Partial<ApprovalRules>): Promise<ApprovalRules> =>
  admin.approvals.updateRules({
    body: {
      all: false,
      types: [],
      vip: false,
      longerThan: null,
      morePeopleThan: null,
      version: (await admin.approvals.rules()).version,
      ...values,
    },
  });
const decide = (id: string, approve: boolean, note = '') =>
  chair.approvals.decide({ params: { id }, body: { approve, note } });
const detail = (id: string): Promise<Meeting> => alice.meetings.detail({ params: { id } });
const book = (body: Partial<BookingBody> = {}): Promise<Meeting> =>
  alice.meetings.createNetwork({
    body: {
      subject: 'Round',
      startTime: server.clock.in(600),
      duration: 60,
      password: '4821',
      participants: invite(server, 'bob'),
      ...body,
    },
  });
const edit = async (id: string, body: Partial<BookingBody> & { scope?: 'one' | 'all' }): Promise<Meeting> => {
  const { subject, startTime, duration, password, version, timeZone } = await detail(id);
  return alice.meetings.update({
    params: { id },
    body: { subject, startTime, duration, password, version, timeZone, participants: invite(server, 'bob'), ...body },
  });
};
const meetingsOf = async (made: Meeting): Promise<Meeting[]> =>
  (await alice.meetings.list({ query: { size: 100 } })).records
    .filter(({ series }) => series?.id === made.series?.id)
    .toSorted((one, other) => one.startTime.localeCompare(other.startTime));
const newestOf = async (person: Person): Promise<Notice | undefined> =>
  (await person.notices.list({ query: { size: 1 } })).records[0];

/** Sends everything that is due. */
async function allSent(): Promise<ReceivedMail[]> {
  await server.rounds.sendNotices();
  await expect
    .poll(() => server.db.platform((tx) => tx.count(notice, eq(notice.status, 'SENDING'))), { timeout: 20_000 })
    .toBe(0);
  return mails.received.splice(0);
}

/** The mails sent now, by recipient and subject. */
async function delivered(...expected: string[]): Promise<Map<string, ReceivedMail>> {
  const received = await allSent();
  expect(received.map(({ to, subject }) => `${to.join().replace('@example.org', '')}: ${subject}`).toSorted()).toEqual(
    expected.toSorted(),
  );
  return new Map(received.map((one) => [one.to.join().replace('@example.org', ''), one]));
}

const asked = (subject: string): string[] => [`chair: For approval: ${subject}`, `carol: 待审批：${subject}`];

describe('those who may approve', () => {
  test('are notified of waiting requests in their language, with the reasons and a link to the queue', async () => {
    const made = await book({
      subject: 'Asked',
      agenda: 'Why it is needed',
      startTime: '2030-05-06T08:00:00Z',
      timeZone: 'Asia/Shanghai',
    });
    const sent = await delivered(...asked('Asked'));
    const toChair = sent.get('chair');
    expect(toChair?.text).toContain('Alice has booked "Asked", which needs approval.');
    expect(toChair?.text).toContain('When: Mon, 6 May 2030 16:00–17:00 (Asia/Shanghai, GMT+08:00)');
    expect(toChair?.text).toContain('Needed for: every meeting\n');
    expect(toChair?.text).toContain('Why it is needed');
    expect(toChair?.text).toContain(`Decide: ${server.publicUrl}/#/approvals?state=waiting`);
    // They are not invited, so they get neither the password nor a calendar event.
    expect(withoutIds(toChair?.text)).not.toContain('4821');
    expect(toChair?.text).not.toContain('In all:');
    expect(toChair?.ical).toBeUndefined();
    expect(toChair?.headers).toMatch(/^Reply-To: .*alice@example\.org/m);
    expect(sent.get('carol')?.text).toContain('Carol，您好！');
    expect(sent.get('carol')?.text).toContain('审批原因：全部会议');
    for (const who of [chair, carol]) {
      expect(await newestOf(who)).toMatchObject({
        kind: 'approvalAsked',
        meetId: made.meetId,
        subject: 'Asked',
        host: 'Alice',
        approval: { meetings: 1, approver: '', note: '' },
        readAt: null,
      });
    }
    // They are not listed among the notified participants either.
    expect(await alice.notices.ofMeeting({ params: { id: made.meetId } })).toEqual([]);
  });

  test('are notified once of a waiting request, and again of a new one', async () => {
    const made = await book({ subject: 'Once' });
    await delivered(...asked('Once'));
    await edit(made.meetId, { duration: 90 });
    await delivered();
    await decide(made.meetId, false, 'Too long');
    await delivered('alice: Not approved: Once');
    await edit(made.meetId, { duration: 30 });
    await delivered(...asked('Once'));
  });

  test('are not notified of requests decided or cancelled in the meantime', async () => {
    mails.refusals.push(451, 451);
    const made = await book({ subject: 'Overtaken' });
    await server.rounds.sendNotices();
    await expect.poll(() => mails.refusals.length, { timeout: 20_000 }).toBe(0);
    await alice.meetings.cancel({ params: { id: made.meetId }, query: {} });
    server.clock.advance({ minutes: 2 });
    await delivered();
  });

  test('are notified of a series once, with the number of its meetings and their dates', async () => {
    const made = await book({
      subject: 'Weekly',
      startTime: '2030-06-03T08:00:00Z',
      recurrence: { rule: 'FREQ=WEEKLY;COUNT=4' },
    });
    const { text } = (await delivered(...asked('Weekly'))).get('chair') ?? {};
    expect(text).toContain('Repeats: Every week, 4 times\n');
    expect(text).toContain('In all: 4 meetings, 3 Jun 2030 to 24 Jun 2030\n');
    expect(await newestOf(chair)).toMatchObject({ kind: 'approvalAsked', approval: { meetings: 4 } });
    await decide(made.meetId, true);
    const sent = await delivered('alice: Approved: Weekly', 'bob: Invitation: Weekly');
    expect(sent.get('alice')?.text).toContain('In all: 4 meetings, 3 Jun 2030 to 24 Jun 2030\n');
    expect(read(sent.get('bob'))).toMatchObject({ method: 'REQUEST', sequence: 0, uid: `${made.series?.id}@rmeet` });
  });
});

describe('the host', () => {
  test('learns who approved the meeting with which note, and only then people are invited', async () => {
    const made = await book({ subject: 'Wanted' });
    await delivered(...asked('Wanted'));
    await decide(made.meetId, true, 'Please end in time');
    const sent = await delivered('alice: Approved: Wanted', 'bob: Invitation: Wanted');
    expect(sent.get('alice')?.text).toContain('Decided by: Chair\nNote: Please end in time\n');
    expect(sent.get('alice')?.text).toContain(`${server.publicUrl}/#/myMeeting?open=${made.meetId}`);
    expect(sent.get('alice')?.ical).toBeUndefined();
    expect(await newestOf(alice)).toMatchObject({
      kind: 'approved',
      meetId: made.meetId,
      approval: { approver: 'Chair', note: 'Please end in time' },
    });
  });

  test('learns why the meeting was refused, and no one else is notified', async () => {
    const made = await book({ subject: 'Unwanted' });
    await delivered(...asked('Unwanted'));
    await decide(made.meetId, false, 'It collides with the ward round');
    const sent = await delivered('alice: Not approved: Unwanted');
    expect(sent.get('alice')?.text).toContain('Reason: It collides with the ward round');
    expect(await newestOf(alice)).toMatchObject({
      kind: 'refused',
      approval: { note: 'It collides with the ward round' },
    });
  });

  test('learns that the request expired, for a series per meeting; approvers are not asked again', async () => {
    await book({ subject: 'Late', startTime: server.clock.in(10) });
    const made = await book({
      subject: 'Late series',
      startTime: server.clock.in(10),
      recurrence: { rule: 'FREQ=DAILY;COUNT=3' },
    });
    await delivered(...asked('Late'), ...asked('Late series'));
    server.clock.advance({ minutes: 10 });
    expect(await server.rounds.lapseApprovals()).toBe(2);
    const sent = await delivered('alice: Not decided in time: Late', 'alice: Not decided in time: Late series');
    expect(sent.get('alice')?.text).toContain(`${server.publicUrl}/#/myMeeting?open=`);
    // The remaining meetings are approved: all participants are invited to those.
    const [, second, third] = await meetingsOf(made);
    await decide(second?.meetId ?? '', true);
    const { text, ical } =
      (await delivered('alice: Approved: Late series', 'bob: Invitation: Late series')).get('bob') ?? {};
    expect(text).toContain('Late series');
    expect(ical?.content).toMatch(/EXDATE/);
    expect(third?.approval).toBe('waiting');
  });

  test("reads the tenant's own text", async () => {
    const key = { kind: 'refused', channel: 'mail', locale: 'en' } as const;
    await admin.notices.saveText({
      body: { ...key, subject: 'No: {subject}', text: '{approver} says no to {subject}: {note}' },
    });
    const made = await book({ subject: 'Own words' });
    await delivered(...asked('Own words'));
    await decide(made.meetId, false, 'Not now');
    const sent = await delivered('alice: No: Own words');
    expect(sent.get('alice')?.text.trim()).toBe('Chair says no to Own words: Not now');
    await admin.notices.resetText({ query: key });
    const shown = await admin.notices.previewText({
      body: { ...key, subject: 'No: {subject}', text: '{approver}: {note}' },
    });
    expect(shown).toMatchObject({ subject: 'No: Ward round', text: 'Carol: It collides with consulting hours\n' });
  });
});

describe('a meeting with invited people that has to be approved again', () => {
  /** A meeting that was approved, announced, moved by an hour and waits again. */
  async function movedAgain(subject: string): Promise<Meeting> {
    const made = await book({ subject });
    await decide(made.meetId, true);
    await allSent();
    server.clock.advance({ minutes: 1 });
    const moved = await edit(made.meetId, {
      startTime: new Date(Date.parse(made.startTime) + 3_600_000).toISOString(),
    });
    expect(moved.approval).toBe('waiting');
    // People still have the previous information.
    await delivered(...asked(subject));
    return moved;
  }

  test('is sent as an update with the next SEQUENCE after approval', async () => {
    const { meetId } = await movedAgain('Moved');
    await decide(meetId, true);
    const sent = await delivered('alice: Approved: Moved', 'bob: Changed: Moved');
    expect(read(sent.get('bob'))).toMatchObject({ method: 'REQUEST', sequence: 1, uid: `${meetId}@rmeet` });
  });

  test('is cancelled for them if refused; if approved later, they are invited with the next SEQUENCE', async () => {
    const { meetId } = await movedAgain('Turned down');
    await decide(meetId, false, 'No');
    const gone = await delivered('alice: Not approved: Turned down', 'bob: Cancelled: Turned down');
    expect(read(gone.get('bob'))).toMatchObject({ method: 'CANCEL', sequence: 1 });
    await edit(meetId, { duration: 30 });
    await delivered(...asked('Turned down'));
    await decide(meetId, true);
    const sent = await delivered('alice: Approved: Turned down', 'bob: Invitation: Turned down');
    expect(read(sent.get('bob'))).toMatchObject({ method: 'REQUEST', sequence: 2 });
  });

  test('is cancelled for them if the request expires', async () => {
    const { startTime } = await movedAgain('Forgotten');
    server.clock.advance({ minutes: (Date.parse(startTime) - server.clock.now().getTime()) / 60_000 });
    await server.rounds.lapseApprovals();
    const sent = await delivered('alice: Not decided in time: Forgotten', 'bob: Cancelled: Forgotten');
    expect(read(sent.get('bob'))).toMatchObject({ method: 'CANCEL', sequence: 1 });
    await server.rounds.lapseApprovals();
    await delivered();
  });

  test('is cancelled for them if its host cancels it in the meantime', async () => {
    const { meetId } = await movedAgain('Given up');
    await alice.meetings.cancel({ params: { id: meetId }, query: {} });
    expect(read((await delivered('bob: Cancelled: Given up')).get('bob'))).toMatchObject({
      method: 'CANCEL',
      sequence: 1,
    });
  });
});

describe('a series with invited people', () => {
  async function told(subject: string): Promise<Meeting> {
    const made = await book({ subject, startTime: server.clock.in(600), recurrence: { rule: 'FREQ=DAILY;COUNT=4' } });
    await decide(made.meetId, true);
    // Approvers who were to be asked were notified of the decision, or not at all.
    await allSent();
    server.clock.advance({ minutes: 1 });
    return made;
  }
  const hourLater = ({ startTime }: Meeting): string => new Date(Date.parse(startTime) + 3_600_000).toISOString();

  test('continues while a changed meeting waits, which is refused and cancelled alone', async () => {
    const made = await told('One moved');
    const [, second, third] = await meetingsOf(made);
    if (!second || !third) throw new Error('There are too few meetings.');
    await edit(second.meetId, { startTime: hourLater(second), scope: 'one' });
    await delivered(...asked('One moved'));
    // Another one is cancelled meanwhile, and people are notified at once.
    await alice.meetings.cancel({ params: { id: third.meetId }, query: { scope: 'one' } });
    expect(read((await delivered('bob: Cancelled: One moved')).get('bob'))).toMatchObject({
      method: 'CANCEL',
      recurrenceId: third.startTime,
    });
    await decide(second.meetId, false);
    expect(
      read((await delivered('alice: Not approved: One moved', 'bob: Cancelled: One moved')).get('bob')),
    ).toMatchObject({ method: 'CANCEL', recurrenceId: second.startTime });
  });

  test('announces a changed meeting after its approval', async () => {
    const made = await told('One later');
    const [, second] = await meetingsOf(made);
    if (!second) throw new Error('There is no second meeting.');
    await edit(second.meetId, { startTime: hourLater(second), scope: 'one' });
    await delivered(...asked('One later'));
    await decide(second.meetId, true);
    const sent = await delivered('alice: Approved: One later', 'bob: Changed: One later');
    expect(read(sent.get('bob'))).toMatchObject({
      method: 'REQUEST',
      sequence: 1,
      uid: `${made.series?.id}@rmeet`,
      recurrenceId: second.startTime,
    });
  });

  test('is updated as a whole once it is approved again, and cancelled as a whole if refused', async () => {
    const made = await told('All moved');
    await edit(made.meetId, { startTime: hourLater(made), scope: 'all' });
    await delivered(...asked('All moved'));
    await decide(made.meetId, true);
    const sent = await delivered('alice: Approved: All moved', 'bob: Changed: All moved');
    expect(read(sent.get('bob'))).toMatchObject({
      method: 'REQUEST',
      sequence: 1,
      uid: `${made.series?.id}@rmeet`,
      recurrenceId: undefined,
    });
    server.clock.advance({ minutes: 1 });
    await edit(made.meetId, { startTime: made.startTime, scope: 'all' });
    await delivered(...asked('All moved'));
    await decide(made.meetId, false);
    const gone = await delivered('alice: Not approved: All moved', 'bob: Cancelled: All moved');
    expect(read(gone.get('bob'))).toMatchObject({ method: 'CANCEL', sequence: 2, recurrenceId: undefined });
  });

  test('is cancelled for guests if the moved series expires, and a later approval invites them again', async () => {
    const made = await told('Moved and forgotten');
    await edit(made.meetId, { startTime: hourLater(made), scope: 'all' });
    await delivered(...asked('Moved and forgotten'));
    server.clock.advance({ minutes: 659 });
    expect(await server.rounds.lapseApprovals()).toBe(1);
    const gone = await delivered(
      'alice: Not decided in time: Moved and forgotten',
      'bob: Cancelled: Moved and forgotten',
    );
    expect(read(gone.get('bob'))).toMatchObject({ method: 'CANCEL', recurrenceId: undefined });
    const [, second] = await meetingsOf(made);
    await decide(second?.meetId ?? '', true);
    const sent = await delivered('alice: Approved: Moved and forgotten', 'bob: Invitation: Moved and forgotten');
    expect(read(sent.get('bob'))).toMatchObject({ method: 'REQUEST', sequence: 2 });
  });
});
