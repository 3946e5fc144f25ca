import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { contract, encodeContact } from '@rmeet/contract';
import { hashAnswer } from '../../src/modules/accounts/auth/captcha.ts';
import { captcha } from '../../src/modules/accounts/auth/tables.ts';
import { drizzleOf } from '../../src/platform/db/index.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { hashToken } from '../../src/platform/secrets/index.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { call, clientOf, encrypt, send, signIn } from './support/client.ts';
import { book } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
const logged: string[] = [];
beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      logged.push(chunk.toString());
      done();
    },
  });
  server = await startTestServer({ log: createLog('test', 'trace', stream) });
});
afterAll(() => server.close());

/** Every text and JSON value in the database, including schemas of jobs and migrations, as `table.column: value`. */
async function everyText(): Promise<string[]> {
  return server.db.platform(async (tx) => {
    const drizzle = drizzleOf(tx);
    const { rows } = (await drizzle.execute(sql`
      select table_schema as schema, table_name as name, column_name as "column" from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' and (data_type
      in ('text', 'json', 'jsonb', 'character varying', 'ARRAY', 'bytea'))`)) as {
      rows: { schema: string; name: string; column: string }[];
    };
    const texts: string[] = [];
    for (const { schema, name, column } of rows) {
      const found = (await drizzle.execute(
        sql.raw(`select "${column}"::text as value from "${schema}"."${name}" where "${column}" is not null`),
      )) as { rows: { value: string }[] };
      texts.push(...found.rows.map(({ value }) => `${name}.${column}: ${value}`));
    }
    return texts;
  });
}

test('the database and the log contain no token, ticket, password, captcha or device mark', async () => {
  const secrets: Record<string, string> = { 'the demo password': DEMO_PASSWORD };
  const alice = await signIn(server, 'alice', 'mark-of-the-laptop');
  const admin = await signIn(server, 'admin');
  secrets['a device mark'] = 'mark-of-the-laptop';
  secrets['a session token'] = alice.token;

  const { sign } = await alice.auth.handover();
  secrets['a handover ticket'] = sign;
  secrets['the token it brought'] = (
    await clientOf(server).auth.ticketToToken({ query: { sign }, body: undefined })
  ).token;
  secrets['an unused handover ticket'] = (await alice.auth.handover()).sign;

  const { ticket } = await admin.downloads.ticket({ body: { path: '/api/api/v1/users/export' } });
  secrets['a download ticket'] = ticket;
  await server.app.inject({ method: 'GET', url: `/api/api/v1/users/export?ticket=${ticket}` });
  secrets['an unused download ticket'] = (
    await admin.downloads.ticket({ body: { path: '/api/api/v1/users/export' } })
  ).ticket;

  const { user, password } = await admin.users.create({
    body: { account: 'newcomer', name: 'Newcomer', phoneNumber: encodeContact('13812345678') },
  });
  secrets['a password made up'] = password ?? '';
  secrets['a password chosen'] = 'Chosen-by-myself-1';
  const chosen = {
    account: 'newcomer',
    password: await encrypt(server, password ?? ''),
    newPassword: await encrypt(server, 'Chosen-by-myself-1'),
  };
  secrets["the newcomer's token"] = (await call(server, contract.auth.login, { body: chosen })).data.token;
  secrets['a password reset'] = (await admin.users.resetPassword({ body: { id: user.id } })).password;
  secrets['a password typed for an account'] = 'typed-into-the-account-field';
  await call(server, contract.auth.login, {
    body: { account: 'typed-into-the-account-field', password: await encrypt(server, 'a wrong password 9') },
  });
  secrets['a wrong password'] = 'a wrong password 9';

  const pictures = await Promise.all([clientOf(server).auth.captcha(), clientOf(server).auth.captcha()]);
  secrets['a captcha id'] = pictures[0].captchaId;
  const { captchaId } = pictures[1];
  await server.db.platform((tx) =>
    tx.update(captcha, { answer: hashAnswer(captchaId, 'w7kpq') }, eq(captcha.id, hashToken(captchaId))),
  );
  secrets['a captcha answer'] = 'w7kpq';
  for (let failures = 0; failures < 5; failures++) {
    await send(server, 'POST', '/api/login', {
      body: { account: 'carol', password: await encrypt(server, 'no'), captchaId, captcha: 'w7kpq' },
      address: '10.1.1.1',
    });
  }

  const made = await book(server, alice, { startTime: server.clock.in(0), password: 'Zx4821Pw' });
  secrets["a meeting's password"] = 'Zx4821Pw';
  const joined = await alice.conferences.join({ body: { numericId: made.numericId } });
  secrets['a conference token'] = joined.sessionToken;

  const texts = await everyText();
  expect(texts.length).toBeGreaterThan(300);
  expect(logged.length).toBeGreaterThan(10);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(4);
    expect(
      texts.filter((text) => text.toLowerCase().includes(secret.toLowerCase())),
      `${name} in the database`,
    ).toEqual([]);
    expect(
      logged.filter((line) => line.toLowerCase().includes(secret.toLowerCase())),
      `${name} in the log`,
    ).toEqual([]);
  }
  expect(logged.filter((line) => line.includes('13812345678'))).toEqual([]);
});
