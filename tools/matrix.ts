import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianPrograms, freePort, startPostgres, until } from '@rmeet/testkit';
import { installPackages, offerFirefox, offerTurnServer, offerWebKit } from './browser.ts';
import { leftToMatrix } from '../vitest.config.ts';
import { livekitServer } from './livekit.ts';
import { offerPythonSdk } from './python-sdk.ts';
import { s3Server } from './s3.ts';

/** One way to run the suites. */
export interface Setting {
  name: string;
  environment: NodeJS.ProcessEnv;
  suites: SuiteName[];
  /** Folders in which the setting makes a difference to vitest; default: all tests. */
  folders?: string[];
  /**
   * Runs files of vitest one after the other: those that use browsers with real media, or measure the effect of floods
   * on others.
   */
  oneByOne?: boolean;
  /** A regular expression for the names of scenarios to run. */
  named?: string;
  /** Scenarios for which the setting makes a difference, by Playwright's project; default: all of them. */
  scenarios?: Partial<Record<PlaywrightProject, string[]>>;
  /**
   * A big run: the files and folders it covers. It is skipped while they are the same as at its last success
   * (tools/proven.ts).
   */
  covers?: readonly string[];
  /** Installs a program that not every run uses. */
  offer?: () => void;
}

export type PlaywrightProject = 'pages' | 'calls' | 'media';
export type SuiteName = 'vitest' | PlaywrightProject;

const scenario = (name: string): string => `e2e/conferences/${name}.spec.ts`;
/** Meetings of Firefox and Chromium. */
const inFirefox = ['firefox', 'firefox-whole'].map((name) => `e2e/desk/${name}.spec.ts`);
/** The conference scenarios that `npm test` leaves out. */
const atLength = [
  ...['chaos', 'control', 'held-again', 'layouts', 'lying', 'polling', 'unreached'].map(scenario),
  ...['at-rest', 'preview', 'topology'].map((name) => `e2e/desk/${name}.spec.ts`),
  ...inFirefox,
];
/** What a codec changes: sizes and layers, sharing, polling, migration, previews of desks, effects, browsers. */
const inVp8 = [
  ...['meet', 'self', 'polling', 'recovery'].map(scenario),
  'e2e/desk/preview.spec.ts',
  'e2e/desk/firefox.spec.ts',
];
const mediaScenario = (name: string): string => `e2e/media/${name}.spec.ts`;

const ofServer = (...names: string[]): string[] => names.map((name) => `apps/server/${name}`);
/** Conference control, for pages, participants and terminals. */
const conferences = [
  ...ofServer('src/modules/conferences', 'src/platform/media', 'src/platform/push'),
  'packages/contract/src/conferences',
  'packages/conference/src',
  'apps/web/src/call',
  'apps/web/src/features/conferences',
  ...atLength,
  ...['pages', 'support', 'at-rest'].map((name) => `e2e/${name}.ts`),
  ...['conferences/support', 'conferences/layouts-support', 'desk/support', 'desk/fixture', 'desk/busy-conference'].map(
    (name) => `e2e/${name}.ts`,
  ),
];

/**
 * What an older PostgreSQL, on an external server, can affect: connecting, roles, migrations, statements, two servers.
 */
const onOtherVersions = [
  ...['db', 'db-fence', 'db-search', 'two-servers', 'no-connection', 'backup'].map(
    (name) => `apps/server/test/platform/${name}.test.ts`,
  ),
  ...['two-servers', 'meeting-lists', 'room-booking', 'series', 'history'].map(
    (name) => `apps/server/test/modules/${name}.test.ts`,
  ),
];

/** What also runs on an S3 server. */
const onS3 = [
  'platform/storage',
  'platform/backup-files',
  'platform/move-files',
  'platform/recorder-machine',
  'platform/recording-faults',
  'modules/recordings/upload',
  'modules/meeting-files',
  'modules/meeting-file-scan',
  'modules/meeting-file-office',
  'modules/documents',
  'modules/client-packages',
].map((name) => `apps/server/test/${name}.test.ts`);
const S3_SCENARIO = 'e2e/recordings/bucket.spec.ts';
/** Processes that record, which join the engine that runs. */
const recorderProcesses = 'apps/server/test/platform/recorder.test.ts';

