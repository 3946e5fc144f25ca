/**
 * `npm test`: unit and server tests, then browser scenarios; ends with one line `N passed, N failed, N skipped`. `npm
 * run test:matrix` runs the suites on PostgreSQL, on a LiveKit server and over `/rtc` v0 instead, and all scenarios of
 * the media plane (e2e/media). It skips big runs if nothing that they cover has changed since they passed; with `--all`
 * it runs them, too, with `--run=<name>` only those of that name, and with `--record` it records in tools/proven.json
 * which ones passed. Further arguments limit the run to files whose path contains them. A file that fails is tried once
 * more, alone: if it then passes, it is flaky; the run reports that and passes.
 */
import {
  ensureBrowser,
  offerDateutil,
  offerFirefox,
  offerLdapServer,
  offerSoftToken,
  offerLightBrowser,
  offerOffice,
  offerTurnServer,
  offerVirusScanner,
  offerWebKit,
} from './browser.ts';
import { knownFlaky } from './flaky.ts';
import { matrix, type Setting, type SuiteName } from './matrix.ts';
import { closingLines, failureTexts, passed, passedAlone, secondTries, slowestLines, type Outcome } from './outcome.ts';
import { offerPythonSdk } from './python-sdk.ts';
import { runSuite, type Wishes } from './suites.ts';
import { isProven, record } from './proven.ts';
import { root } from './install.mjs';
import { ensureWebBuilt } from './web-build.mjs';

const wantsAll = process.argv.includes('--all');
const records = process.argv.includes('--record');
const named = process.argv.filter((argument) => argument.startsWith('--run=')).map((argument) => argument.slice(6));
const wishes: Wishes = {
  matrix: process.argv.includes('--matrix'),
  filters: process.argv.slice(2).filter((argument) => !argument.startsWith('--')),
};

/** Runs a suite, then each of its failed files alone, with nothing else running. */
function addSuite(outcome: Outcome, name: SuiteName, setting: Setting): void {
  const where = `${setting.name} › ${name}`;
  const result = runSuite(name, setting, wishes);
  const failedBefore = outcome.files.filter(({ failed }) => failed > 0).length;
  const again = secondTries(result, failedBefore);
  const failed = result.files.filter((file) => file.failed > 0).length;
  if (failed > again.length)
    console.log(`\n== ${failedBefore + failed} files failed so far: too many to be tried once more`);
  for (const first of result.files) {
    if (!again.includes(first)) {
      outcome.files.push({ ...first, where });
      continue;
    }
    console.log(`\n== ${where} › ${first.file} failed: once more, alone`);
    outcome.files.push({
      ...first,
      where,
      second: passedAlone(first.file, runSuite(name, setting, wishes, first.file)),
    });
  }
  outcome.failures.push(...result.failures.map(({ test, message }) => ({ test: `${where} › ${test}`, message })));
}

function addSetting(outcome: Outcome, setting: Setting): void {
  console.log(`\n== ${setting.name}`);
  setting.offer?.();
  for (const name of setting.suites) addSuite(outcome, name, setting);
}

/**
 * Whether a setting takes part: big runs do if something they cover has changed since they passed, and always if
 * limited to some files.
 */
function isDue({ name, covers }: Setting): boolean {
  if (named.length > 0) return named.includes(name);
  return covers === undefined || wantsAll || wishes.filters.length > 0 || !isProven(root, name, covers);
}

/** Big runs limited to some files are never recorded. */
function addBigRun(outcome: Outcome, setting: Setting, covers: readonly string[]): void {
  if (!isDue(setting)) {
    if (named.length > 0) return;
    console.log(`\n== ${setting.name}: nothing it covers has changed since it passed`);
    outcome.proven.push(setting.name);
    return;
  }
  const [files, failures] = [outcome.files.length, outcome.failures.length];
  addSetting(outcome, setting);
  // By the rule for the whole run: a file that failed beside others and passed alone is reported, and counts as passed.
  const own = { ...outcome, files: outcome.files.slice(files), failures: outcome.failures.slice(failures) };
  if (records && passed(own) && wishes.filters.length === 0) record(root, setting.name, covers);
}

/** A setting that is not available here counts as skipped, with its reason. */
function addMissing(outcome: Outcome, reason: string): void {
  console.log(`\n== skipped: ${reason}`);
  outcome.missing += 1;
}

function report(outcome: Outcome): void {
  console.log(['\nThe slowest files:', ...slowestLines(outcome)].join('\n'));
  for (const text of failureTexts(outcome)) console.error(`\n${text}`);
  console.log(
    `\n${closingLines(
      outcome,
      knownFlaky.map(({ file }) => file),
    ).join('\n')}`,
  );
}

async function main(): Promise<number> {
  const missing = ensureBrowser();
  if (missing !== null) {
    console.error(missing);
    return 1;
  }
  offerLightBrowser();
  offerDateutil();
  offerLdapServer();
  offerSoftToken();
  offerVirusScanner();
  offerOffice();
  ensureWebBuilt();
  const outcome: Outcome = { files: [], failures: [], missing: 0, proven: [] };
  if (wishes.matrix) {
    for await (const setting of matrix(isDue)) {
      if (typeof setting === 'string') addMissing(outcome, setting);
      else if (setting.covers !== undefined) addBigRun(outcome, setting, setting.covers);
      else if (named.length === 0) addSetting(outcome, setting);
    }
  } else {
    if (wishes.filters.length > 0)
      for (const offer of [offerFirefox, offerTurnServer, offerPythonSdk, offerWebKit]) offer();
    addSetting(outcome, { name: 'embedded', environment: {}, suites: ['vitest', 'pages', 'calls', 'media'] });
  }
  report(outcome);
  return passed(outcome) ? 0 : 1;
}

process.exit(await main());
