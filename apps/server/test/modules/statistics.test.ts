import { eq, inArray, sql } from 'drizzle-orm';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, MEETING_TYPES, pathOf, type StatisticFigures } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { session } from '../../src/modules/accounts/auth/tables.ts';
import { conference, terminalSession } from '../../src/modules/conferences/tables.ts';
import { meeting } from '../../src/modules/meetings/tables.ts';
import { recording } from '../../src/modules/recordings/tables.ts';
import { causeOf, networkOf } from '../../src/modules/statistics/quality.ts';
import { spanBefore } from '../../src/modules/statistics/calendar.ts';
import { childOf } from '../../src/modules/statistics/breakdown.ts';
import { randomOf } from '../platform/support/odd-targets.ts';
import { codeOf, send, signIn, type Person } from './support/client.ts';
import { Clock } from './support/clock.ts';
import { startServerWithMail } from './support/mail-server.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { DEPARTMENTS, figuresOfDetails, makePast, rowsOf, type Cut } from './support/statistics.ts';

const DAY = 86_400_000;
const ZONE = 'Asia/Shanghai';
const SEED = 20_261_127;
const CUTS = 100;
/** Noon in Shanghai, in the middle of a month. */
const NOW = Date.parse('2026-11-18T04:00:00Z');
const DAYS = 100;

let server: TestServer;
let admin: Person;
let root: Person;
let north: string;
let south: string;
const random = randomOf(SEED);
const dayAgo = (days: number): string => new Date(NOW - days * DAY).toISOString().slice(0, 10);

beforeAll(async () => {
  server = await startTestServer({ clock: new Clock(NOW) });
  [north, south] = ['admin', 'dave'].map((name) => server.people.get(name)?.tenantId ?? '') as [string, string];
  await makePast(server, { tenantId: north, prefix: 201, meetings: 500, days: DAYS, random });
  await makePast(server, { tenantId: south, prefix: 202, meetings: 60, days: DAYS, random });
  await server.rounds.countStatistics();
  [admin, root] = [await signIn(server, 'admin'), await signIn(server, 'root')];
}, 120_000);
afterAll(() => server.close());

const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

function randomCut(): Cut {
  const [a, b] = [Math.floor(random() * DAYS), Math.floor(random() * DAYS)];
  const whole = random();
  const [from, to] = whole < 0.15 ? ['2026-10-01', '2026-10-31'] : whole < 0.3 ? ['2026-10-12', '2026-10-18'] : [];
  return {
    from: from ?? dayAgo(Math.max(a, b)),
    to: to ?? dayAgo(Math.min(a, b)),
    ...(random() < 0.5 ? { department: pick(DEPARTMENTS.slice(1)) } : {}),
    ...(random() < 0.4 ? { type: pick(MEETING_TYPES) } : {}),
  };
}

const expected = (tenantId: string, cut: Cut) => figuresOfDetails(server, { ...cut, tenantId, zone: ZONE });

const totalsOf = async (query: Cut, person = admin): Promise<StatisticFigures> =>
  (await person.statistics.query({ query: { ...query, unit: 'month' } })).totals;