/** The tools of the media plane's tests: browsers, calls, terminals, engines and networks, not the peers of pages. */
const mediaTools = [
  'browser',
  'call-page',
  'clapper',
  'codec',
  'contexts',
  'desk',
  'engine',
  'engine-process',
  'firefox',
  'firefox-relay',
  'place',
  'port',
  'python-peer',
  'relay',
  'room-migration',
  'tcp-proxy',
  'terminal',
  'traffic',
  'transport',
  'turns',
  'wait',
  'watched',
].map((name) => `packages/testkit/src/${name}.ts`);

/** What meets the transport: joining, media, data, other clients, networks. All other tests leave it to the engine. */
const onDatachannel = [
  ...['data', 'networks', 'publications', 'rtc-node', 'turn'].map((name) => `packages/sfu/test/${name}.test.ts`),
  'packages/participant/test/participant.test.ts',
];

/** The scenarios without those in WebKit, which have a run of their own. */
const inChromium = ['e2e', ':(exclude)e2e/webkit'];

/** What each big run covers: `.ci/run` runs it only if something of it changed since its last success. */
export const covers = {
  'every call': [
    ...ofServer('src', 'test/modules/support'),
    'packages/contract/src',
    'packages/conference/src',
    ...leftToMatrix['every call'],
  ],
  'looks in both languages': [
    'apps/web',
    'packages/contract/src',
    'packages/conference/src',
    'packages/manual',
    ...inChromium,
  ],
  'rarer cases': [
    'apps/web',
    ...ofServer('src'),
    'packages/contract/src',
    'packages/conference/src',
    'packages/manual',
    ...inChromium,
  ],
  'embedded database': ['packages/postgres', ...ofServer('src/platform/db'), ...leftToMatrix['embedded database']],
  processes: [
    ...ofServer(
      'src/platform/process',
      'src/platform/media',
      'src/platform/config',
      'src/main.ts',
      'src/supervisor.ts',
      'src/media.ts',
      'src/recorder.ts',
      'src/modules/recordings/control',
      'src/modules/recordings/recorder',
      'src/modules/live',
    ),
    ...['live', 'postgres', 'recorder', 'rtmp'].map((name) => `packages/${name}/src`),
    'tools/start.mjs',
    ...leftToMatrix.processes,
  ],
  floods: [
    'packages/sfu',
    'packages/rtp/src',
    ...ofServer('src/platform/http', 'src/platform/push'),
    ...leftToMatrix.floods,
  ],
  'a hundred thousand guesses': ofServer(
    'src/modules/accounts/auth',
    'src/platform/http',
    'src/platform/secrets',
    'test/modules/guessing.test.ts',
  ),
  'ten thousand series': [
    ...ofServer('src/modules/meetings/series/rule.ts', 'src/modules/meetings/series/expand.ts', 'test/modules/support'),
    'packages/contract/src/meetings/series.ts',
    ...leftToMatrix['ten thousand series'],
  ],
  'kills of the server': [
    ...ofServer(
      'src/platform/db',
      'src/platform/jobs',
      'src/platform/durable',
      'src/platform/storage',
      'src/modules/conferences',
      'src/modules/meetings',
      'src/modules/notices',
      'src/modules/resources',
      'src/modules/rooms',
    ),
    'packages/postgres/src',
    'soak/kills',
    ...leftToMatrix['kills of the server'],
  ],
  backups: [
    ...ofServer('src/platform/backup', 'src/platform/db', 'src/platform/storage', 'src/platform/durable'),
    'packages/postgres/src',
    ...leftToMatrix.backups,
  ],
  'files on S3': [
    ...ofServer(
      'src/platform/storage',
      'src/platform/backup',
      'src/modules/recordings/upload',
      'src/modules/recordings/recorder',
      'src/modules/meeting-files',
      'src/modules/files',
      'src/modules/documents',
      'src/modules/client-packages',
      'src/recorder.ts',
      'test/modules/support/store.ts',
    ),
    'packages/testkit/src/s3-server.ts',
    ...onS3,
    S3_SCENARIO,
    'apps/web/src/features/recordings/player',
    'soak/recording-kills',
    'tools/s3.ts',
  ],
  'conferences at length': [...conferences, 'packages/sfu/src', 'packages/rtp/src'],
  'conferences in VP8': [...conferences, 'packages/sfu/src', 'packages/rtp/src'],
  'conferences on LiveKit': [...conferences, 'tools/livekit.ts'],
  'pages in WebKit': ['apps/web', 'e2e/webkit', 'packages/testkit/page', 'packages/testkit/src/webkit.ts'],
  'media plane': [
    'packages/sfu',
    'packages/rtp',
    'packages/recorder',
    'packages/participant',
    ...mediaTools,
    'e2e/media',
  ],
  'media plane by node-datachannel': [
    'packages/sfu/src',
    'packages/rtp/src',
    'packages/participant/src',
    ...mediaTools,
    ...onDatachannel,
    ...['call', 'reconnects'].map(mediaScenario),
  ],
  'media plane of LiveKit': [
    'packages/rtp/src',
    'packages/participant',
    ...mediaTools,
    'e2e/media',
    ...ofServer('src/platform/media', 'src/modules/recordings/recorder', 'src/recorder.ts'),
    'packages/recorder/src',
    recorderProcesses,
    'tools/livekit.ts',
  ],
  'signalling v0': [
    'packages/sfu/src/signalling',
    'packages/rtp/src/sdp',
    'packages/participant',
    'apps/web/src/call',
    'e2e/media',
  ],
} as const satisfies Record<string, readonly string[]>;

