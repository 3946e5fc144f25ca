import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { contract, errorMessage } from '@rmeet/contract';
import { recordAudit, systemOrigin } from './modules/audit/index.ts';
import { createOutside, createSessions, passkeysOfOtherNames, postNow } from './modules/accounts/auth/index.ts';
import { ensureBuiltIns } from './modules/accounts/roles/index.ts';
import {
  createPublicUrls,
  NoSuchOperator,
  removeSetupLink,
  resetOperator,
  setUp,
  NoSuchAccount,
  suspendFactor,
  type FirstAnswers,
} from './modules/setup/index.ts';
import { ensurePlatformTenant } from './modules/accounts/tenants/index.ts';
import { pathGiven, runProgram, WrongUse } from './platform/backup/index.ts';
import type { Config } from './platform/config/index.ts';
import { databaseName, openDb, PLATFORM_TENANT_ID, withEmbedded, type Db } from './platform/db/index.ts';
import { AppError } from './platform/http/index.ts';
import type { Log } from './platform/log/log.ts';
import { createMail } from './platform/mail/index.ts';
import { createPush } from './platform/push/index.ts';
import { createSms } from './platform/sms/index.ts';

const HELP = `npm run setup -- [--answers FILE]
  Makes the first operator, the organisation and its administrator, and stores the address people use.
  Passwords come from standard input, one a line: the operator's, then the administrator's.
  The answers come from FILE, as JSON:
    {"operator":{"account":"root","name":"Root"},"organisation":{"name":"City hospital"},
     "administrator":{"account":"admin","name":"Admin"},"publicUrl":"https://meet.example.org","locale":"zh"}
  or from the environment: SETUP_OPERATOR, SETUP_OPERATOR_NAME, SETUP_ORGANISATION, SETUP_ADMINISTRATOR,
  SETUP_ADMINISTRATOR_NAME, SETUP_ADDRESS, SETUP_LOCALE (zh or en).

npm run setup -- address https://meet.example.org
  Stores the address people use. RMEET_PUBLIC_URL overrides it. "none" removes it. Passkeys belong to the host name
  of the address: the command says how many stop working with a new one.

npm run setup -- reset-operator [ACCOUNT] [--password-stdin]
  Replaces the password of an operator, enables the account and ends its sessions. Without --password-stdin
  the new password is printed, and has to be changed at the next sign-in.

npm run setup -- suspend-factor ACCOUNT [--tenant NAME]
  Asks no second factor of an account for an hour, when its owner cannot sign in and no administrator can help.
  It is in the audit log, and the administrators of the organisation get a mail.

Settings are those of npm start (RMEET_DATA, DATABASE_URL, ...). The server may run meanwhile.`;

const now = (): Date => new Date();

async function inDatabase<T>(config: Config, log: Log, work: (db: Db) => Promise<T>): Promise<T> {
  const run = async (url: string): Promise<T> => {
    const { db } = await openDb({ url, log, name: databaseName(config) });
    try {
      await db.platform(async (tx) => {
        await ensurePlatformTenant(tx, now());
        await ensureBuiltIns(tx, now());
      });
      return await work(db);
    } finally {
      await db.close();
    }
  };
  return config.databaseUrl === undefined ? withEmbedded(config.dataFolder, run) : run(config.databaseUrl);
}

/** Lines of standard input; a terminal is not asked, since it would show the passwords. */
async function linesOfInput(): Promise<string[]> {
  if (process.stdin.isTTY)
    throw new WrongUse('Passwords come from standard input, one a line: npm run setup -- ... < passwords.txt');
  return (await text(process.stdin)).split(/\r?\n/).filter((line) => line !== '');
}

function answersOfEnvironment(env: NodeJS.ProcessEnv): Record<string, unknown> {
  const { SETUP_OPERATOR: operator, SETUP_ADMINISTRATOR: administrator } = env;
  return {
    operator: { account: operator, name: env['SETUP_OPERATOR_NAME'] ?? operator },
    organisation: { name: env['SETUP_ORGANISATION'] },
    administrator: { account: administrator, name: env['SETUP_ADMINISTRATOR_NAME'] ?? administrator },
    publicUrl: env['SETUP_ADDRESS'] ?? null,
    ...(env['SETUP_LOCALE'] ? { locale: env['SETUP_LOCALE'] } : {}),
  };
}

async function answersOfFile(path: string): Promise<Record<string, unknown>> {
  try {
    return { publicUrl: null, ...(JSON.parse(await readFile(path, 'utf8')) as object) };
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new WrongUse(`${path} is not JSON. npm run setup -- --help shows what it looks like.`);
    throw error;
  }
}