describe('figures', () => {
  test(`are those of the details in ${CUTS} random cuts, and not all empty`, async () => {
    let meetings = 0;
    for (let n = 0; n < CUTS; n += 1) {
      const cut = randomCut();
      const { storageBytes: _, ...totals } = await totalsOf(cut);
      expect(totals, JSON.stringify(cut)).toEqual(await expected(north, cut));
      meetings += totals.meetings ?? 0;
    }
    expect(meetings).toBeGreaterThan(CUTS * 10);
  }, 120_000);

  test.each(['day', 'week', 'month'] as const)('by %s add up to the whole, with people of whole ones', async (unit) => {
    const query = { from: '2026-09-01', to: '2026-10-31', unit };
    const { buckets, totals } = await admin.statistics.query({ query });
    const sum = (measure: 'meetings' | 'terminals' | 'signIns' | 'roomBookings'): number =>
      buckets.reduce((all, { figures }) => all + (figures[measure] ?? 0), 0);
    for (const measure of ['meetings', 'terminals', 'signIns', 'roomBookings'] as const)
      expect(sum(measure)).toBe(totals[measure]);
    expect(totals.people).toBeNull();
    // The weeks at both ends are not whole.
    expect(buckets.map(({ figures }) => figures.people === null)).toEqual(
      buckets.map((_, n) => unit === 'week' && (n === 0 || n === buckets.length - 1)),
    );
  });

  test('are compared with the period before, in whole months if it is one', async () => {
    const { before, totalsBefore, timeZone, isRunning, countedAt } = await admin.statistics.query({
      query: { from: '2026-11-01', to: '2026-11-30' },
    });
    expect(before).toEqual({ from: '2026-10-01', to: '2026-10-31' });
    const { storageBytes: _, ...figures } = totalsBefore;
    expect(figures).toEqual(await expected(north, before));
    expect({ timeZone, isRunning, countedAt }).toEqual({
      timeZone: ZONE,
      isRunning: true,
      countedAt: new Date(NOW).toISOString(),
    });
    expect(spanBefore({ from: '2026-03-05', to: '2026-03-07' })).toEqual({ from: '2026-03-02', to: '2026-03-04' });
  });

  test('by department show the next level, and add up', async () => {
    const cut = { from: '2026-10-01', to: '2026-10-31' };
    const { parts } = await admin.statistics.breakdown({ query: { ...cut, by: 'department' } });
    expect(parts.map(({ key }) => key).toSorted()).toEqual(['/', '100%_院', 'Board', '医院']);
    const totals = await totalsOf(cut);
    expect(parts.reduce((all, { figures }) => all + (figures.meetings ?? 0), 0)).toBe(totals.meetings);
    const hospital = parts.find(({ key }) => key === '医院')?.figures;
    const { meetings, people } = await totalsOf({ ...cut, department: '医院' });
    expect(hospital).toMatchObject({ meetings, people });
    const below = await admin.statistics.breakdown({ query: { ...cut, by: 'department', department: '医院' } });
    expect(below.parts.map(({ key }) => key).toSorted()).toEqual(['医院/', '医院/外科', '医院/外科楼']);
    expect([childOf('', ''), childOf('a/b', ''), childOf('a', 'a'), childOf('a/b/c', 'a')]).toEqual([
      '/',
      'a',
      'a/',
      'a/b',
    ]);
  });

  test.each([
    ['type', 'meetings'],
    ['room', 'roomBookings'],
    ['resource', 'resourceBookings'],
    ['cause', 'badMinutes'],
    ['qualityDepartment', 'badMinutes'],
    ['network', 'badMinutes'],
    ['device', 'badMinutes'],
    ['method', 'signIns'],
    ['storage', 'storageBytes'],
    ['tenant', 'meetings'],
  ] as const)('by %s add up to the whole', async (by, measure) => {
    const cut = { from: dayAgo(DAYS), to: dayAgo(0) };
    const { parts } = await admin.statistics.breakdown({ query: { ...cut, by } });
    const sum = parts.reduce((all, { figures }) => all + (figures[measure] ?? 0), 0);
    expect(sum).toBeCloseTo((await totalsOf(cut))[measure] ?? 0, 0);
    expect(sum).toBeGreaterThan(0);
    const values = parts.map(({ figures }) => figures[measure] ?? 0);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });

  test('lead to the meetings behind them', async () => {
    const cut = { from: '2026-10-01', to: '2026-10-31', department: '医院/外科', type: 'NETWORK_MEETING' as const };
    const { records, total } = await admin.statistics.meetings({ query: { ...cut, size: 200 } });
    expect(total).toBe((await totalsOf(cut)).meetings);
    expect(records).toHaveLength(total);
    const minutes = records.reduce((all, record) => all + record.minutes, 0);
    expect(minutes).toBeCloseTo((await totalsOf(cut)).minutes ?? 0, 0);
    expect(new Set(records.map(({ department }) => department))).toEqual(new Set(['医院/外科', '医院/外科/一区']));
    expect(records.map(({ startedAt }) => startedAt)).toEqual(
      records.map(({ startedAt }) => startedAt).toSorted((a, b) => (a < b ? 1 : -1)),
    );
    // The record in the history has the same id.
    const [first] = records;
    expect(await admin.history.record({ query: { id: first?.id ?? '' } })).toMatchObject({ id: first?.id });
  });

  test('lead to a list that is searched and sorted, page by page', async () => {
    const cut = { from: '2026-10-01', to: '2026-10-31', size: 200 };
    const list = async (more: object) => (await admin.statistics.meetings({ query: { ...cut, ...more } })).records;
    const all = await list({});
    const [some] = all;
    if (!some) throw new Error('No meeting was held.');
    for (const keyword of [some.subject, some.subject.toUpperCase(), some.numericId, some.host]) {
      const found = await list({ keyword });
      expect(found.map(({ id }) => id)).toContain(some.id);
      const texts = ({ subject, numericId, host }: typeof some) => `${subject} ${numericId} ${host}`.toLowerCase();
      expect(found).toEqual(all.filter((row) => texts(row).includes(keyword.toLowerCase())));
    }
    expect(await list({ keyword: '100%' })).toEqual([]);
    const minutes = (await list({ sort: 'minutes', order: 'ASC' })).map((row) => row.minutes);
    expect(minutes).toEqual(all.map((row) => row.minutes).toSorted((a, b) => a - b));
    const pages = [1, 2, 3].map((current) => list({ sort: 'minutes', size: 5, current }));
    expect((await Promise.all(pages)).flat()).toEqual((await list({ sort: 'minutes' })).slice(0, 15));
    const { total } = await admin.statistics.meetings({ query: { ...cut, keyword: some.numericId } });
    expect(total).toBe(1);
  });
});

