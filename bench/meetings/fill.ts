import { sql, type SQL } from 'drizzle-orm';
import { tenant } from '../../apps/server/src/modules/accounts/tenants/tables.ts';
import { drizzleOf, newId, type Db } from '../../apps/server/src/platform/db/index.ts';
import { inBulk } from './bulk.ts';

export const PASSWORD = 'Bench-password-1';
const ROOMS = 200;
/** Days before now that meetings go back to, and days after it that they are booked for. */
const SPAN = { past: 730, ahead: 30 };
const DAY = 86_400_000;
/**
 * The number of meetings of an ordinary person, for any tenant size, and of a person who keeps the calendars of others.
 */
const PERSON = { hosted: 10, invited: 50 };
const SECRETARY = { hosted: 500, invited: 1_500 };

export interface Filling {
  meetings: number;
  users: number;
  passwordHash: string;
  now: number;
}

/** The facts about the data that the calls of the benchmark need. */
export interface Filled {
  now: number;
  /** Accounts that sign in. */
  admin: string;
  person: string;
  secretary: string;
  /** Meeting numbers of the tenant, as for the conferences. */
  numbers: string[];
  conferenceIds: string[];
  /** Names that people search for. */
  hostNames: string[];
}

type Run = (query: SQL) => Promise<void>;

/**
 * Runs statements of any length, without the checks of foreign keys, which the created rows would pass: they would take
 * most of the time.
 */
function runner(db: Db): Run {
  return (query) =>
    db.platform(async (tx) => {
      const drizzle = drizzleOf(tx);
      await drizzle.execute(sql`set local session_replication_role = replica`);
      await drizzle.execute(sql`set local statement_timeout = 0`);
      await drizzle.execute(query);
    });
}

/**
 * Ids computed from a number, in its order, as the product's ids are in order of time; `kind` is one hexadecimal digit.
 */
const idOf = (offset: number, kind: string, i: SQL): SQL =>
  sql`(lpad(to_hex(${offset}::int + ${i}), 8, '0') || ${`-0000-7000-8${kind}00-000000000000`}::text)::uuid`;

/** A tenant with this many users, created as in bench users, and rooms. Returns its id. */
async function addTenant(
  run: Run,
  db: Db,
  name: string,
  offset: number,
  { users, passwordHash }: Filling,
): Promise<string> {
  const tenantId = newId();
  await db.platform((tx) => tx.insert(tenant, { tenantId, name, createdAt: new Date() }));
  await run(sql`
    insert into account (id, tenant_id, account, name, email, phone, department, password_hash, created_at,
    is_tenant_admin)
    select ${idOf(offset, '1', sql`i`)}, ${tenantId}::uuid, ${name}::text || '.user' || i,
      substr('王李张刘陈杨黄赵周吴徐孙马朱', i % 14 + 1, 1) || chr(20000 + i % 3000 * 7919 % 3000) || chr(20000 + i % 3000 *
      104729 % 3000),
      'user' || i || '@example.org', '138' || lpad((i * 7907::bigint % 100000000)::text, 8, '0'), '医院/科室 ' || i %
      500, ${passwordHash}::text, now(), i = 1
    from generate_series(1, ${users}::int) as i`);
  await run(
    sql`insert into account_role select account.tenant_id, account.id, role.id from account, role where
      account.tenant_id = ${tenantId}::uuid and role.is_default and role.kind = 'user'`,
  );
  const buildingId = newId();
  await run(
    sql`insert into building (id, tenant_id, name, sort_name, time_zone, created_at) values (${buildingId}::uuid,
      ${tenantId}::uuid, 'Main', 'Main', 'Asia/Shanghai', now())`,
  );
  await run(sql`
    insert into room (id, tenant_id, building_id, name, sort_name, floor, sort_floor, capacity, created_at)
    select ${idOf(offset, '2', sql`i`)}, ${tenantId}::uuid, ${buildingId}::uuid, 'Room ' || i, 'Room ' || i, '1',
    '1', 8, now() from generate_series(0, ${ROOMS - 1}::int) as i`);
  return tenantId;
}

/**
 * Which account of the tenant hosts a meeting, and which are invited besides the people, who come after the first ten.
 */
function peopleOf({ meetings, users }: Filling) {
  const others = users - 10;
  const somebody = (j: SQL): SQL => sql`((i * 7919::bigint + ${j} * 104729::bigint) % ${others}::bigint)::int + 11`;
  const each = (count: number, place: number): SQL =>
    sql`i % ${Math.max(1, Math.floor(meetings / count))}::int = ${place}::int`;
  return {
    host: sql`case when ${each(PERSON.hosted, 1)} then 2 when ${each(SECRETARY.hosted, 3)} then 3 else
      ${somebody(sql`0`)} end`,
    invited: somebody(sql`j`),
    personInvited: sql`${each(PERSON.invited, 2)} and not ${each(PERSON.hosted, 1)}`,
    secretaryInvited: sql`${each(SECRETARY.invited, 4)} and not ${each(SECRETARY.hosted, 3)}`,
  };
}

