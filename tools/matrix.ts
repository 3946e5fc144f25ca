import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianPrograms, freePort, startPostgres, until } from '@rmeet/testkit';
import { installPackages } from './browser.ts';
import { browserTests, long as leftOutOfNpmTest } from '../vitest.config.ts';
import { livekitServer } from './livekit.ts';

/** One way to run the suites. */
export interface Setting {
  name: string;
  environment: NodeJS.ProcessEnv;
  suites: SuiteName[];
  /** Where the setting makes a difference to vitest; all tests when missing. */
  folders?: string[];
  /** Files of vitest one after the other: those that bring browsers with real media. */
  oneByOne?: boolean;
  /** Of the scenarios of `pages`, those whose names contain it. */
  named?: string;
  /** Where the setting makes a difference to scenarios, by Playwright's project; all of them when missing. */
  scenarios?: Partial<Record<PlaywrightProject, string[]>>;
}

export type PlaywrightProject = 'pages' | 'calls' | 'media';
export type SuiteName = 'vitest' | PlaywrightProject;

/** The language whose looks the matrix checks; `npm test` checks the other one. */
export const MATRIX_LANGUAGE = 'en-US';

const scenario = (name: string): string => `e2e/conferences/${name}.spec.ts`;
/** Meetings of Firefox and Chromium. */
const inFirefox = ['firefox', 'firefox-whole'].map((name) => `e2e/desk/${name}.spec.ts`);
const mediaScenario = (name: string): string => `e2e/media/${name}.spec.ts`;

/** The settings of `npm run test:matrix`, each with its servers up while it is in use; a string says why one is missing. */
export async function* matrix(): AsyncGenerator<Setting | string> {
  yield {
    name: 'embedded', environment: {}, suites: ['vitest', 'pages', 'calls'],
    // What npm test leaves out, or tries with fewer guesses.
    folders: [...leftOutOfNpmTest, 'apps/server/test/modules/guessing.test.ts'],
    // The looks in the language that npm test leaves out.
    named: MATRIX_LANGUAGE,
    scenarios: {
      calls: [
        ...['chaos', 'control', 'held-again', 'layouts', 'lying', 'polling', 'unreached'].map(scenario),
        ...['at-rest', 'firefox-whole', 'preview', 'topology'].map((name) => `e2e/desk/${name}.spec.ts`),
      ],
    },
  };
  yield { name: 'media plane', environment: {}, suites: ['vitest', 'media'], folders: browserTests, oneByOne: true };
  yield* onOldPostgres();
  yield* onLiveKit();
  yield {
    name: 'signalling v0', environment: { RMEET_TEST_SIGNALLING: 'v0' }, suites: ['calls', 'media'],
    scenarios: { calls: [...['meet', 'recovery'].map(scenario), ...inFirefox], media: ['call', 'reconnects'].map(mediaScenario) },
  };
}

/** What an older PostgreSQL, on a server of one's own, can change: connecting, roles, migrations, statements, two servers. */
const onOtherVersions = [
  ...['db', 'db-fence', 'db-search', 'two-servers', 'no-connection', 'backup'].map((name) => `apps/server/test/platform/${name}.test.ts`),
  ...['two-servers', 'meeting-lists', 'room-booking', 'series', 'history'].map((name) => `apps/server/test/modules/${name}.test.ts`),
];

async function* onOldPostgres(): AsyncGenerator<Setting | string> {
  const missing = debianPrograms() ? null : installPackages(['postgresql'], 'the tests on an older PostgreSQL');
  if (missing !== null) {
    yield missing;
    return;
  }
  const programs = debianPrograms();
  const server = await startPostgres(programs);
  try {
    yield { name: `PostgreSQL ${programs?.major}`, environment: { RMEET_TEST_DATABASE_URL: server.url }, suites: ['vitest'], folders: onOtherVersions };
  } finally {
    await server.stop();
  }
}

async function* onLiveKit(): AsyncGenerator<Setting | string> {
  const binary = livekitServer();
  if (binary.path === undefined) {
    yield binary.reason;
    return;
  }
  const port = await freePort();
  const [tcp, udp, webhooks] = [await freePort(), await freePort(), await freePort()];
  const key = 'devkey';
  const secret = 'a-secret-of-the-test-matrix-of-32-bytes';
  const config = [
    `port: ${port}`, 'bind_addresses: ["127.0.0.1"]', `rtc: {tcp_port: ${tcp}, udp_port: ${udp}, use_external_ip: false, enable_loopback_candidate: true}`,
    // Of webhooks that nobody takes, as in all but e2e/media, it would warn.
    `keys: {${key}: ${secret}}`, `webhook: {api_key: ${key}, urls: ["http://127.0.0.1:${webhooks}/"]}`, 'logging: {level: error}',
  ].join('\n');
  // It logs thousands of lines about rooms that tests delete under it: they are kept apart, and told where it fails.
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-livekit-'));
  const log = join(folder, 'log.txt');
  const output = openSync(log, 'w');
  const child = spawn(binary.path, ['--config-body', config], { stdio: ['ignore', output, output] });
  try {
    await until('LiveKit answers', async () => child.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/`)).ok, { within: 30_000 });
    if (child.exitCode !== null) throw new Error(`livekit-server ended with code ${child.exitCode}: ${readFileSync(log, 'utf8').slice(-2_000)}`);
    yield {
      name: 'LiveKit',
      environment: {
        RMEET_TEST_LIVEKIT_URL: `ws://127.0.0.1:${port}`, RMEET_TEST_LIVEKIT_API_KEY: key, RMEET_TEST_LIVEKIT_API_SECRET: secret,
        RMEET_TEST_WEBHOOK_PORT: String(webhooks),
      },
      suites: ['vitest', 'calls', 'media'],
      folders: ['packages/participant'],
      // Of the product: what asks most of an engine.
      scenarios: { calls: [...['control', 'lying', 'unreached'].map(scenario), 'e2e/desk/at-rest.spec.ts', ...inFirefox] },
    };
  } finally {
    await stopped(child);
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await exit;
}
