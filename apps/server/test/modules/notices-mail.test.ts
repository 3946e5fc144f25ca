import { eq } from 'drizzle-orm';
import ICAL from 'ical.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Meeting, MeetingBody } from '@rmeet/contract';
import { notice } from '../../src/modules/notices/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import type { MailServer, ReceivedMail } from '@rmeet/testkit';
import { signIn, type Person } from './support/client.ts';
import { withoutIds } from './support/ids.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { book, invite } from './support/meetings.ts';
import type { TestServer } from './support/server.ts';

let mails: MailServer;
let server: TestServer;
let chair: Person;
let admin: Person;
beforeAll(async () => {
  ({ server, mails } = await startServerWithMail());
  [chair, admin] = [await signIn(server, 'chair'), await signIn(server, 'admin')];
  await server.db.tenant(server.people.get('chair')?.tenantId ?? '', async (tx) => {
    await tx.update(account, { email: 'alice@example.org', locale: 'en' }, eq(account.account, 'alice'));
    await tx.update(account, { email: 'bob@example.org', locale: 'zh' }, eq(account.account, 'bob'));
    await tx.update(account, { email: 'chair@example.org', locale: 'en' }, eq(account.account, 'chair'));
  });
});
afterAll(() => server.close());
beforeEach(() => {
  mails.received.length = 0;
});

/** Sends everything that is due; waits for notices that the queue's own job is sending. */
async function delivered(count: number): Promise<Map<string, ReceivedMail>> {
  await server.rounds.sendNotices();
  await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(count);
  await expect
    .poll(() => server.db.platform((tx) => tx.count(notice, eq(notice.status, 'SENDING'))), { timeout: 20_000 })
    .toBe(0);
  const sent = new Map(mails.received.map((one) => [one.to.join(), one]));
  expect(mails.received).toHaveLength(count);
  mails.received.length = 0;
  return sent;
}

/** A calendar parsed by another program. */
function read(received: ReceivedMail | undefined): { method: string; event: ICAL.Event; component: ICAL.Component } {
  const root = new ICAL.Component(ICAL.parse(received?.ical?.content ?? '') as unknown[]);
  const [component] = root.getAllSubcomponents('vevent');
  if (!component) throw new Error('There is no event in the mail.');
  expect(received?.attached).toBe(received?.ical?.content);
  expect(received?.ical?.method).toBe(root.getFirstPropertyValue('method'));
  return { method: String(root.getFirstPropertyValue('method')), event: new ICAL.Event(component), component };
}

const startOf = (event: ICAL.Event): string => event.startDate.toJSDate().toISOString();
/** Calendars have a resolution of seconds. */
const inSeconds = (time: string): string => time.replace(/\.\d+Z$/, '.000Z');

const edit = (person: Person, made: Meeting, body: Partial<MeetingBody>): Promise<Meeting> =>
  person.meetings.update({
    params: { id: made.meetId },
    body: {
      subject: made.subject,
      startTime: made.startTime,
      duration: made.duration,
      password: made.password,
      participants: made.participants.map((one) => (one.kind === 'user' ? { kind: 'user', userId: one.userId } : one)),
      version: made.version,
      ...body,
    },
  });

