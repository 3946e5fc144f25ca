import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { contract, pathOf, type HeldRecord, type TerminalReport } from '@rmeet/contract';
import { terminalQuality } from '../../src/modules/history/tables.ts';
import { meetingGrant } from '../../src/modules/meetings/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { openConference, rz, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { sheetsOfWorkbook } from './support/workbooks.ts';

let server: TestServer;
let admin: Person;
let alice: Person;
let bob: Person;
let carol: Person;
beforeAll(async () => {
  server = await startTestServer();
  [admin, alice, bob, carol] = await Promise.all([
    signIn(server, 'admin'),
    signIn(server, 'alice'),
    signIn(server, 'bob'),
    signIn(server, 'carol'),
  ]);
});
afterAll(() => server.close());

const pass = (minutes: number): void => server.clock.advance({ minutes });
const leave = (conference: TestConference, { calls }: Inside) => calls.leave({ params: conference.params });
const end = (conference: TestConference) => alice.conferences.end({ params: conference.params });
const recordOf = async (who: Person, conference: TestConference): Promise<HeldRecord> =>
  who.history.record({ query: { id: (await conference.row()).id } });
const personIn = ({ attendance }: HeldRecord, name: string) => attendance.find((one) => one.name === name);
const idsOf = async (who: Person, query: Parameters<Person['history']['list']>[0]['query'] = {}) =>
  (await who.history.list({ query })).records.map(({ id }) => id);

const report = (loss: number, roundTrip = 20): TerminalReport => ({
  quality: 'good',
  estimateUp: 900_000,
  estimateDown: 1_200_000,
  roundTrip,
  limitedBy: 'none',
  speaking: false,
  streams: [
    {
      direction: 'up',
      source: 'microphone',
      peer: null,
      end: 'terminal',
      codec: 'opus',
      width: null,
      height: null,
      frames: null,
      bitrate: 32_000,
      loss,
      jitter: 2,
      roundTrip,
      layers: [],
    },
    {
      direction: 'down',
      source: 'microphone',
      peer: 'x',
      end: 'terminal',
      codec: 'opus',
      width: null,
      height: null,
      frames: null,
      bitrate: 24_000,
      loss: 0,
      jitter: 2,
      roundTrip: null,
      layers: [],
    },
  ],
});
/** Sends reports on the terminal's own push socket, two seconds apart. */
async function tell(conference: TestConference, { token }: Inside, reports: readonly TerminalReport[]): Promise<void> {
  const topic = `meeting:${conference.meetId}`;
  const socket = await connect(server, { sessionToken: token }, topic);
  for (const [ping, told] of reports.entries()) {
    server.clock.advance({ seconds: 2 });
    socket.send({ report: { topic, report: told } });
    socket.send({ ping });
    await socket.message((message) => 'pong' in message && message.pong === ping);
  }
  await socket.close();
}