/**
 * Meetings over two years and the next month: one in five belongs to a series of ten, one in three has a room, five
 * people are invited on average. Six in seven of the past ones were held, with four people each; current ones are
 * running. One in 35 was cancelled.
 */
// oxlint-disable-next-line max-lines-per-function -- one flat list of statements
async function addMeetings(run: Run, tenantId: string, offset: number, filling: Filling): Promise<void> {
  const { meetings, now } = filling;
  const people = peopleOf(filling);
  const step = ((SPAN.past + SPAN.ahead) * DAY) / meetings;
  const at = new Date(now).toISOString();
  const first = new Date(now - SPAN.past * DAY).toISOString();
  const start = sql`date_trunc('minute', ${first}::timestamptz + i * ${step / 1_000}::double precision * interval
    '1 second')`;
  const minutes = sql`(15 + i % 4 * 15)`;
  const number = sql`(${100_000_000 + offset}::int + case when i % 50 < 10 then 50000000 + i / 50 else i end)::text`;
  await run(sql`
    insert into meeting_number (number, tenant_id, kind, created_at)
    select distinct ${number}, ${tenantId}::uuid, case when i % 50 < 10 then 'series' else 'meeting' end, now()
    from generate_series(1, ${meetings}::int) as i`);
  await run(sql`
    insert into meeting_series (id, tenant_id, number, host_id, subject, rule, start_time, time_zone, created_at)
    select ${idOf(offset, '3', sql`s`)}, ${tenantId}::uuid, (${100_000_000 + offset}::int + 50000000 + s)::text,
    ${idOf(offset, '1', sql`11`)}, 'Series', 'FREQ=DAILY;COUNT=10', now(), 'UTC', now()
    from generate_series(0, ${Math.floor(meetings / 50)}::int) as s`);
  const ofCase = Math.max(1, Math.floor(meetings / 10_000));
  const isCancelled = sql`i % 35 = 0`;
  const type = sql`case when i % 50 = 0 then 'LIVE_MEETING' when i % 20 = 1 then 'VIDEO_MEETING' when i % 20 = 2
    then 'PHONE_MEETING' else 'NETWORK_MEETING' end`;
  const all = sql`generate_series(1, ${meetings}::int) as i`;
  const booked = async (): Promise<void> => {
    await run(sql`
      insert into meeting (id, tenant_id, series_id, recurrence_id, number, type, subject, start_time, duration,
      end_time, waiting_room, host_id, status, cancelled_at, created_at, updated_at)
      select ${idOf(offset, '4', sql`i`)}, ${tenantId}::uuid, case when i % 50 < 10 then
      ${idOf(offset, '3', sql`i / 50`)} end, case when i % 50 < 10 then ${start} end, ${number},
        ${type},
        (array['Ward round', '多学科会诊', 'Handover', '手术排期会', 'Budget', '周例会', 'Tumour board', '护理培训',
        'Radiology review', '新员工入职'])[i % 10 + 1]
          || case when i % ${ofCase}::int = 0 then ' case ' || i / ${ofCase}::int else '' end || case when
          ${start} > ${at}::timestamptz then ' (planned)' else '' end,
        ${start}, ${minutes}, ${start} + ${minutes} * interval '1 minute', true, ${idOf(offset, '1', people.host)},
        case when ${isCancelled} then 'OFFLINE' when ${start} > ${at}::timestamptz then 'SCHEDULE' when ${start}
        + ${minutes} * interval '1 minute' > ${at}::timestamptz and i % 7 > 0 then 'ONLINE' else 'OFFLINE' end,
        case when ${isCancelled} then ${start} - interval '1 hour' end, ${start} - interval '1 day', ${start} -
        interval '1 day'
      from ${all}`);
    await run(sql`
      insert into meeting_participant (id, tenant_id, meeting_id, account_id, position)
      select (lpad(to_hex(${offset}::int + i), 8, '0') || '-0000-7000-86' || lpad(to_hex(position), 2, '0') ||
      '-000000000000')::uuid, ${tenantId}::uuid, ${idOf(offset, '4', sql`i`)}, account_id, position
      from (
        select i, ${idOf(offset, '1', people.invited)} as account_id, j as position from ${all},
        generate_series(1, 3 + i % 5) as j
        union all select i, ${idOf(offset, '1', sql`2`)}, 10 from ${all} where ${people.personInvited}
        union all select i, ${idOf(offset, '1', sql`3`)}, 11 from ${all} where ${people.secretaryInvited}) as invited`);
  };
  const held = async (): Promise<void> => {
    await run(sql`
      insert into room_booking (id, tenant_id, meeting_id, room_id, position, start_time, end_time)
      select ${idOf(offset, '7', sql`i`)}, ${tenantId}::uuid, ${idOf(offset, '4', sql`i`)},
      ${idOf(offset, '2', sql`i / 3 % ${ROOMS}::int`)}, 0, ${start}, ${start} + ${minutes} * interval '1 minute'
      from ${all} where i % 3 = 0`);
    await run(sql`
      insert into conference (id, tenant_id, meeting_id, type, started_at, control, ended_at, end_reason,
      peak_terminals)
      select ${idOf(offset, '5', sql`i`)}, ${tenantId}::uuid, ${idOf(offset, '4', sql`i`)}, ${type}, ${start}, '{}',
        case when ended then ${start} + (${minutes} - i % 7) * interval '1 minute' end, case when ended then
        'ended' end, 4
      from (select i, ${start} + ${minutes} * interval '1 minute' <= ${at}::timestamptz as ended from ${all}
      where i % 7 > 0 and ${start} <= ${at}::timestamptz) as held`);
    const termId = sql`'T' || lpad(${sql`to_hex(${offset}::int + i)`}, 14, '0') || j`;
    await run(sql`
      insert into terminal_session (term_id, tenant_id, conference_id, meeting_id, account_id, token_hash, name,
      role, state, device_type, origin, created_at, admitted_at, first_inside_at, joined_at, left_at, last_seen_at)
      select ${termId}, ${tenantId}::uuid, conference.id, meeting_id, case when j = 0 then
      ${idOf(offset, '1', people.host)} else ${idOf(offset, '1', people.invited)} end, ${termId}, 'Somebody',
      case when j = 0 then 'host' else 'member' end,
        case when ended_at is null then 'admitted' else 'left' end, 5, '', started_at, started_at, started_at,
        started_at, ended_at, started_at
      from ${all} join conference on conference.id = ${idOf(offset, '5', sql`i`)}, generate_series(0, 3) as j`);
    // The log of one in ten.
    await run(sql`
      insert into conference_command (id, tenant_id, conference_id, version, verb, command, commander, changes,
      affected, push_version, created_at)
      select gen_random_uuid(), ${tenantId}::uuid, conference.id, j + 1, 'arrive', jsonb_build_object('verb',
      'arrive', 'termId', ${termId}, 'name', 'Somebody', 'role', 'member', 'previousTermId', null),
        '{"kind":"server","name":"","termId":null}', '[]', '{}', j + 1, started_at
      from ${all} join conference on conference.id = ${idOf(offset, '5', sql`i`)}, generate_series(0, 3) as j
      where i % 10 = 1`);
  };
  await Promise.all([booked(), held()]);
}

