import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ldifPerson, SLAPD_SKIPPED, slapdPerson, startSlapd, type Slapd } from '@rmeet/testkit';
import { openDirectory } from '../../src/modules/accounts/directories/ldap/directory.ts';
import { directory, directoryAccount } from '../../src/modules/accounts/directories/tables.ts';
import { NO_PASSWORD } from '../../src/modules/accounts/users/index.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { DEMO_PASSWORD } from '../../src/seed/index.ts';
import { clientOf, codeOf, encrypt, signIn, type Person } from './support/client.ts';
import { enter, entering, PEOPLE_BASE, settingsFor } from './support/directories.ts';
import { startTestServer, type TestServer } from './support/server.ts';

const people = [
  ldifPerson('dora', { cn: '朵拉', mail: 'dora@example.org', mobile: '13900000021', departmentNumber: 'Surgery' }),
  ldifPerson('emil', { cn: 'Emil' }),
  ldifPerson('fritz', { cn: 'Fritz' }),
  ldifPerson('alice', { cn: 'Alice of the directory' }),
  ldifPerson('gina', { cn: 'Gina', pwdReset: 'TRUE' }),
  ldifPerson('hugo', { cn: 'Hugo' }),
  `dn: ou=elsewhere,${PEOPLE_BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\n` +
    'ref: ldap://127.0.0.1:9/ou=people,dc=example,dc=org\n\n',
].join('');

const PASSWORD = (uid: string): string => `${uid}-Password-1`;

let slapd: Slapd;
let server: TestServer;
let admin: Person;
let id: string;
beforeAll(async () => {
  if (SLAPD_SKIPPED) return;
  slapd = await startSlapd(people);
  server = await startTestServer({ directoryHosts: ['127.0.0.1', 'localhost', 'wrong.localhost'] });
  admin = await signIn(server, 'admin');
  id = (await admin.directories.create({ body: settingsFor(slapd) })).id;
});
afterAll(async () => {
  await server?.close();
  await slapd?.remove();
});
beforeEach(async () => {
  if (SLAPD_SKIPPED) return;
  // Limits of the tests before do not count.
  server.clock.advance({ hours: 24 });
  admin = await signIn(server, 'admin');
});