describe('GET meetings/history/record', () => {
  test('lists accounts and guests with each stay, and the total without overlaps', async () => {
    const conference = await openConference(server, alice, {
      subject: 'Handover',
      duration: 90,
      participants: invite(server, 'bob'),
    });
    const startedAt = server.clock.in(0);
    const host = await conference.join(alice);
    pass(10);
    const desk = await conference.join(bob);
    pass(10);
    const second = await conference.join(bob, { deviceType: 4 });
    const guest = await conference.guest('Grace', 'the browser of Grace');
    pass(10);
    await leave(conference, desk);
    pass(10);
    await leave(conference, second);
    await leave(conference, guest);
    const again = await conference.guest('Grace', 'the browser of Grace');
    pass(5);
    await alice.conferences.delTerm({ params: { ...rz, id: conference.meetId }, query: { termId: again.termId } });
    pass(15);
    await end(conference);

    const record = await recordOf(alice, conference);
    expect(record).toMatchObject({
      subject: 'Handover',
      numericId: conference.meeting.numericId,
      type: 'NETWORK_MEETING',
      host: { name: 'Alice' },
      startedAt,
      endedAt: server.clock.in(0),
      duration: 3_600,
      peakTerminals: 4,
      people: 3,
      endReason: 'ended',
      seesAll: true,
      bookedStart: startedAt,
      bookedMinutes: 90,
      recordings: [],
    });
    expect(record.attendance.map(({ name, role, total }) => [name, role, total])).toEqual([
      ['Alice', 'host', 3_600],
      ['Bob', 'member', 1_800],
      ['Grace', 'guest', 1_500],
    ]);
    expect(personIn(record, 'Alice')).toMatchObject({
      isMe: true,
      waitedOnly: false,
      firstJoin: startedAt,
      lastLeave: server.clock.in(0),
      stays: [{ termId: host.termId, deviceType: 5, end: 'ended' }],
    });
    expect(personIn(record, 'Bob')).toMatchObject({
      isMe: false,
      firstJoin: server.clock.in(-50),
      lastLeave: server.clock.in(-20),
      stays: [
        { joinedAt: server.clock.in(-50), leftAt: server.clock.in(-30), end: 'left' },
        { deviceType: 4, joinedAt: server.clock.in(-40), leftAt: server.clock.in(-20), end: 'left' },
      ],
    });
    expect(personIn(record, 'Grace')).toMatchObject({
      userId: null,
      stays: [{ end: 'left' }, { end: 'removed', leftAt: server.clock.in(-15) }],
    });
  });

  test('keeps the stays of a terminal that was lost and returned, and of one that was sent back to wait', async () => {
    const conference = await openConference(server, alice, { participants: invite(server, 'bob') });
    await conference.join(alice);
    const member = await conference.join(bob);
    pass(5);
    // Rounds without gaps; otherwise the server counts as having been down.
    for (let second = 0; second < 61; second++) {
      server.clock.advance({ seconds: 1 });
      await server.tick();
    }
    const lostAt = server.clock.in(0);
    pass(5);
    const backAt = server.clock.in(0);
    await member.calls.enter({ params: conference.params });
    const host = await conference.join(alice);
    pass(5);
    await host.calls.sendBack({ params: conference.params, body: { termIds: [member.termId] } });
    pass(1);
    await leave(conference, member);
    const record = await recordOf(admin, conference);
    expect(personIn(record, 'Bob')).toMatchObject({
      waitedOnly: false,
      stays: [
        { leftAt: lostAt, end: 'lost' },
        { joinedAt: backAt, leftAt: server.clock.in(-1), end: 'sentBack' },
      ],
    });
    expect(record).toMatchObject({ endedAt: null, endReason: null, people: 2, duration: expect.any(Number) });
    expect(personIn(record, 'Alice')).toMatchObject({
      lastLeave: null,
      stays: [{ end: 'lost' }, { leftAt: null, end: null }],
    });
    await end(conference);
  });

  test('marks those who waited in vain for viewers who see all, and hides them from others', async () => {
    const conference = await openConference(server, alice, {
      password: '',
      waitingRoom: true,
      participants: invite(server, 'bob'),
    });
    const host = await conference.join(alice);
    const [, refused] = [
      await conference.join(bob),
      await clientOf(server).conferences.join({ body: { numericId: conference.meeting.numericId, name: 'Mallory' } }),
    ];
    await host.calls.admit({
      params: conference.params,
      body: { termIds: [refused.termId], admit: false, reason: '' },
    });
    await end(conference);
    const record = await recordOf(alice, conference);
    expect(personIn(record, 'Mallory')).toMatchObject({ waitedOnly: true, total: null, firstJoin: null, stays: [] });
    expect(record).toMatchObject({ people: 2, peakTerminals: 2 });
    expect((await recordOf(bob, conference)).attendance.map(({ name }) => name)).toEqual(['Alice', 'Bob']);
  });

  test('shows participants the names of all, but times and quality only of themselves', async () => {
    const conference = await openConference(server, alice, { participants: invite(server, 'bob') });
    const host = await conference.join(alice);
    const member = await conference.join(bob);
    await tell(conference, host, [report(0)]);
    await tell(conference, member, [report(0)]);
    // Not invited: entered by the number, and was present.
    const visitor = await conference.join(carol, { password: '4821' });
    await leave(conference, visitor);
    pass(1);
    await end(conference);
    await server.rounds.keepQuality();
    for (const [who, name] of [
      [bob, 'Bob'],
      [carol, 'Carol'],
    ] as const) {
      const record = await recordOf(who, conference);
      expect(record.seesAll).toBe(false);
      expect(record.attendance.map((one) => one.name)).toEqual(['Alice', 'Bob', 'Carol']);
      for (const one of record.attendance) {
        if (one.name === name)
          expect(one).toMatchObject({ isMe: true, firstJoin: expect.any(String), stays: [expect.anything()] });
        else
          expect(one).toMatchObject({
            isMe: false,
            firstJoin: null,
            lastLeave: null,
            total: null,
            stays: [],
            quality: null,
          });
      }
    }
    for (const who of [alice, admin])
      expect((await recordOf(who, conference)).attendance.every(({ stays }) => stays.length > 0)).toBe(true);
  });

  test('is NOT_FOUND for people without a part in it, of another tenant, and for unknown ids', async () => {
    const conference = await openConference(server, alice, { participants: invite(server, 'bob') });
    await conference.join(alice);
    await end(conference);
    for (const who of [carol, await signIn(server, 'dave'), await signIn(server, 'erin')])
      expect(await codeOf(recordOf(who, conference))).toBe('NOT_FOUND');
    expect(await codeOf(alice.history.record({ query: { id: newId() } }))).toBe('NOT_FOUND');
    expect(await codeOf(alice.history.record({ query: { id: 'one' } }))).toBe('INVALID_INPUT');
    expect(await codeOf(clientOf(server).history.record({ query: { id: newId() } }))).toBe('UNAUTHORIZED');
  });
});

