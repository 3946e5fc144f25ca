import ExcelJS from 'exceljs';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf, type Route } from '@rmeet/contract';
import { drizzleOf, newId, PLATFORM_TENANT_ID } from '../../src/platform/db/index.ts';
import { makeSetting, type CallArgs, type Setting } from './support/case-setting.ts';
import { cases } from './support/cases.ts';
import { clientOf, codeOf, send, type Answer, type Person } from './support/client.ts';
import { fresh } from './support/fresh.ts';
import { UUID } from './support/ids.ts';
import { book, invite } from './support/meetings.ts';
import { connect } from './support/push.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { routes } from './support/world.ts';

let server: TestServer;
let setting: Setting;
let south: string;
/** The administrator of the other tenant, present in a conference there as its host. */
let daveInside: string;
/** The same, signed in; some calls end a session, so request it again each time. */
const dave = (): Person => setting.cast.foreignAdmin;
/** A desk of that conference, by a link for its chair. */
let daveDesk: string;
/** A chat message in the first tenant. */
let saidInNorth: string;

/**
 * Accounts with departments and roles, a conference with present and waiting people, a guest link, a message, and the
 * log of all that.
 */
async function fill(
  host: Person,
  admin: Person,
  meeting: { meetId: string },
  inside: string,
  text: string,
): Promise<string> {
  await admin.users.create({
    body: { account: `new.${newId().slice(-12)}`, name: 'New', department: `Ward ${newId().slice(-6)}/Night` },
  });
  await host.guests.create({ query: { meetingId: meeting.meetId } });
  const id = newId();
  await clientOf(server, inside).conferences.chat({ params: { meetId: meeting.meetId }, body: { id, text } });
  return id;
}

beforeAll(async () => {
  server = await startTestServer();
  setting = await makeSetting(server);
  const { cast, world } = setting;
  saidInNorth = await fill(
    cast.host,
    cast.tenantAdmin,
    world.meeting,
    world.tokens.hostTerminal ?? '',
    'Said in north',
  );
  south = server.people.get('dave')?.tenantId ?? '';
  const own = await book(server, dave(), {
    startTime: server.clock.in(0),
    waitingRoom: true,
    participants: invite(server, 'erin'),
  });
  daveInside = (await dave().conferences.join({ body: { numericId: own.numericId } })).sessionToken;
  await clientOf(server).conferences.join({ body: { numericId: own.numericId, password: '4821', name: 'Waiting' } });
  const { url } = await dave().conferences.manageUrl({ params: { a: own.meetId, b: 'chair' }, query: {} });
  daveDesk = (
    await clientOf(server).conferences.openDesk({
      body: { sign: new URLSearchParams(url.split('?')[1]).get('token') ?? '' },
    })
  ).token;
  await fill(dave(), dave(), own, daveInside, 'Said in south');
});
afterAll(() => server.close());

/** Every row of a tenant in every table that has tenants, as text. */
async function rowsOf(tenantId: string): Promise<Map<string, string>> {
  return server.db.platform(async (tx) => {
    const drizzle = drizzleOf(tx);
    const { rows: tables } = (await drizzle.execute(sql`
      select table_name as name from information_schema.columns where column_name = 'tenant_id' and table_schema
      = 'public' order by 1`)) as {
      rows: { name: string }[];
    };
    const each = tables.map(
      ({ name }) => sql`
      select ${name}::text as name, coalesce(string_agg(t::text, chr(10) order by t::text), '') as content from
      ${sql.identifier(name)} t where tenant_id = ${tenantId}`,
    );
    const { rows } = (await drizzle.execute(sql.join(each, sql` union all `))) as {
      rows: { name: string; content: string }[];
    };
    return new Map(rows.map(({ name, content }) => [name, content]));
  });
}

const ID = new RegExp(`${UUID.source}|^[1-9]\\d{8}$|^T[a-z0-9]{16}$`);

/**
 * The same input with ids that do not exist, each id replaced by the same new one everywhere; `known` are already
 * mapped.
 */
function withUnknownIds(value: unknown, known = new Map<string, string>()): unknown {
  if (typeof value === 'string' && ID.test(value)) {
    const other =
      known.get(value) ?? (value.length === 9 ? '999999999' : value.startsWith('T') ? 'Taaaaaaaaaaaaaaaa' : newId());
    known.set(value, other);
    return other;
  }
  if (Array.isArray(value)) return value.map((inner) => withUnknownIds(inner, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withUnknownIds(inner, known)]));
}

const ask = (route: Route, given: CallArgs, token: string): Promise<Answer> =>
  send(server, route.method, pathOf(route, given as never), { token, body: given.body });

/** Open to everybody who has the number, the link or the id, of any tenant. */
const OPEN = new Set([
  'conferences.join',
  'conferences.lookUp',
  'clientPackages.list',
  'conferences.openDesk',
  'guests.count',
  'guests.queryMeetDetail',
  'tenants.logo',
  'watch.openSignedIn',
]);
const guarded = routes.filter(
  ([name, route]) =>
    !OPEN.has(name) && route.callers.some((caller) => caller === 'user' || caller === 'terminal' || caller === 'desk'),
);

