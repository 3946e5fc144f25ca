import { configDefaults, defineConfig } from 'vitest/config';

/** What takes long with browsers of its own, and that `npm test` leaves to the matrix (tools/matrix.ts). */
export const longTests = ['bandwidth', 'codecs', 'networks', 'repair', 'resilience', 'rtc-node', 'turn'].map((name) => `packages/sfu/test/${name}.test.ts`);
const leftOut = process.env['RMEET_TEST_QUICK'] === '1' ? longTests : [];

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.{ts,tsx}', 'tools/test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    // Tests start real servers and browsers; two files at a time is what two cores carry.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    passWithNoTests: false,
  },
});