describe('invitations', () => {
  test('reach each invited person in their own language, with the link and the calendar event', async () => {
    const made = await book(server, chair, {
      subject: '查房',
      agenda: '1. 昨日\n2. 今日',
      timeZone: 'Asia/Shanghai',
      participants: invite(server, 'alice', 'bob', 'carol', 'guest@example.org'),
    });
    const sent = await delivered(3);
    expect([...sent.keys()].toSorted()).toEqual(['alice@example.org', 'bob@example.org', 'guest@example.org']);
    expect(sent.get('alice@example.org')?.subject).toBe('Invitation: 查房');
    expect(sent.get('bob@example.org')?.subject).toBe('会议邀请：查房');
    // Mails to outside people are in the host's language.
    expect(sent.get('guest@example.org')?.subject).toBe('Invitation: 查房');
    for (const { text, html } of sent.values()) {
      for (const part of [
        made.config.url,
        made.numericId.replace(/(\d{3})(?=\d)/g, '$1 '),
        '4821',
        '查房',
        '1. 昨日\n2. 今日',
        'Asia/Shanghai',
      ])
        expect(text).toContain(part);
      expect(html).toContain(`<a href="${made.config.url.replaceAll('&', '&amp;')}">`);
    }
    const { method, event, component } = read(sent.get('alice@example.org'));
    expect(method).toBe('REQUEST');
    expect({
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      start: startOf(event),
      minutes: event.duration.toSeconds() / 60,
    }).toEqual({
      uid: `${made.meetId}@rmeet`,
      sequence: 0,
      summary: '查房',
      start: inSeconds(made.startTime),
      minutes: 60,
    });
    expect(event.organizer).toBe('mailto:chair@example.org');
    expect(
      event.attendees.map((one) => [
        String(one.getFirstValue()).toLowerCase(),
        one.getFirstParameter('rsvp'),
        one.getFirstParameter('partstat'),
      ]),
    ).toEqual([['mailto:alice@example.org', 'TRUE', 'NEEDS-ACTION']]);
    expect(event.location).toContain(made.config.url);
    expect(component.getFirstPropertyValue('url')).toBe(made.config.url);
    expect(component.getFirstPropertyValue('dtstamp')?.toString()).toMatch(/Z$/);
    expect(sent.get('alice@example.org')?.headers).toMatch(/^Reply-To: Chair <chair@example.org>$/m);
  });

  test('name rooms, and leave out missing details', async () => {
    const main = await admin.rooms.createBuilding({ body: { name: 'Main; east', timeZone: 'UTC' } });
    const library = await admin.rooms.create({
      body: { name: 'Library', buildingId: main.id, floor: '1', capacity: 5 },
    });
    await book(server, chair, {
      subject: 'In a room',
      password: '',
      waitingRoom: true,
      roomIds: [library.id],
      participants: invite(server, 'alice'),
    });
    const alice = (await delivered(1)).get('alice@example.org');
    expect(alice?.text).toContain('Rooms: Library, Main; east\n');
    expect(alice?.text).not.toMatch(/Password|Agenda|Repeats|\{|\}/);
    expect(read(alice).event.location).toMatch(/^Library, Main; east; http/);
  });

  test('to a local meeting name its room, and neither a number nor a link', async () => {
    const lodge = await admin.rooms.createBuilding({ body: { name: 'Lodge', timeZone: 'UTC' } });
    const hall = await admin.rooms.create({ body: { name: 'Hall', buildingId: lodge.id, floor: '1', capacity: 5 } });
    const made = await chair.meetings.createLocal({
      body: {
        subject: 'In the hall',
        startTime: server.clock.in(120),
        duration: 60,
        roomIds: [hall.id],
        participants: invite(server, 'alice'),
      },
    });
    const invitation = (await delivered(1)).get('alice@example.org');
    const { event, component } = read(invitation);
    expect(event.location).toBe('Hall, Lodge');
    expect(component.getFirstPropertyValue('url')).toBeNull();
    await edit(chair, made, { subject: 'In the great hall', password: '', roomIds: [hall.id] });
    const change = (await delivered(1)).get('alice@example.org');
    server.clock.advance({ minutes: 105 });
    const reminder = (await delivered(2)).get('alice@example.org');
    const others = made.numericId.replace(/(\d{3})(?=\d)/g, '$1 ');
    for (const told of [invitation, change, reminder]) {
      expect(told?.text).toContain('Rooms: Hall, Lodge\n');
      for (const part of [made.numericId, others, 'Join', 'http', 'Number', 'number', 'Password'])
        expect(`${told?.text}${told?.html}${told?.ical?.content ?? ''}`).not.toContain(part);
    }
  });

  test.each([
    'Round, "two"; three\\four',
    '🎉 庆祝 🎉 '.repeat(12).trim(),
    'One\nBEGIN:VEVENT\nUID:evil',
    'Subject\r\nBcc: carol@example.org',
    '<script>alert(1)</script> & more',
    '{password} {link}',
    'DESCRIPTION:x\u0007y',
  ])('carry any subject as it is: %j', async (subject) => {
    const made = await book(server, chair, { subject, participants: invite(server, 'alice') });
    const sent = await delivered(1);
    const alice = sent.get('alice@example.org');
    expect([...sent.keys()]).toEqual(['alice@example.org']);
    expect(alice?.headers).not.toMatch(/^Bcc/m);
    expect(alice?.subject).toBe(`Invitation: ${made.subject.replace(/\s+/g, ' ')}`);
    expect(alice?.html).not.toContain('<script>');
    const { event, component } = read(alice);
    expect(component.parent?.getAllSubcomponents('vevent')).toHaveLength(1);
    expect(event.uid).toBe(`${made.meetId}@rmeet`);
    // oxlint-disable-next-line no-control-regex -- these cannot be in an event
    expect(event.summary).toBe(made.subject.replace(/[\r\n]+/g, ' ').replace(/[\u0000-\u0008]/g, ''));
    for (const line of (alice?.ical?.content ?? '').split(/\r?\n/))
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    await chair.meetings.cancel({ params: { id: made.meetId }, query: {} });
    await delivered(1);
  });
});