test('the cause of bad minutes is the limit that was reached, the network a prefix', () => {
  const of = (poor: number, loss: number, roundTrip: number) => {
    const value = (max: number) => ({ count: 1, sum: max, min: max, max });
    return causeOf({
      scores: { good: 1, fair: 0, poor },
      measures: { loss: value(loss), roundTrip: value(roundTrip) },
    });
  };
  expect([of(1, 9, 900), of(1, 2, 900), of(1, 2, 100), of(0, 9, 900)]).toEqual(['loss', 'delay', 'other', 'none']);
  expect(['192.0.2.77', '::ffff:192.0.2.77', '2001:db8:1:2::5', 'unknown'].map(networkOf)).toEqual([
    '192.0.2.0/24',
    '192.0.2.0/24',
    '2001:db8:1::/48',
    '',
  ]);
});

describe('rights', () => {
  const query = { from: '2026-10-01', to: '2026-10-31' };

  test('a tenant administrator sees the own tenant, whatever tenant is named', async () => {
    const own = await totalsOf(query);
    expect(await totalsOf({ ...query, tenantId: south })).toEqual(own);
    const { records } = await admin.statistics.meetings({ query: { ...query, tenantId: south, size: 200 } });
    expect(new Set(records.map(({ tenantName }) => tenantName))).toEqual(new Set(['north']));
  });

  test('the super administrator sees all tenants together, and each', async () => {
    const [all, one, two] = [
      await totalsOf(query, root),
      await totalsOf({ ...query, tenantId: north }, root),
      await totalsOf({ ...query, tenantId: south }, root),
    ];
    expect(one).toEqual(await totalsOf(query));
    expect(all.meetings).toBe((one.meetings ?? 0) + (two.meetings ?? 0));
    expect(all.people).toBe((one.people ?? 0) + (two.people ?? 0));
    const { parts } = await root.statistics.breakdown({ query: { ...query, by: 'tenant' } });
    expect(parts.map(({ name, figures }) => [name, figures.meetings])).toEqual([
      ['north', one.meetings],
      ['south', two.meetings],
    ]);
    expect((await root.statistics.query({ query })).timeZone).toBeNull();
    const { records } = await root.statistics.meetings({ query: { ...query, tenantId: south, size: 200 } });
    expect(new Set(records.map(({ tenantName }) => tenantName))).toEqual(new Set(['south']));
  });

  test('others are refused', async () => {
    for (const name of ['alice', 'ops']) {
      const person = await signIn(server, name);
      expect(await codeOf(person.statistics.query({ query }))).toBe('FORBIDDEN');
      expect(await codeOf(person.statistics.settings())).toBe('FORBIDDEN');
      expect(await codeOf(person.statistics.recount({ body: query }))).toBe('FORBIDDEN');
    }
  });
});