describe('quality', () => {
  test('is summed up over a stay and over writes, and shown with the score of the people', async () => {
    const conference = await openConference(server, alice);
    const host = await conference.join(alice);
    await tell(conference, host, [...Array.from({ length: 9 }, () => report(1)), report(4, 350)]);
    await server.rounds.keepQuality();
    expect(personIn(await recordOf(alice, conference), 'Alice')?.quality).toEqual({
      score: 'fair',
      loss: { min: 1, average: 1.3, max: 4 },
      roundTrip: { min: 20, average: 53, max: 350 },
      bitrateUp: { min: 32_000, average: 32_000, max: 32_000 },
      bitrateDown: { min: 24_000, average: 24_000, max: 24_000 },
    });
    await tell(conference, host, [report(9), report(9)]);
    await end(conference);
    await server.rounds.keepQuality();
    expect(personIn(await recordOf(alice, conference), 'Alice')?.quality).toMatchObject({
      score: 'poor',
      loss: { min: 1, max: 9 },
    });
  });

  test('is written once, however many reports arrive, and not at all without reports', async () => {
    const conference = await openConference(server, alice);
    const host = await conference.join(alice);
    const stored = () => server.db.platform((tx) => tx.find(terminalQuality, eq(terminalQuality.termId, host.termId)));
    await tell(
      conference,
      host,
      Array.from({ length: 30 }, () => report(0)),
    );
    expect(await stored()).toEqual([]);
    await server.rounds.keepQuality();
    const [first] = await stored();
    expect(first?.summary.scores).toEqual({ good: 30, fair: 0, poor: 0 });
    pass(5);
    await server.rounds.keepQuality();
    expect((await stored())[0]?.updatedAt).toEqual(first?.updatedAt);
    await end(conference);
  });
});