type BigRun = keyof typeof covers;
const bigRun = (
  name: BigRun,
  { environment = {}, ...rest }: Omit<Setting, 'name' | 'covers' | 'environment'> & { environment?: NodeJS.ProcessEnv },
): Setting => ({ name, covers: covers[name], environment, ...rest });
/** A big run that uses only vitest. */
const bigFiles = (name: BigRun & keyof typeof leftToMatrix): Setting =>
  bigRun(name, { suites: ['vitest'], folders: leftToMatrix[name] });
const IN_BOTH_LANGUAGES = { RMEET_TEST_LANGUAGES: 'zh-CN,en-US' };

/**
 * The settings of `npm run test:matrix`, each with its servers running while it is used; a string gives the reason why
 * one is missing. No server is built or started for big runs of which none `isDue`.
 */
export async function* matrix(isDue: (run: Setting) => boolean): AsyncGenerator<Setting | string> {
  yield bigFiles('every call');
  yield bigRun('looks in both languages', {
    suites: ['pages', 'calls'],
    named: '^(?!.*(?:webkit|@more)).*(?:zh-CN|en-US)',
    environment: IN_BOTH_LANGUAGES,
  });
  yield bigRun('rarer cases', { suites: ['pages', 'calls'], named: '@more', environment: IN_BOTH_LANGUAGES });
  yield bigFiles('embedded database');
  yield { ...bigFiles('processes'), oneByOne: true };
  yield { ...bigFiles('floods'), oneByOne: true };
  yield bigRun('a hundred thousand guesses', {
    suites: ['vitest'],
    folders: ['apps/server/test/modules/guessing.test.ts'],
  });
  yield bigFiles('ten thousand series');
  yield bigFiles('kills of the server');
  yield bigFiles('backups');
  yield bigRun('conferences at length', { suites: ['calls'], scenarios: { calls: atLength }, offer: offerFirefox });
  // All other runs send H.264, the codec of an organisation that chose none.
  yield bigRun('conferences in VP8', {
    suites: ['calls'],
    scenarios: { calls: inVp8 },
    environment: { RMEET_TEST_CODEC: 'vp8' },
    offer: offerFirefox,
  });
  yield bigRun('pages in WebKit', {
    suites: ['pages'],
    scenarios: { pages: ['e2e/webkit'] },
    environment: IN_BOTH_LANGUAGES,
    offer: offerWebKit,
  });
  yield* mediaPlane();
  yield* onS3Server(isDue);
  yield* onLiveKit(isDue);
  const scenarios = {
    calls: [...['meet', 'recovery'].map(scenario), ...inFirefox],
    media: ['call', 'reconnects'].map(mediaScenario),
  };
  yield bigRun('signalling v0', {
    suites: ['calls', 'media'],
    scenarios,
    environment: { RMEET_TEST_SIGNALLING: 'v0' },
    offer: offerFirefox,
  });
  yield* onOldPostgres();
}