interface Schema {
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

/** Whether the input has a value at every place where the schema has an id; of alternatives, one is enough. */
function namesAllIds(schema: Schema, given: unknown): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => namesAllIds(one, given));
  if (schema.format === 'uuid') return given !== undefined;
  if (schema.items)
    return (
      !hasIds(schema.items) || (Array.isArray(given) && given.every((item) => namesAllIds(schema.items ?? {}, item)))
    );
  return Object.entries(schema.properties ?? {}).every(([name, inner]) =>
    namesAllIds(inner, (given as Record<string, unknown> | undefined)?.[name]),
  );
}
const hasIds = (schema: Schema): boolean =>
  schema.format === 'uuid' ||
  [schema.items ?? {}, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})].some(
    (inner) => Object.keys(inner).length > 0 && hasIds(inner),
  );

test.each(guarded)('%s is tested with every id it accepts', async (name, route) => {
  // Invited people, rooms and terminals are tested separately.
  if (/^meetings\.(create|update)/.test(name)) return;
  // Roles, of which a second factor may be asked, belong to no tenant.
  if (name === 'tenants.updateOwn') return;
  const given = await cases[name]?.args(setting, 'tenantAdmin');
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = route.input[part];
    if (schema)
      expect(
        namesAllIds(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, given?.[part]),
        part,
      ).toBe(true);
  }
});

describe('ids of another tenant are answered like unknown ids, and change nothing', () => {
  test.each(guarded)('%s', async (name, route) => {
    const { args, expected } = cases[name] ?? {};
    if (!args || !expected) throw new Error(`How is ${name} called? Say so in support/cases.ts.`);
    // Every caller calls for itself: what a caller may do with its own session or password does not concern tenants.
    const given = await args(setting, 'foreignAdmin');
    const unknown = withUnknownIds(given) as CallArgs;
    const before = await rowsOf(setting.north);
    const tokens = [
      ...(route.callers.includes('user') ? [dave().token] : []),
      ...(route.callers.includes('terminal') ? [daveInside] : []),
      ...(route.callers.includes('desk') ? [daveDesk] : []),
    ];
    for (const token of tokens) {
      const foreign = await ask(route, given, token);
      if (foreign.status) {
        expect(expected.foreignAdmin ?? expected.others).toBe('OK');
        continue;
      }
      expect(foreign).toEqual(await ask(route, unknown, token));
      // A choice in a form is rejected at its field; the responses for both ids are equal. A call without ids is
      // rejected for another reason.
      if (!expected.foreignAdmin?.endsWith('_UNKNOWN') && JSON.stringify(given) !== JSON.stringify(unknown))
        expect(foreign).toMatchObject({ httpStatus: 404, statusCode: 'NOT_FOUND' });
    }
    expect(await rowsOf(setting.north)).toEqual(before);
    await cases[name]?.after?.(setting, 'foreignAdmin');
  });

  test.each(
    routes.filter(
      ([name, route]) =>
        route.callers.includes('operator') &&
        name.startsWith('users.') &&
        !/Self|self|Password|endSession$|sessions|tenantInfo/.test(name),
    ),
  )('%s, called by the platform about the other tenant', async (name, route) => {
    const given = await cases[name]?.args(setting, 'superAdmin');
    const ofSouth = JSON.parse(JSON.stringify(given).replaceAll(setting.north, south)) as CallArgs;
    const unknown = withUnknownIds(ofSouth, new Map([south, setting.staffRole].map((id) => [id, id]))) as CallArgs;
    const before = await rowsOf(setting.north);
    const foreign = await ask(route, ofSouth, setting.cast.superAdmin.token);
    if (JSON.stringify(unknown) !== JSON.stringify(ofSouth)) {
      expect(foreign).toEqual(await ask(route, unknown, setting.cast.superAdmin.token));
      expect(foreign).toMatchObject({ httpStatus: 404, statusCode: 'NOT_FOUND' });
    }
    expect(await rowsOf(setting.north)).toEqual(before);
  });

  describe('operators are no users, and users no operators', () => {
    /** Routes of a domain that change one account, with its id in them. */
    const changing = (domain: string) =>
      routes.filter(
        ([name, route]) =>
          name.startsWith(`${domain}.`) &&
          route.audit &&
          route.callers.includes('operator') &&
          !/\.(updateSelf|changePassword|endSession)$/.test(name),
      );
    /** The call of a case, about another account in another tenant. */
    const about = async (name: string, id: string, tenantId: string): Promise<CallArgs> => {
      const given = await cases[name]?.args(setting, 'superAdmin');
      const keep = new Set([setting.north, setting.staffRole]);
      const text = JSON.stringify(given).replaceAll(UUID, (found) => (keep.has(found) ? found : id));
      return JSON.parse(text.replaceAll(setting.north, tenantId)) as CallArgs;
    };

    test.each(changing('users'))('%s', async (name, route) => {
      const given = await about(name, await fresh.operator(server), PLATFORM_TENANT_ID);
      const before = await rowsOf(PLATFORM_TENANT_ID);
      expect(await ask(route, given, setting.cast.superAdmin.token)).toMatchObject({
        httpStatus: 404,
        statusCode: 'NOT_FOUND',
      });
      expect(await rowsOf(PLATFORM_TENANT_ID)).toEqual(before);
    });

    test.each(changing('operators').filter(([name]) => name !== 'operators.create'))('%s', async (name, route) => {
      const given = await about(name, server.people.get('bob')?.id ?? '', setting.north);
      const before = await rowsOf(setting.north);
      expect(await ask(route, given, setting.cast.superAdmin.token)).toMatchObject({
        httpStatus: 404,
        statusCode: 'NOT_FOUND',
      });
      expect(await rowsOf(setting.north)).toEqual(before);
    });
  });

  test('people invited', async () => {
    const participants = [server.people.get('bob')?.id ?? '', newId()].map((userId) => [
      { kind: 'user' as const, userId },
    ]);
    expect(await Promise.all(participants.map((who) => codeOf(book(server, dave(), { participants: who }))))).toEqual([
      'PARTICIPANT_UNKNOWN',
      'PARTICIPANT_UNKNOWN',
    ]);
  });

  test('waiting terminals', async () => {
    const own = await book(server, dave(), { startTime: server.clock.in(0) });
    await dave().conferences.join({ body: { numericId: own.numericId } });
    const before = await rowsOf(setting.north);
    for (const termId of [setting.world.waitingTermId, 'Tunknown']) {
      expect(
        await codeOf(
          dave().conferences.admit({ params: { meetId: own.meetId }, body: { termIds: [termId], admit: true } }),
        ),
      ).toBe('OK');
    }
    expect(await rowsOf(setting.north)).toEqual(before);
  });

  test('messages', async () => {
    const own = await book(server, dave(), { startTime: server.clock.in(0) });
    const { sessionToken } = await dave().conferences.join({ body: { numericId: own.numericId } });
    const before = await rowsOf(setting.north);
    const answer = await send(server, 'POST', `/api/api/v1/conferences/${own.meetId}/messages`, {
      token: sessionToken,
      body: { id: saidInNorth, text: 'Mine' },
    });
    expect(answer.httpStatus).toBeLessThan(500);
    expect(JSON.stringify(answer)).not.toContain('Said in north');
    expect(await rowsOf(setting.north)).toEqual(before);
  });

  test('push topics', async () => {
    const topic = `meeting:${setting.world.meeting.meetId}`;
    for (const credentials of [{ token: dave().token }, { sessionToken: daveInside }]) {
      const socket = await connect(server, credentials);
      socket.send({ subscribe: [topic] });
      expect(await socket.message((message) => 'error' in message)).toEqual({ error: 'FORBIDDEN', topic });
      await socket.close();
    }
  });
});