async function readAnswers(file: string | undefined): Promise<FirstAnswers> {
  const given = file === undefined ? answersOfEnvironment(process.env) : await answersOfFile(pathGiven(file));
  const [operatorPassword = '', administratorPassword = ''] = await linesOfInput();
  if (administratorPassword === '')
    throw new WrongUse(
      "Two passwords are needed on standard input, one a line: the operator's, then the administrator's.",
    );
  const withPassword = (person: unknown, password: string): object => ({ ...(person as object | undefined), password });
  const parsed = contract.setup.complete.input.body.safeParse({
    ...given,
    secret: '-',
    operator: withPassword(given['operator'], operatorPassword),
    administrator: withPassword(given['administrator'], administratorPassword),
  });
  if (!parsed.success)
    throw new WrongUse(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  return parsed.data;
}

async function first(config: Config, log: Log, file: string | undefined): Promise<string> {
  const answers = await readAnswers(file);
  await inDatabase(config, log, async (db) => {
    const publicUrls = await createPublicUrls(db, config.publicUrls);
    await setUp(
      { db, now, publicUrls, configuredUrls: config.publicUrls },
      systemOrigin('setup.complete'),
      answers,
      async () => undefined,
    );
  });
  await removeSetupLink(config.dataFolder);
  return (
    `Set up: operator ${answers.operator.account} signs in at /admin/, administrator ` +
    `${answers.administrator.account} of ${answers.organisation.name} at /manage/.`
  );
}

async function address(config: Config, log: Log, given: string | undefined): Promise<string> {
  const parsed = contract.setup.complete.input.body.shape.publicUrl.safeParse(
    given === 'none' ? null : given?.replace(/\/$/, ''),
  );
  if (!parsed.success)
    throw new WrongUse(
      'Name the address people use, without a path: npm run setup -- address https://meet.example.org',
    );
  const publicUrl = parsed.data;
  const lost = await inDatabase(config, log, async (db) => {
    const publicUrls = await createPublicUrls(db, []);
    const before = publicUrls.main();
    await db.platform(async (tx) => {
      await publicUrls.store(tx, publicUrl, now());
      await recordAudit(tx.asTenant(PLATFORM_TENANT_ID), systemOrigin('setup.address'), now(), {
        target: { kind: 'tenant', id: PLATFORM_TENANT_ID, name: 'Rmeet' },
        before: { publicUrl: before },
        after: { publicUrl },
      });
    });
    // The addresses that apply from now on.
    const applied = config.publicUrls.length > 0 || publicUrl === null ? config.publicUrls : [publicUrl];
    return db.platform((tx) => passkeysOfOtherNames(tx, applied));
  });
  const overridden = config.publicUrls.length > 0 ? ' RMEET_PUBLIC_URL is set and overrides it.' : '';
  const warnings = [...lost].map(
    ([name, count]) => `\nWarning: passkeys of ${name} do not work at another host name: ${count}.`,
  );
  return [
    publicUrl === null ? 'No address is known now.' : `The address is ${publicUrl}.`,
    overridden,
    ...warnings,
  ].join('');
}

async function reset(config: Config, log: Log, name: string | undefined, isFromInput: boolean): Promise<string> {
  const given = isFromInput ? ((await linesOfInput())[0] ?? '') : null;
  const { account, password } = await inDatabase(config, log, async (db) => {
    const { push } = await createPush(db, log);
    return resetOperator({ db, now, sessions: await createSessions({ db, push, now }) }, name, given);
  });
  return given === null
    ? `Operator ${account}: the new password is ${password}`
    : `Operator ${account} has the new password.`;
}

async function suspend(config: Config, log: Log, name: string, tenantName: string | undefined): Promise<string> {
  const mail = createMail(config.mail);
  try {
    const { account, tenant, until } = await inDatabase(config, log, async (db) => {
      const publicUrl = (await createPublicUrls(db, config.publicUrls)).main;
      const deps = { db, mail, sms: createSms(config.sms), log, publicUrl, gatewayOf: async () => null };
      const { post, sent } = postNow(deps);
      const done = await suspendFactor({ db, now, outside: createOutside(deps, post) }, name, tenantName);
      await sent();
      return done;
    });
    const told = mail.isConfigured
      ? 'Its administrators get a mail.'
      : 'No mail server is configured: tell its administrators.';
    return `No second factor is asked of ${account} of ${tenant} until ${until.toLocaleTimeString()}. ${told}`;
  } finally {
    mail.close();
  }
}

function argumentsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        answers: { type: 'string' },
        'password-stdin': { type: 'boolean' },
        tenant: { type: 'string' },
      },
    });
  } catch (error) {
    throw new WrongUse(`${(error as Error).message}\n\n${HELP}`);
  }
}

/** `npm run setup`: what the setup page does, by command, and a new password for an operator who has lost it. */
await runProgram(async (config, log) => {
  const { values, positionals } = argumentsGiven();
  if (values.help) return HELP;
  const [command, argument, ...rest] = positionals;
  try {
    if (rest.length > 0) throw new WrongUse(HELP);
    if (command === undefined) return await first(config, log, values.answers);
    if (command === 'address') return await address(config, log, argument);
    if (command === 'reset-operator') return await reset(config, log, argument, values['password-stdin'] ?? false);
    if (command === 'suspend-factor' && argument !== undefined)
      return await suspend(config, log, argument, values.tenant);
    throw new WrongUse(HELP);
  } catch (error) {
    if (error instanceof AppError) throw new WrongUse(errorMessage(error.code, 'en', error.params));
    if (error instanceof NoSuchOperator || error instanceof NoSuchAccount) throw new WrongUse(error.message);
    throw error;
  }
});