describe('wrong inputs', () => {
  test.each([
    ['a day that does not exist', { from: '2026-02-30', to: '2026-03-01' }, 'from'],
    ['another form of a day', { from: '1.2.2026', to: '2026-03-01' }, 'from'],
    ['a period that ends before it begins', { from: '2026-03-02', to: '2026-03-01' }, 'to'],
    ['a period of more than five years', { from: '2020-01-01', to: '2026-01-01' }, 'to'],
    ['too many days by day', { from: '2022-01-01', to: '2026-01-01' }, 'unit'],
    ['an unknown unit', { from: '2026-01-01', to: '2026-01-01', unit: 'hour' }, 'unit'],
    ['an unknown type', { from: '2026-01-01', to: '2026-01-01', type: 'PARTY' }, 'type'],
    ['a year far away', { from: '9999-12-30', to: '9999-12-31' }, 'from'],
  ])('%s', async (_, query, field) => {
    const path = `${contract.statistics.query.path}?${new URLSearchParams(query).toString()}`;
    const answer = await send(server, 'GET', path, { token: admin.token });
    expect(answer).toMatchObject({ httpStatus: 400, statusCode: 'INVALID_INPUT' });
    expect(Object.keys(answer.fields ?? {})).toContain(field);
  });

  test('settings need a time zone and mail addresses, and the version that was read', async () => {
    const good = { timeZone: ZONE, recipients: [] as string[], locale: 'zh' as const, version: 7 };
    const save = (body: object) => codeOf(admin.statistics.saveSettings({ body: { ...good, ...body } }));
    expect(await save({ timeZone: 'Mars/Base' })).toBe('INVALID_INPUT');
    expect(await save({ recipients: ['alice'] })).toBe('INVALID_INPUT');
    expect(await save({ recipients: Array.from({ length: 21 }, (_, n) => `a${n}@example.org`) })).toBe('INVALID_INPUT');
    expect(await save({})).toBe('CHANGED_MEANWHILE');
  });

  test('operators name the tenant that is counted again', async () => {
    const body = { from: '2026-11-01', to: '2026-11-02' };
    expect(await codeOf(root.statistics.recount({ body }))).toBe('TENANT_REQUIRED');
    const unknown = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d10';
    expect(await codeOf(root.statistics.recount({ body: { ...body, tenantId: unknown } }))).toBe('NOT_FOUND');
  });
});

describe('exports', () => {
  const query = { from: '2026-10-01', to: '2026-10-31' };
  const fileOf = async (route: 'export' | 'report' | 'text', person = admin) =>
    (await send(server, 'GET', pathOf(contract.statistics[route], { query }), { token: person.token })).file;

  test('a workbook has one row for each day', async () => {
    const book = new ExcelJS.Workbook();
    await book.xlsx.load((await fileOf('export')) as never);
    const sheet = book.worksheets[0];
    expect(sheet?.rowCount).toBe(32);
    expect(sheet?.getCell('A2').value).toBe('2026-10-01');
  });

  test('a text file comes by the header authorization, with the same rows', async () => {
    const text = (await fileOf('text'))?.toString() ?? '';
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(32);
    const meetings = lines[0]?.split(',').indexOf('Meetings held') ?? 0;
    const sum = lines.slice(1).reduce((all, line) => all + Number(line.split(',')[meetings]), 0);
    expect(sum).toBe((await totalsOf(query)).meetings);
    const { httpStatus } = await send(server, 'GET', pathOf(contract.statistics.text, { query }));
    expect(httpStatus).toBe(401);
    const alice = await signIn(server, 'alice');
    expect(
      await send(server, 'GET', pathOf(contract.statistics.text, { query }), { token: alice.token }),
    ).toMatchObject({
      httpStatus: 403,
    });
  });

  test('a report is a PDF document', async () => {
    const file = await fileOf('report');
    expect(file?.subarray(0, 8).toString()).toMatch(/^%PDF-1\.\d$/);
    expect(file?.length).toBeGreaterThan(5_000);
  });
});

describe('after retention', () => {
  test('figures of months stay when their details are deleted, also after a count by hand', async () => {
    const query = { from: '2026-09-01', to: '2026-09-30' };
    const before = await admin.statistics.query({ query: { ...query, department: '医院' } });
    expect(before.totals).toMatchObject({ meetings: expect.any(Number), people: expect.any(Number) });
    const old = sql`< '2026-09-30T16:00:00Z'::timestamptz`;
    await server.db.tenant(north, async (tx) => {
      await tx.delete(recording, sql`${recording.startedAt} ${old}`);
      await tx.delete(session, sql`${session.createdAt} ${old}`);
      const gone = (await tx.find(conference, sql`${conference.startedAt} ${old}`)).map(({ id }) => id);
      // Calls and media quality go with them.
      await tx.delete(terminalSession, inArray(terminalSession.conferenceId, gone));
      await tx.delete(conference, inArray(conference.id, gone));
      // Meetings of broadcasts, and those that others refer to, stay.
      await tx.delete(
        meeting,
        sql`${meeting.startTime} ${old} and ${meeting.cancelledAt} is not null and not exists
          (select 1 from recording r where r.meeting_id = ${meeting.id})`,
      );
    });
    await server.rounds.countStatistics();
    const { kept } = await admin.statistics.recount({ body: query });
    expect(kept).toBeGreaterThan(60);
    expect(await admin.statistics.query({ query: { ...query, department: '医院' } })).toEqual(before);
  });
});

