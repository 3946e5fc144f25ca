import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMON_ERRORS, errorEntry, pathOf } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { send, signIn, type Answer } from './support/client.ts';
import { makeSetting, type Setting } from './support/case-setting.ts';
import { cases, NEW_PASSWORD } from './support/cases.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import {
  ACCOUNT_NAMES,
  CALLERS,
  declaredFor,
  makeWorld,
  MEETING_PASSWORD,
  routes,
  type AccountName,
  type CallerName,
} from './support/world.ts';

let server: TestServer;
let setting: Setting;
beforeAll(async () => {
  server = await startTestServer();
  setting = await makeSetting(server);
});
afterAll(() => server.close());

const countAudit = (): Promise<number> => server.db.platform((tx) => tx.count(auditLog));
const isAccount = (caller: CallerName): caller is AccountName => (ACCOUNT_NAMES as CallerName[]).includes(caller);
/** The current token: some calls end the session they are made with. */
const tokenOf = ({ cast, world }: Setting, caller: CallerName): string | undefined =>
  isAccount(caller) ? cast[caller].token : world.tokens[caller];

/** All secrets in responses. */
const secrets = new Set([DEMO_PASSWORD, NEW_PASSWORD, MEETING_PASSWORD]);
function gatherSecrets(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (
      /^(password|token|sessionToken|resource|sign|ticket)$/.test(name) &&
      typeof inner === 'string' &&
      inner.length >= 8
    )
      secrets.add(inner);
    gatherSecrets(inner);
  }
}

test('the walk covers every route', () => {
  expect(Object.keys(cases).toSorted()).toEqual(routes.map(([name]) => name).toSorted());
});

test.each(routes)('%s refuses callers that it does not declare, and leaves no trace of them', async (_, route) => {
  const before = await countAudit();
  const { example } = route;
  for (const caller of CALLERS) {
    const declared = declaredFor(server, route, caller);
    if (!('refusal' in declared)) continue;
    const answer = await send(server, route.method, pathOf(route, example as never), {
      token: tokenOf(setting, caller),
      body: example.body,
    });
    const { httpStatus } = errorEntry(declared.refusal);
    expect(answer, caller).toMatchObject({ httpStatus, status: false, statusCode: declared.refusal, data: null });
  }
  expect(await countAudit()).toBe(before);
});

describe('other callers are answered by their relation to the row; changes are audited once, refusals never', () => {
  test.each(routes)('%s', async (name, route) => {
    const { expected, args, ownWorld, after } = cases[name] ?? {};
    if (!expected || !args)
      throw new Error(`How is ${name} called, and what is everybody answered? Say so in support/cases.ts.`);
    const wanted: Record<string, string> = {};
    const got: Record<string, string> = {};
    const answers: Answer[] = [];
    for (const caller of CALLERS.filter((one) => 'as' in declaredFor(server, route, one))) {
      const here: Setting = ownWorld ? { ...setting, world: await makeWorld(server, setting.cast) } : setting;
      const given = await args(here, caller);
      const before = await countAudit();
      const answer = await send(server, route.method, pathOf(route, given as never), {
        token: tokenOf(here, caller),
        body: given.body,
      });
      const rows = (await countAudit()) - before;
      const code = expected[caller] ?? expected.others;
      wanted[caller] = `${code}, ${code === 'OK' && route.audit ? 1 : 0} in the log`;
      got[caller] = `${answer.statusCode}, ${rows} in the log`;
      answers.push(answer);
      if (isAccount(caller)) await after?.(here, caller);
    }
    expect(got).toEqual(wanted);
    for (const answer of answers) {
      gatherSecrets(answer.data);
      if (!answer.status) expect([...COMMON_ERRORS, ...route.errors]).toContain(answer.statusCode);
      else if (route.download) expect(answer.file).toBeDefined();
      else route.data.parse(answer.data);
    }
  });

  test('no row of the log holds a secret', async () => {
    for (const caller of CALLERS) secrets.add(tokenOf(setting, caller) ?? DEMO_PASSWORD);
    const rows = await server.db.platform((tx) => tx.find(auditLog));
    const log = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(50);
    expect(secrets.size).toBeGreaterThan(15);
    expect([...secrets].filter((secret) => log.includes(secret))).toEqual([]);
  });
});

test('a token that another device has replaced gets this reason from every call for accounts', async () => {
  const { token } = setting.cast.stranger;
  setting.cast.stranger = await signIn(server, 'carol', 'another device');
  for (const [name, route] of routes) {
    if (route.callers.includes('anyone') || !(route.callers.includes('user') || route.callers.includes('operator')))
      continue;
    const { example } = route;
    const answer = await send(server, route.method, pathOf(route, example as never), { token, body: example.body });
    expect(answer, name).toMatchObject({ httpStatus: 401, statusCode: 'USER_LOGIN_ANOTHER_DEVICE' });
  }
});
