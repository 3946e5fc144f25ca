import { configDefaults, defineConfig } from 'vitest/config';

const ofEngine = (name: string): string => `packages/sfu/test/${name}.test.ts`;
const ofServer = (name: string): string => `apps/server/test/${name}.test.ts`;
const ofPlatform = (name: string): string => ofServer(`platform/${name}`);
const ofModules = (name: string): string => ofServer(`modules/${name}`);
/** What `npm test` leaves to the big runs of the matrix (tools/matrix.ts), by their names. */
export const leftToMatrix = {
  'every call': ['broken-requests', 'callers', 'meeting-lists'].map(ofModules),
  'embedded database': ['packages/postgres/test/postgres.test.ts', ofPlatform('damage')],
  // The whole product with kills: seconds count, and the machine is theirs.
  processes: ['supervisor', 'lost-media', 'recorder', 'live', 'ingest', 'whip'].map(ofPlatform),
  floods: [...['floods', 'hosts'].map(ofEngine), ofPlatform('file-handles')],
  'ten thousand series': [ofModules('series-rules-all')],
  'kills of the server': [ofModules('kills')],
  backups: ['backup', 'backup-files'].map(ofPlatform),
  // With browsers of their own.
  'media plane': [
    ...['bad-paths', 'codecs', 'networks', 'python-sdk', 'resilience', 'rtc-node', 'turn'].map(ofEngine),
    ...['interruptions', 'record'].map((name) => `packages/recorder/test/${name}.test.ts`),
    'packages/recorder/test/packager/claps.test.ts',
    'packages/recorder/test/conversion/programme.test.ts',
  ],
};
/**
 * What measures seconds behind bad networks and wants the machine for itself: `npm test -- bandwidth repair lip-sync`.
 */
const measured = ['bandwidth', 'lip-sync', 'repair'].map(ofEngine);
const leftOut = process.env['RMEET_TEST_QUICK'] === '1' ? [...Object.values(leftToMatrix).flat(), ...measured] : [];
/** They put something in the place of a module for everything that runs in their process. */
const alone = [ofModules('account-names'), ofModules('guessing'), 'apps/web/test/api.test.ts'];
const all = ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.{ts,tsx}', 'tools/test/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      // One process runs many files: what they import, the whole server above all, is read once, not once per file.
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          include: all,
          exclude: [...configDefaults.exclude, ...leftOut, ...alone],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: [...configDefaults.exclude, ...leftOut] } },
    ],
    globalSetup: 'apps/server/test/modules/support/template.ts',
    // Tests wait for servers and timers now and then: three files at a time keep two cores busy. With four, tests on
    // two cores waited for a processor four fifths of the time, and those with limits of seconds failed.
    maxWorkers: 3,
    // Files live for seconds: young objects are collected less often where they have more room.
    execArgv: ['--min-semi-space-size=16'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
  },
});