describe('changes', () => {
  test('and cancellations update the calendar event, with a higher SEQUENCE each time', async () => {
    const made = await book(server, chair, {
      subject: 'Moves',
      participants: invite(server, 'alice', 'guest@example.org'),
    });
    const first = read((await delivered(2)).get('guest@example.org'));
    const moved = await edit(chair, made, { startTime: server.clock.in(120) });
    const sent = await delivered(2);
    expect(sent.get('alice@example.org')?.subject).toBe('Changed: Moves');
    const second = read(sent.get('guest@example.org'));
    expect([second.method, second.event.uid, second.event.sequence]).toEqual([
      'REQUEST',
      first.event.uid,
      first.event.sequence + 1,
    ]);
    expect(startOf(second.event)).toBe(inSeconds(moved.startTime));
    await chair.meetings.cancel({ params: { id: made.meetId }, query: {} });
    const last = await delivered(2);
    expect(last.get('alice@example.org')?.subject).toBe('Cancelled: Moves');
    expect(withoutIds(last.get('alice@example.org')?.text)).not.toMatch(/4821|http/);
    const third = read(last.get('guest@example.org'));
    expect([
      third.method,
      third.event.uid,
      third.event.sequence,
      third.component.getFirstPropertyValue('status'),
    ]).toEqual(['CANCEL', first.event.uid, 2, 'CANCELLED']);
    expect(startOf(third.event)).toBe(inSeconds(moved.startTime));
    expect(third.event.location ?? '').not.toContain('pwd=');
  });

  test('of the participants notify only those who are added or removed', async () => {
    const made = await book(server, chair, { subject: 'People', participants: invite(server, 'alice', 'bob') });
    await delivered(2);
    const edited = await edit(chair, made, { participants: invite(server, 'alice', 'guest@example.org') });
    const sent = await delivered(2);
    expect(
      [...sent]
        .map(([to, { subject }]) => [to, subject])
        .toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
    ).toEqual([
      ['bob@example.org', '会议取消：People'],
      ['guest@example.org', 'Invitation: People'],
    ]);
    expect([read(sent.get('bob@example.org')).method, read(sent.get('bob@example.org')).event.sequence]).toEqual([
      'CANCEL',
      1,
    ]);
    // A person who is added again is invited again, with a number above that of the removal.
    await edit(chair, edited, { participants: invite(server, 'alice', 'bob', 'guest@example.org') });
    const back = read((await delivered(1)).get('bob@example.org'));
    expect([back.method, back.event.sequence]).toEqual(['REQUEST', 2]);
  });

  test('that the invited people cannot see are not announced; a new password is', async () => {
    const made = await book(server, chair, { subject: 'Same', participants: invite(server, 'alice') });
    await delivered(1);
    const same = await edit(chair, made, { muteOnEntry: true, participants: invite(server, 'alice') });
    await delivered(0);
    await edit(chair, same, { password: '9753' });
    expect((await delivered(1)).get('alice@example.org')?.text).toContain('Password: 9753');
  });

  test('of an end-to-end encrypted meeting say that the host gives the key', async () => {
    await book(server, chair, { subject: 'Secret', e2ee: true, participants: invite(server, 'alice', 'bob') });
    const sent = await delivered(2);
    const { text } = sent.get('alice@example.org') ?? {};
    expect(text).toContain('You need its key, which is not in this message: ask ');
    expect(read(sent.get('alice@example.org')).event.description).toContain('This meeting is end-to-end encrypted.');
    expect(sent.get('bob@example.org')?.text).toContain('密钥不在此消息中');
  });

  test('before the invitation is sent replace it', async () => {
    mails.refusals.push(451);
    const made = await book(server, chair, { subject: 'Late', participants: invite(server, 'alice') });
    await server.rounds.sendNotices();
    await expect.poll(() => mails.refusals).toEqual([]);
    await edit(chair, made, { subject: 'Later' });
    const alice = (await delivered(1)).get('alice@example.org');
    expect(alice?.subject).toBe('Invitation: Later');
    expect(read(alice).event.sequence).toBe(1);
  });
});