/**
 * A tenant with this many meetings, and another one with at most 10,000, in the database of `url`, which belongs to the
 * server of `db`.
 */
export async function fillMeetings(db: Db, url: string, filling: Filling): Promise<Filled> {
  const run = runner(db);
  const others = { ...filling, meetings: Math.min(filling.meetings, 10_000), users: Math.min(filling.users, 1_000) };
  const otherOffset = 200_000_000;
  let tenantId = '';
  await inBulk(url, async () => {
    await addMeetings(run, await addTenant(run, db, 'other', otherOffset, others), otherOffset, others);
    tenantId = await addTenant(run, db, 'bench', 0, filling);
    await addMeetings(run, tenantId, 0, filling);
  });
  return db.platform(async (tx) => {
    const drizzle = drizzleOf(tx);
    const textsOf = async (query: SQL): Promise<string[]> =>
      ((await drizzle.execute(query)) as { rows: { text: string }[] }).rows.map(({ text }) => text);
    const spread = Math.max(1, Math.floor(filling.meetings / 200));
    return {
      now: filling.now,
      admin: 'bench.user1',
      person: 'bench.user2',
      secretary: 'bench.user3',
      numbers: await textsOf(
        sql`select number as text from meeting where tenant_id = ${tenantId}::uuid and id in (select
          ${idOf(0, '4', sql`i * ${spread}::int`)} from generate_series(1, 200) as i)`,
      ),
      conferenceIds: await textsOf(
        sql`select id::text as text from conference where id in (select
          ${idOf(0, '5', sql`(i * ${spread}::int) / 10 * 10 + 1`)} from generate_series(1, 200) as i)`,
      ),
      hostNames: await textsOf(
        sql`select name as text from account where id in (select
          ${idOf(0, '1', sql`i * ${Math.floor((filling.users - 20) / 200)}::int + 11`)} from generate_series(1,
          200) as i)`,
      ),
    };
  });
}