describe('nothing of another tenant is shown', () => {
  /** Ids, numbers and texts that only the first tenant has. */
  let words: string[];
  beforeAll(async () => {
    const others = [...(await rowsOf(south)).values(), ...(await rowsOf(PLATFORM_TENANT_ID)).values()].join('\n');
    const ids = [...(await rowsOf(setting.north)).values()].join('\n').match(UUID) ?? [];
    words = [...new Set([...ids, setting.world.meeting.numericId, 'Alice', 'Bob', 'Said in north'])].filter(
      (word) => !others.includes(word) && word !== setting.north,
    );
  });

  async function shown({ file, data }: Answer): Promise<string> {
    if (!file) return JSON.stringify(data);
    // Other files than workbooks, which are ZIP archives, as the text they contain.
    if (file.subarray(0, 2).toString() !== 'PK') return file.toString();
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(file as never);
    return JSON.stringify(workbook.worksheets.map((sheet) => sheet.getSheetValues()));
  }

  const reading = routes.filter(
    ([name, route]) => route.method === 'GET' && !route.audit && name !== 'auth.logout' && !OPEN.has(name),
  );

  test.each(reading.filter(([, route]) => route.callers.includes('user')))('by %s', async (name, route) => {
    const text = await shown(await ask(route, (await cases[name]?.args(setting, 'foreignAdmin')) ?? {}, dave().token));
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => text.includes(word))).toEqual([]);
  });

  test.each(['users.list', 'users.departments', 'users.export', 'audit.list', 'audit.export'])(
    'by %s to an operator who asks about one tenant',
    async (name) => {
      const [, route] = routes.find(([other]) => other === name) ?? [];
      if (!route) throw new Error(`There is no ${name}.`);
      const text = await shown(await ask(route, { query: { tenantId: south } }, setting.cast.superAdmin.token));
      expect(text).toMatch(/[Dd]ave|Night/);
      expect(words.filter((word) => text.includes(word))).toEqual([]);
    },
  );
});

test('a token of a conference opens nothing else', async () => {
  const guest = clientOf(server, setting.world.tokens.hostTerminal);
  expect(await codeOf(guest.meetings.list({ query: {} }))).toBe('UNAUTHORIZED');
  expect(await codeOf(guest.auth.logout())).toBe('UNAUTHORIZED');
});