describe.skipIf(SLAPD_SKIPPED)(`a person of a directory${SLAPD_SKIPPED}`, () => {
  test('signs in by a bind, and has an account from the first time on', async () => {
    const { user, token } = await enter(server, 'Dora', PASSWORD('dora'));
    expect(user).toMatchObject({ account: 'dora', name: '朵拉', tenantName: 'north' });
    const me = await clientOf(server, token).users.current();
    expect(Buffer.from(me.email, 'base64').toString()).toBe('dora@example.org');
    expect(me.department).toBe('Surgery');
    expect((await enter(server, 'dora', PASSWORD('dora'))).user.id).toBe(user.id);
    expect(await entering(server, 'dora', 'wrong')).toBe('BAD_CREDENTIALS');
    expect(await entering(server, 'dora', DEMO_PASSWORD)).toBe('BAD_CREDENTIALS');
    const [link] = await server.db.platform((tx) => tx.find(directoryAccount, eq(directoryAccount.accountId, user.id)));
    expect(link?.dn).toBe(slapdPerson('dora'));
  });

  test('has no account where the directory creates none', async () => {
    const version = (await admin.directories.list())[0]?.version ?? 0;
    await admin.directories.update({
      params: { id },
      body: { ...settingsFor(slapd, { makesAccounts: false }), version },
    });
    expect(await entering(server, 'fritz', PASSWORD('fritz'))).toBe('BAD_CREDENTIALS');
    await admin.directories.update({ params: { id }, body: { ...settingsFor(slapd), version: version + 1 } });
  });

  test('does not take over the account of the same name, which keeps its password', async () => {
    expect(await entering(server, 'alice', PASSWORD('alice'))).toBe('BAD_CREDENTIALS');
    expect((await enter(server, 'alice', DEMO_PASSWORD)).user.name).toBe('Alice');
  });

  test('names the organisation, so that no other organisation gets the password', async () => {
    await enter(server, 'dora', PASSWORD('dora'));
    const dave = await signIn(server, 'dave');
    const { id: theirs } = await dave.directories.create({ body: settingsFor(slapd, { name: 'Southern' }) });
    const before = slapd.log();
    expect(await entering(server, 'dora', PASSWORD('dora'), { tenant: undefined })).toBe('TENANT_NEEDED');
    expect(await entering(server, 'no-one', PASSWORD('dora'), { tenant: undefined })).toBe('TENANT_NEEDED');
    expect(slapd.log()).toBe(before);
    // The same person in the directory of another tenant is another account.
    const [here, there] = [
      await enter(server, 'dora', PASSWORD('dora')),
      await enter(server, 'dora', PASSWORD('dora'), { tenant: 'south' }),
    ];
    expect(there.user.tenantName).toBe('south');
    expect(there.user.id).not.toBe(here.user.id);
    await dave.directories.remove({ params: { id: theirs } });
    expect(await entering(server, 'dora', PASSWORD('dora'), { tenant: 'south' })).toBe('BAD_CREDENTIALS');
    expect(await codeOf(dave.directories.rounds({ params: { id }, query: {} }))).toBe('NOT_FOUND');
  });

  test('is limited in guessing like other accounts', async () => {
    await enter(server, 'emil', PASSWORD('emil'));
    const address = '10.9.8.7';
    const codes: string[] = [];
    for (let n = 0; n < 4; n += 1) codes.push(await entering(server, 'emil', `wrong ${n}`, { address }));
    expect(codes).toEqual(['BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'BAD_CREDENTIALS', 'CAPTCHA_REQUIRED']);
    const before = slapd.log();
    expect(await entering(server, 'emil', PASSWORD('emil'), { address })).toBe('CAPTCHA_REQUIRED');
    expect(slapd.log()).toBe(before);
  });
});

describe.skipIf(SLAPD_SKIPPED)(`what people type${SLAPD_SKIPPED}`, () => {
  test('an empty password never reaches the directory', async () => {
    await enter(server, 'dora', PASSWORD('dora'));
    const before = slapd.log();
    expect(await entering(server, 'dora', '')).toBe('BAD_CREDENTIALS');
    expect(await entering(server, 'hugo', '')).toBe('BAD_CREDENTIALS');
    expect(slapd.log()).toBe(before);
  });

  test.each(['*', 'do*', 'dora)(uid=*', '*)(objectClass=*', 'dora,ou=people', String.raw`do\72a`, 'dora\u0000'])(
    'the account name %j is no filter and no DN',
    async (name) => {
      expect(['BAD_CREDENTIALS', 'INVALID_INPUT']).toContain(await entering(server, name, PASSWORD('dora')));
      const open = await openDirectory(settingsFor(slapd), ['127.0.0.1'], 5_000);
      expect(await open.findByAccount(name)).toBeUndefined();
      expect(await open.findByUniqueId(name)).toBeUndefined();
      expect((await open.findByAccount('dora'))?.account).toBe('dora');
      await open.close();
    },
  );
});

describe.skipIf(SLAPD_SKIPPED)(`a password${SLAPD_SKIPPED}`, () => {
  test('that the directory wants changed is replaced at the sign-in', async () => {
    expect(await entering(server, 'gina', PASSWORD('gina'))).toBe('PWD_EXPIRED');
    expect(await entering(server, 'gina', PASSWORD('gina'), { newPassword: 'short' })).toBe(
      'DIRECTORY_PASSWORD_REFUSED',
    );
    const { user } = await enter(server, 'gina', PASSWORD('gina'), { newPassword: 'gina-Password-2' });
    expect(user.account).toBe('gina');
    expect((await enter(server, 'gina', 'gina-Password-2')).user.id).toBe(user.id);
    expect(await entering(server, 'gina', PASSWORD('gina'))).toBe('BAD_CREDENTIALS');
  });

  test('is changed from the profile, and by no other way', async () => {
    const { token, user } = await enter(server, 'hugo', PASSWORD('hugo'));
    const hugo = clientOf(server, token);
    const change = async (from: string, to: string): Promise<string> =>
      codeOf(
        hugo.users.changePassword({
          body: { oldPassword: await encrypt(server, from), newPassword: await encrypt(server, to) },
        }),
      );
    expect(await change('wrong', 'hugo-Password-2')).toBe('PASSWORD_WRONG');
    expect(await change(PASSWORD('hugo'), 'short')).toBe('DIRECTORY_PASSWORD_REFUSED');
    expect(await change(PASSWORD('hugo'), 'hugo-Password-2')).toBe('OK');
    await enter(server, 'hugo', 'hugo-Password-2');
    expect(await codeOf(admin.users.resetPassword({ body: { id: user.id } }))).toBe('PASSWORD_IN_DIRECTORY');
    const rows = await server.db.platform((tx) => tx.find(account, eq(account.id, user.id)));
    expect(rows[0]?.passwordHash).toBe(NO_PASSWORD);
  });

  test('that was changed there ends the sessions, with the reason', async () => {
    const { token } = await enter(server, 'fritz', PASSWORD('fritz'));
    slapd.change(
      `dn: ${slapdPerson('fritz')}\nchangetype: modify\nreplace: userPassword\nuserPassword: fritz-Password-2\n`,
    );
    await admin.directories.start({ params: { id }, body: { dryRun: false } });
    await server.rounds.syncDirectories();
    expect(await codeOf(clientOf(server, token).users.current())).toBe('CHANGE_PWD_LDAP');
  });
});

describe.skipIf(SLAPD_SKIPPED)(`a directory that is away${SLAPD_SKIPPED}`, () => {
  test('is reported to its people, and does not concern the others', async () => {
    await enter(server, 'dora', PASSWORD('dora'));
    await slapd.away();
    try {
      for (let n = 0; n < 5; n += 1)
        expect(await entering(server, 'dora', PASSWORD('dora'), { address: '10.4.4.4' })).toBe('DIRECTORY_UNREACHABLE');
      await enter(server, 'alice', DEMO_PASSWORD);
    } finally {
      await slapd.back();
    }
    await enter(server, 'dora', PASSWORD('dora'), { address: '10.4.4.4' });
  });

  test('that accepts connections and does not answer takes a few seconds', async () => {
    const silent = createServer();
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const address = `ldap://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const began = performance.now();
    const result = await admin.directories.test({ body: settingsFor(slapd, { address }) });
    expect(result.problem).toBe('TIMEOUT');
    expect(performance.now() - began).toBeLessThan(20_000);
    silent.close();
  });
});

/** A relay in front of slapd that answers the first message itself. */
async function answering(first: Buffer, goesOn: (socket: Socket) => void): Promise<{ relay: Server; address: string }> {
  const relay = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(first);
      goesOn(socket);
    });
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return { relay, address: `ldap://127.0.0.1:${(relay.address() as AddressInfo).port}` };
}

describe.skipIf(SLAPD_SKIPPED)(`the connection${SLAPD_SKIPPED}`, () => {
  const problemWith = async (values: Parameters<typeof settingsFor>[1]): Promise<string | null> =>
    (await admin.directories.test({ body: settingsFor(slapd, values) })).problem;

  test('is TLS from the start, or from StartTLS on', async () => {
    expect(await problemWith({})).toBeNull();
    expect(await problemWith({ address: slapd.ldap, startTls: true })).toBeNull();
    expect(slapd.log()).toMatch(/conn=\d+ fd=\d+ TLS established/);
    const { people: found } = await admin.directories.test({ body: settingsFor(slapd) });
    expect(found).toHaveLength(5);
    expect(found[0]).toMatchObject({ account: 'dora', enabled: true, dn: slapdPerson('dora') });
  });

  test('checks the certificate and its name', async () => {
    const wrongName = `ldaps://wrong.localhost:${slapd.ports.ldaps}`;
    expect(await problemWith({ certificates: '' })).toBe('CERTIFICATE_UNTRUSTED');
    expect(await problemWith({ address: slapd.ldap, startTls: true, certificates: '' })).toBe('CERTIFICATE_UNTRUSTED');
    // The name resolves to this machine everywhere (RFC 6761, section 6.3).
    expect(['CERTIFICATE_NAME', 'HOST_UNKNOWN']).toContain(await problemWith({ address: wrongName }));
  });

  test('is not used when StartTLS is refused, or answered with more than its answer', async () => {
    const refused = Buffer.from('300c02010178070a01020400 0400'.replaceAll(' ', ''), 'hex');
    const accepted = Buffer.from('300c02010178070a010004000400', 'hex');
    const bound = Buffer.from('300c02010261070a010004000400', 'hex');
    for (const first of [refused, Buffer.concat([accepted, bound])]) {
      const sent: string[] = [];
      const { relay, address } = await answering(first, (socket) =>
        socket.on('data', (data) => sent.push(data.toString('latin1'))),
      );
      expect(await problemWith({ address, startTls: true })).toBe('START_TLS_REFUSED');
      expect(sent.join('')).not.toContain('Search-Secret');
      relay.close();
    }
    // The same relay without a trick: the answer alone, then slapd has to do its part.
    const { relay, address } = await answering(accepted, (socket) =>
      socket.pipe(connect(slapd.ports.ldaps)).pipe(socket),
    );
    expect(await problemWith({ address, startTls: true })).toBeNull();
    relay.close();
  });

  test('says what is wrong in words', async () => {
    const { db } = server;
    expect(await problemWith({ bindDn: 'cn=nobody,dc=example,dc=org' })).toBe('BIND_REFUSED');
    expect(await problemWith({ bases: ['ou=nowhere,dc=example,dc=org'] })).toBe('BASE_UNKNOWN');
    expect(await problemWith({ filter: '(objectClass=printer)' })).toBe('NOBODY_FOUND');
    expect(await problemWith({ filter: '(&(objectClass=person)' })).toBe('FILTER_WRONG');
    expect(await problemWith({ address: 'ldaps://127.0.0.1:9' })).toBe('UNREACHABLE');
    expect(await problemWith({ bases: [`ou=elsewhere,${PEOPLE_BASE}`] })).toBe('REFERRAL');
    expect(JSON.stringify(await db.platform((tx) => tx.find(directory)))).not.toContain('Search-Secret');
  });

  test('leads into the network only where the operator allows it', async () => {
    const body = settingsFor(slapd);
    for (const address of ['ldaps://10.0.0.1', 'ldaps://[::1]:636', 'ldaps://169.254.169.254', 'ldaps://a.localhost'])
      expect(await codeOf(admin.directories.create({ body: { ...body, address } })), address).toBe('DIRECTORY_ADDRESS');
    // A name that leads inside is found out when the connection is made; one without encryption at once.
    expect(await problemWith({ address: 'ldaps://0x7f.1:636' })).toMatch(/ADDRESS_FORBIDDEN|HOST_UNKNOWN/);
    expect(await problemWith({ address: 'ldap://ldap.example.org' })).toBe('PLAIN_FORBIDDEN');
  });

  test('the stored password goes to the address that it was entered for, and nowhere else', async () => {
    const { password: _, ...body } = settingsFor(slapd);
    expect((await admin.directories.test({ body: { ...body, id } })).problem).toBeNull();
    const other = { ...body, address: 'ldaps://127.0.0.1:9', id };
    expect(await codeOf(admin.directories.test({ body: other }))).toBe('INVALID_INPUT');
  });
});