describe('counting', () => {
  test('follows a meeting that is moved, held and ends, by the days of the time zone', async () => {
    const [count, at] = [() => server.rounds.countStatistics(), '2026-11-18'];
    const meetingsOn = async (day: string) => {
      const { booked, meetings, minutes } = await totalsOf({ from: day, to: day });
      return { booked: booked ?? 0, meetings: meetings ?? 0, minutes: minutes ?? 0 };
    };
    const before = await meetingsOn(at);
    const [row] = await server.db.tenant(north, (tx) =>
      tx.find(
        meeting,
        sql`${meeting.startTime} < '2026-11-17T15:00:00Z' and ${meeting.startTime} >
        '2026-11-16T17:00:00Z'`,
      ),
    );
    if (!row) throw new Error('No meeting is there.');
    const earlier = await meetingsOn('2026-11-17');
    // 16:30 UTC is half past midnight of the 18th in Shanghai.
    const startTime = new Date('2026-11-17T16:30:00Z');
    await server.db.tenant(north, (tx) =>
      tx.update(
        meeting,
        { startTime, endTime: new Date(startTime.getTime() + row.duration * 60_000) },
        eq(meeting.id, row.id),
      ),
    );
    await count();
    expect((await meetingsOn(at)).booked).toBe(before.booked + 1);
    expect((await meetingsOn('2026-11-17')).booked).toBe(earlier.booked - 1);
    // Counted again without a change, the figures are the same.
    const same = await meetingsOn(at);
    await count();
    expect(await meetingsOn(at)).toEqual(same);
  });

  test('begins again in another time zone, which is recorded', async () => {
    const shown = await admin.statistics.settings();
    expect(shown).toEqual({ timeZone: ZONE, recipients: [], locale: 'zh', canMail: false, version: 0 });
    const query = { from: '2026-10-05', to: '2026-11-10' };
    const perDay = async (): Promise<(number | null)[]> =>
      (await admin.statistics.query({ query })).buckets.map(({ figures }) => figures.meetings);
    const inShanghai = await perDay();
    const saved = await admin.statistics.saveSettings({
      body: { timeZone: 'America/New_York', recipients: [], locale: 'en', version: 0 },
    });
    expect(saved).toMatchObject({ timeZone: 'America/New_York', version: 1 });
    await server.rounds.countStatistics();
    const rows = await rowsOf<{ day: string; n: string }>(
      server,
      sql`select (started_at at time zone 'America/New_York')::date::text as day, count(*) as n from conference
        where tenant_id = ${north}::uuid group by 1`,
    );
    const byDay = new Map(rows.map(({ day, n }) => [day, Number(n)]));
    const { buckets, timeZone } = await admin.statistics.query({ query });
    expect(timeZone).toBe('America/New_York');
    expect(buckets.map(({ figures }) => figures.meetings)).toEqual(buckets.map(({ start }) => byDay.get(start) ?? 0));
    expect(await perDay()).not.toEqual(inShanghai);
    const [row] = await server.db.tenant(north, (tx) =>
      tx.find(auditLog, eq(auditLog.action, 'statistics.saveSettings')),
    );
    expect(row).toMatchObject({ before: { timeZone: ZONE }, after: { timeZone: 'America/New_York' } });
  });
});

describe('the monthly report', () => {
  test('is mailed once for each month to the chosen recipients', async () => {
    const clock = new Clock(Date.parse('2026-11-18T04:00:00Z'));
    const { server: own, mails } = await startServerWithMail({ clock });
    try {
      const chief = await signIn(own, 'admin');
      const recipients = ['chair@example.org', 'alice@example.org'];
      const body = { timeZone: ZONE, recipients, locale: 'en', version: 0 } as const;
      expect(await chief.statistics.saveSettings({ body })).toMatchObject({ canMail: true, recipients });
      await own.rounds.queueReports();
      await own.rounds.queueReports();
      await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(2);
      expect(mails.received.flatMap(({ to }) => to).toSorted()).toEqual(recipients.toSorted());
      expect(mails.received[0]?.subject).toBe('Meeting statistics of north, 2026-10');
      expect(mails.received[0]?.text).toContain('Meetings held: 0');
      clock.advance({ hours: 24 * 13 });
      await own.rounds.queueReports();
      await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(4);
      expect(mails.received.at(-1)?.subject).toContain('2026-11');
    } finally {
      await own.close();
    }
  }, 60_000);
});