function* mediaPlane(): Generator<Setting> {
  yield bigRun('media plane', {
    suites: ['vitest', 'media'],
    folders: leftToMatrix['media plane'],
    oneByOne: true,
    offer: () => {
      offerTurnServer();
      offerPythonSdk();
    },
  });
  yield bigRun('media plane by node-datachannel', {
    suites: ['vitest', 'calls', 'media'],
    folders: onDatachannel,
    scenarios: { calls: [scenario('meet')], media: ['call', 'reconnects'].map(mediaScenario) },
    environment: { RMEET_TEST_TRANSPORT: 'datachannel' },
    oneByOne: true,
    offer: offerTurnServer,
  });
}

async function* onS3Server(isDue: (run: Setting) => boolean): AsyncGenerator<Setting | string> {
  const scenarios = { pages: [S3_SCENARIO] };
  const run = bigRun('files on S3', { suites: ['vitest', 'pages'], folders: onS3, scenarios });
  const binary = isDue(run) ? s3Server() : {};
  if (binary.reason === undefined) yield { ...run, environment: { RMEET_TEST_S3_SERVER: binary.path } };
  else yield binary.reason;
}

/** Always: it is short, and nearly every change affects it. */
async function* onOldPostgres(): AsyncGenerator<Setting | string> {
  const missing = debianPrograms() ? null : installPackages(['postgresql'], 'the tests on an older PostgreSQL');
  if (missing !== null) {
    yield missing;
    return;
  }
  const programs = debianPrograms();
  const server = await startPostgres(programs);
  try {
    yield {
      name: `PostgreSQL ${programs?.major}`,
      environment: { RMEET_TEST_DATABASE_URL: server.url },
      suites: ['vitest'],
      folders: onOtherVersions,
    };
  } finally {
    await server.stop();
  }
}

async function* onLiveKit(isDue: (run: Setting) => boolean): AsyncGenerator<Setting | string> {
  // The product scenarios that place the highest demands on an engine.
  const scenarios = {
    calls: [...['control', 'lying', 'unreached'].map(scenario), 'e2e/desk/at-rest.spec.ts', ...inFirefox],
  };
  const runs = [
    bigRun('conferences on LiveKit', { suites: ['calls'], scenarios, offer: offerFirefox }),
    bigRun('media plane of LiveKit', {
      suites: ['vitest', 'media'],
      folders: ['packages/participant', recorderProcesses],
    }),
  ];
  if (!runs.some(isDue)) {
    yield* runs;
    return;
  }
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
    `port: ${port}`,
    'bind_addresses: ["127.0.0.1"]',
    `rtc: {tcp_port: ${tcp}, udp_port: ${udp}, use_external_ip: false, enable_loopback_candidate: true}`,
    // Without a receiver of webhooks, as in all but e2e/media, it would log warnings.
    `keys: {${key}: ${secret}}`,
    `webhook: {api_key: ${key}, urls: ["http://127.0.0.1:${webhooks}/"]}`,
    'logging: {level: error}',
  ].join('\n');
  // It logs thousands of lines about rooms that tests delete: they are stored separately, and printed if it fails.
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-livekit-'));
  const log = join(folder, 'log.txt');
  const output = openSync(log, 'w');
  const child = spawn(binary.path, ['--config-body', config], { stdio: ['ignore', output, output] });
  try {
    await until(
      'LiveKit answers',
      async () => child.exitCode !== null || (await fetch(`http://127.0.0.1:${port}/`)).ok,
      { within: 30_000 },
    );
    if (child.exitCode !== null)
      throw new Error(`livekit-server ended with code ${child.exitCode}: ${readFileSync(log, 'utf8').slice(-2_000)}`);
    const environment = {
      RMEET_TEST_LIVEKIT_URL: `ws://127.0.0.1:${port}`,
      RMEET_TEST_LIVEKIT_API_KEY: key,
      RMEET_TEST_LIVEKIT_API_SECRET: secret,
      RMEET_TEST_WEBHOOK_PORT: String(webhooks),
    };
    for (const run of runs) yield { ...run, environment };
  } finally {
    await stopped(child);
    closeSync(output);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  // It stores nothing. A SIGTERM directly after its first response would be lost: LiveKit would run forever.
  child.kill('SIGKILL');
  await exit;
}