describe('GET meetings/history', () => {
  test('lists conferences a person hosted, was granted, invited to or inside of; the admin sees all', async () => {
    const conference = await openConference(server, alice, { participants: invite(server, 'bob') });
    const host = await conference.join(alice);
    await end(conference);
    const { id } = await conference.row();
    expect(host.state).toBe('admitted');
    const seen = async (who: Person, query = {}) => (await idsOf(who, query)).includes(id);
    expect([await seen(alice), await seen(bob), await seen(carol), await seen(admin)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([
      await seen(admin, { tenantWide: 'true' }),
      await seen(carol, { tenantWide: 'true' }),
      await seen(await signIn(server, 'dave'), { tenantWide: 'true' }),
    ]).toEqual([true, false, false]);
    const granted = {
      meetingId: conference.meetId,
      accountId: server.people.get('carol')?.id ?? '',
      grantedBy: 'Alice',
      grantedAt: server.clock.now(),
    };
    await server.db.tenant(server.people.get('carol')?.tenantId ?? '', (tx) => tx.insert(meetingGrant, granted));
    expect((await carol.history.list({ query: {} })).records.find((one) => one.id === id)?.seesAll).toBe(true);
  });

  test('pages, newest first, by keyword, time and type, including the running one', async () => {
    const opened: TestConference[] = [];
    for (const subject of ['Zebra one', 'Zebra two', 'Zebra three']) {
      const conference = await openConference(server, alice, { subject });
      await conference.join(alice);
      opened.push(conference);
      pass(opened.length * 10);
      if (subject !== 'Zebra three') await end(conference);
    }
    const ids = await Promise.all(opened.map(async (conference) => (await conference.row()).id));
    const [first, second, third] = ids as [string, string, string];
    expect(await idsOf(alice, { keyword: 'zebra' })).toEqual([third, second, first]);
    expect(await alice.history.list({ query: { keyword: 'zebra', current: 2, size: 2 } })).toMatchObject({
      total: 3,
      current: 2,
      size: 2,
      records: [{ id: first }],
    });
    expect(await idsOf(alice, { keyword: 'zebra', sort: 'duration', order: 'ASC' })).toEqual([first, second, third]);
    expect(await idsOf(alice, { keyword: 'zebra', order: 'ASC' })).toEqual([first, second, third]);
    expect(await idsOf(alice, { keyword: opened[1]?.meeting.numericId })).toEqual([second]);
    expect(await idsOf(admin, { keyword: 'Alice', tenantWide: 'true', size: 3 })).toEqual([third, second, first]);
    expect(await idsOf(alice, { keyword: 'zebra', from: server.clock.in(-55), until: server.clock.in(-35) })).toEqual([
      second,
    ]);
    expect(await idsOf(alice, { keyword: 'zebra', type: 'LIVE_MEETING' })).toEqual([]);
    const [running] = (await alice.history.list({ query: { keyword: 'zebra three' } })).records;
    expect(running).toMatchObject({ endedAt: null, endReason: null, duration: 1_800, peakTerminals: 1, people: 1 });
    await end(opened[2] as TestConference);
  });

  test('keeps each conference of a meeting that was held, closed and cancelled', async () => {
    const conference = await openConference(server, alice, { subject: 'Twice' });
    const host = await conference.join(alice);
    await leave(conference, host);
    await server.tick();
    pass(30);
    await server.tick();
    await alice.meetings.cancel({ params: { id: conference.meetId }, query: {} });
    expect((await alice.history.list({ query: { keyword: 'Twice' } })).records).toMatchObject([
      { endReason: 'empty', duration: 1_800, people: 1 },
    ]);
  });

  test('refuses invalid input', async () => {
    expect(await codeOf(alice.history.list({ query: { sort: 'subject' as 'duration' } }))).toBe('INVALID_INPUT');
    expect(await codeOf(clientOf(server).history.list({ query: {} }))).toBe('UNAUTHORIZED');
  });
});

describe('GET meetings/historyAll', () => {
  const range = (from: number, until: number) => ({
    startDate: server.clock.in(from),
    endDate: server.clock.in(until),
  });

  test('answers all conferences the caller may see of a period, for the admin those of the tenant', async () => {
    const conference = await openConference(server, alice, { participants: invite(server, 'bob') });
    await conference.join(alice);
    pass(20);
    await end(conference);
    const { id } = await conference.row();
    const all = async (who: Person, query = range(-30, 0)) => {
      const { records, isCut } = await who.history.all({ query });
      expect(isCut).toBe(false);
      return records.map((one) => one.id);
    };
    expect([await all(alice), await all(bob), await all(admin), await all(carol)]).toEqual([[id], [id], [id], []]);
    expect(await all(admin, { ...range(-30, 0), type: 'VIDEO_MEETING' } as never)).toEqual([]);
    expect(await all(alice, range(-10, 0))).toEqual([]);
    expect(await all(await signIn(server, 'dave'))).toEqual([]);
  });

  test('accepts 366 days at most, and no period that ends before it starts', async () => {
    expect(await codeOf(alice.history.all({ query: range(-366 * 24 * 60, 0) }))).toBe('OK');
    expect(await codeOf(alice.history.all({ query: range(-366 * 24 * 60 - 1, 0) }))).toBe('INVALID_INPUT');
    expect(await codeOf(alice.history.all({ query: range(0, -1) }))).toBe('INVALID_INPUT');
  });
});

describe('GET meetings/history/export', () => {
  /** The sheets of an exported record, by name, as texts. */
  async function sheetsFor(who: Person, id: string, locale = 'en'): Promise<Record<string, string[][]>> {
    const { headers, rawPayload, statusCode } = await server.app.inject({
      url: pathOf(contract.history.export, { params: { id } }),
      headers: { authorization: who.token, 'accept-language': locale },
    });
    expect([statusCode, headers['content-type']]).toEqual([200, expect.stringContaining('spreadsheetml.sheet')]);
    return sheetsOfWorkbook(rawPayload);
  }

  test('has the facts, people with times, stays and proceedings of the record', async () => {
    const conference = await openConference(server, alice, {
      subject: '=1+1/Handover',
      duration: 90,
      participants: invite(server, 'bob'),
    });
    const host = await conference.join(alice);
    pass(10);
    const member = await conference.join(bob);
    const { params } = conference;
    await host.calls.giveFloor({ params, body: { termId: member.termId, seconds: 120 } });
    await host.calls.openVote({ params, body: { question: 'Ready?', options: ['Yes', 'No'] } });
    const voteId = (await conference.control()).vote?.id ?? '';
    await member.calls.castBallot({ params: { ...params, voteId }, body: { option: 1 } });
    await host.calls.closeVote({ params });
    pass(20);
    await leave(conference, member);
    pass(30);
    await end(conference);
    const { id } = await conference.row();

    const sheets = await sheetsFor(alice, id);
    expect(Object.keys(sheets)).toEqual(['Meeting', 'Participants', 'Stays', 'Proceedings', 'Recordings']);
    const facts = Object.fromEntries(sheets['Meeting'] ?? []);
    expect(facts).toMatchObject({
      Subject: '=1+1/Handover',
      Number: conference.meeting.numericId,
      Host: 'Alice',
      'Length (min)': '60',
      People: '2',
      'How it ended': 'Ended',
    });
    expect(
      sheets['Participants']?.slice(1).map(([name, part, , , total, stays]) => [name, part, total, stays]),
    ).toEqual([
      ['Alice', 'Host', '60', '1'],
      ['Bob', 'Member', '20', '1'],
    ]);
    expect(sheets['Stays']?.slice(1).map(([name, , , how]) => [name, how])).toEqual([
      ['Alice', 'Meeting ended'],
      ['Bob', 'Left'],
    ]);
    expect(sheets['Proceedings']?.slice(1).map(([, ...rest]) => rest)).toEqual([
      ['Floor', 'Bob', '120 s', ''],
      ['Vote', 'Ready?', 'Yes', '0'],
      ['Vote', 'Ready?', 'No', '1'],
    ]);
    expect(Object.keys(await sheetsFor(alice, id, 'zh'))).toEqual([
      '会议信息',
      '参会人',
      '入会明细',
      '议事',
      '会议录制',
    ]);
  });

  test('has for invited people what the record shows them: names, and their own times alone', async () => {
    const conference = await openConference(server, alice, { participants: invite(server, 'bob') });
    await conference.join(alice);
    await conference.join(bob);
    pass(5);
    await end(conference);
    const sheets = await sheetsFor(bob, (await conference.row()).id);
    expect(Object.keys(sheets)).toEqual(['Meeting', 'Participants', 'Stays', 'Recordings']);
    expect(sheets['Participants']?.slice(1).map(([name, , , , total]) => [name, total])).toEqual([
      ['Alice', ''],
      ['Bob', '5'],
    ]);
    expect(sheets['Stays']?.slice(1).map(([name]) => name)).toEqual(['Bob']);
  });

  test('is refused to all others, and for records that do not exist', async () => {
    const conference = await openConference(server, alice);
    await conference.join(alice);
    await end(conference);
    const { id } = await conference.row();
    const codeFor = async (who: { token: string }, of: string): Promise<string> =>
      (await send(server, 'GET', pathOf(contract.history.export, { params: { id: of } }), { token: who.token }))
        .statusCode;
    expect(await codeFor(carol, id)).toBe('NOT_FOUND');
    expect(await codeFor(alice, newId())).toBe('NOT_FOUND');
    expect(await codeFor(alice, 'none')).toBe('NOT_FOUND');
    expect(await codeFor({ token: 'none' }, id)).toBe('UNAUTHORIZED');
  });

  test('is downloaded by a ticket, without a token', async () => {
    const conference = await openConference(server, alice);
    await conference.join(alice);
    await end(conference);
    const path = pathOf(contract.history.export, { params: { id: (await conference.row()).id } });
    const { ticket } = await alice.downloads.ticket({ body: { path } });
    expect((await send(server, 'GET', `${path}?ticket=${ticket}`)).file?.length).toBeGreaterThan(1_000);
    expect((await send(server, 'GET', `${path}?ticket=${ticket}`)).statusCode).toBe('TICKET_INVALID');
  });
});