describe('sending', () => {
  const state = async (made: Meeting) =>
    (await chair.notices.ofMeeting({ params: { id: made.meetId } })).map(({ contact, status, deliveries: [last] }) => [
      contact,
      status,
      last?.attempts,
      last?.failure,
    ]);

  test('a mail that the mail server refuses for now is tried again later, five times in all', async () => {
    mails.refusals.push(451, 451, 451, 451, 451);
    const made = await book(server, chair, { subject: 'Retried', participants: invite(server, 'guest@example.org') });
    for (const [attempt, minutes] of [0, 0.5, 2, 8, 30].entries()) {
      server.clock.advance({ seconds: minutes * 60 });
      await server.rounds.sendNotices();
      await expect
        .poll(() => state(made))
        .toEqual([
          ['guest@example.org', attempt < 4 ? 'SENDING' : 'FAIL', attempt + 1, attempt < 4 ? null : 'unreachable'],
        ]);
      await server.rounds.sendNotices();
    }
    expect(mails.received).toEqual([]);
    expect(mails.refusals).toEqual([]);
    // Sending it again starts over.
    expect(await chair.notices.resend({ params: { id: made.meetId } })).toMatchObject([
      { contact: 'guest@example.org', status: 'SENDING' },
    ]);
    await delivered(1);
    expect(await state(made)).toEqual([['guest@example.org', 'SUCCESS', 1, null]]);
  });

  test('a mail that it refuses for good is not tried again', async () => {
    mails.refusals.push(550);
    const made = await book(server, chair, { subject: 'Refused', participants: invite(server, 'gone@example.org') });
    await server.rounds.sendNotices();
    await expect.poll(() => state(made)).toEqual([['gone@example.org', 'FAIL', 1, 'refused']]);
  });

  test('a notice whose process died is sent by the next one, once its claim has expired', async () => {
    const made = await book(server, chair, { subject: 'Orphaned', participants: invite(server, 'guest@example.org') });
    await delivered(1);
    await server.db.platform((tx) =>
      tx.update(
        notice,
        { status: 'SENDING', claimedUntil: new Date(server.clock.now().getTime() + 90_000) },
        eq(notice.email, 'guest@example.org'),
      ),
    );
    await server.rounds.sendNotices();
    expect(mails.received).toEqual([]);
    server.clock.advance({ seconds: 91 });
    await server.rounds.sendNotices();
    expect(mails.received.map(({ to }) => to.join())).toContain('guest@example.org');
    expect(await state(made)).toEqual([['guest@example.org', 'SUCCESS', 2, null]]);
  });
});

describe('reminders', () => {
  beforeAll(async () => {
    // The meetings of earlier tests are over.
    server.clock.advance({ hours: 4 });
    await server.rounds.sendNotices();
  });

  test('go out a quarter of an hour before, once, to the host too, without an event', async () => {
    const made = await book(server, chair, {
      subject: 'Soon',
      startTime: server.clock.in(40),
      participants: invite(server, 'alice', 'guest@example.org'),
    });
    await delivered(2);
    server.clock.advance({ minutes: 24 });
    await delivered(0);
    server.clock.advance({ minutes: 1 });
    const sent = await delivered(3);
    expect([...sent.keys()].toSorted()).toEqual(['alice@example.org', 'chair@example.org', 'guest@example.org']);
    expect(sent.get('alice@example.org')).toMatchObject({ subject: 'Reminder: Soon', ical: undefined });
    expect(sent.get('alice@example.org')?.text).toContain(made.config.url);
    server.clock.advance({ minutes: 1 });
    await delivered(0);
    // Another start causes another reminder.
    await edit(chair, made, { startTime: server.clock.in(60) });
    await delivered(2);
    server.clock.advance({ minutes: 45 });
    await delivered(3);
  });

  test('are skipped after a recent notice, if the tenant wants none, and for cancelled meetings', async () => {
    await book(server, chair, {
      subject: 'At once',
      startTime: server.clock.in(10),
      participants: invite(server, 'alice'),
    });
    const off = await book(server, chair, {
      subject: 'Off',
      startTime: server.clock.in(30),
      participants: invite(server, 'alice'),
    });
    await delivered(2);
    await chair.meetings.cancel({ params: { id: off.meetId }, query: {} });
    await delivered(1);
    server.clock.advance({ minutes: 20 });
    await delivered(0);
    const { version } = await admin.notices.settings();
    await admin.notices.saveSettings({ body: { reminderMinutes: 0, gateway: null, version } });
    await book(server, chair, {
      subject: 'Unwanted',
      startTime: server.clock.in(40),
      participants: invite(server, 'alice'),
    });
    await delivered(1);
    server.clock.advance({ minutes: 39 });
    await delivered(0);
  });
});
