import { defineConfig } from '@playwright/test';

/** The media plane alone: scenarios in pages with livekit-client against a media engine, without the product. */
const media = /media\/[^/]*\.spec\.ts$/;
/** Scenarios of the product with real media between pages. */
const deskCalls = 'at-rest|commands|desk|firefox|firefox-whole|long-tasks|preview|topology';
const conferenceCalls = '(conferences|guests)/(?!calls|captions|recording|refusals)[^/]*';
const calls = new RegExp(`(${conferenceCalls}|desk/(${deskCalls})|live/(cdn|manual-stream|on-air|room))\\.spec\\.ts$`);
/**
 * Those that take long and that `npm test` leaves to the matrix: they measure volume or time, as `at-rest`, `chaos` and
 * `unreached`, or show in more depth what a shorter one shows, too. `long-tasks` and `polling-turns` measure
 * milliseconds and want the machine for themselves: `npm test -- polling-turns`.
 */
const longNames =
  'at-rest|cdn|chaos|control|firefox|firefox-whole|held-again|layouts|long-tasks|lying|polling|polling-turns|' +
  'preview|recovery|topology|unreached';
const long = new RegExp(`(${longNames})\\.spec\\.ts$|media/[^/]*$`);
/** Another engine. */
const longPages = /webkit\/[^/]*$/;
/** Of the others, those that show the rarer cases of what a shorter one shows. */
const more = /@more/;
const isQuick = process.env['RMEET_TEST_QUICK'] === '1';
const leftOut = isQuick ? [long] : [];
/** Pages that are slowed down on purpose (packages/testkit/src/browser.ts) are waited for longer. */
const patience =
  process.env['RMEET_TEST_SLOW'] === undefined && process.env['RMEET_TEST_SLOW_PAGES'] === undefined ? 1 : 3;

// Scenarios name times of day as a browser in this zone shows them, wherever they run.
process.env['TZ'] = 'UTC';

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  outputDir: 'test-results',
  workers: 3,
  projects: [
    // Scenarios of conferences bring up to four pages with real media and measure seconds: one at a time is what two
    // cores carry, and nothing beside it (tools/test.ts runs the projects one after the other). With two of the others
    // beside them they took twice as long, and the ones that allow few seconds failed.
    { name: 'calls', testMatch: calls, testIgnore: leftOut, workers: 1 },
    // The same holds for these.
    { name: 'media', testMatch: media, testIgnore: leftOut, workers: 1, timeout: 60_000 },
    // Mostly they wait: for a server, or for what moves on the page to come to rest.
    { name: 'pages', testIgnore: [calls, media, ...(isQuick ? [longPages] : [])], workers: 3 },
  ],
  ...(isQuick ? { grepInvert: more } : {}),
  retries: 0,
  timeout: 120_000 * patience,
  expect: { timeout: 15_000 * patience },
});
