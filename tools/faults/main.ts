/**
 * `npm run faults`: applies one fault after the other to a copy of the tree and checks which test detects it
 * (CONTRIBUTING.md).
 *
 * npm run faults -- [--suite npm-test|all] [--until near|own|far|pages|calls|media] [--again] [--no-types] [--lock
 * file] [names...]
 *
 * `--until near` runs only the nearest tests, which takes a tenth of the time, and leaves undetected faults open.
 * `--no-types` is for faults whose types were checked before.
 *
 * Results are appended to a file, so that an interrupted run continues where it stopped.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../install.mjs';
import { readFaults, type Fault } from './faults.ts';
import { Scratch } from './scratch.ts';
import { readTree, select, type Tree } from './select.ts';
import { STEPS, stepsOf, type Options, type Step, type Suite } from './try.ts';

interface Result {
  name: string;
  /** Digest of the patch: another digest means another fault. */
  digest: string;
  suite: Suite;
  result: 'caught' | 'survived' | 'does not apply';
  /** The step and the test that detected it. */
  step: string;
  test: string;
  message: string;
  seconds: number;
  /** Files that fail randomly, or without the fault as well: they are not evidence. */
  leftOut: string[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    suite: { type: 'string', default: 'npm-test' },
    until: { type: 'string', default: 'media' },
    again: { type: 'boolean', default: false },
    'no-types': { type: 'boolean', default: false },
    lock: { type: 'string' },
  },
});
if (values.suite !== 'npm-test' && values.suite !== 'all') {
  console.error('--suite is npm-test or all.');
  process.exit(2);
}
const until = STEPS.find((step) => step === values.until);
if (until === undefined) {
  console.error(`--until is one of ${STEPS.join(', ')}.`);
  process.exit(2);
}
const options: Options = { suite: values.suite, until, lock: values.lock };
const folder = join(tmpdir(), `rmeet-faults-${basename(root)}`);
const scratch = new Scratch(root, join(folder, 'tree'));
const resultsFile = join(folder, 'results.jsonl');
/** Whether files pass without any fault, for those that were checked. */
const cleanFiles = new Map<string, boolean>();

function readResults(): Result[] {
  if (!existsSync(resultsFile)) return [];
  return readFileSync(resultsFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
}

const isOf =
  ({ name, digest }: Fault) =>
  (result: Result): boolean =>
    result.name === name && result.digest === digest && result.suite === options.suite;

/**
 * Runs the steps against a fault until one detects it: the failed file fails again when run alone, and passes without
 * the fault. A file that does not is excluded, since it fails randomly or anyway, and the step starts again.
 */
function tryFault(fault: Fault, tree: Tree): Pick<Result, 'result' | 'step' | 'test' | 'message' | 'leftOut'> {
  const leftOut: string[] = [];
  const nothing = { step: '', test: '', message: '', leftOut };
  scratch.refresh();
  if (!scratch.apply(fault.path) || (!values['no-types'] && !scratch.compiles(fault.files)))
    return { result: 'does not apply', ...nothing };
  for (const step of stepsOf(scratch, select(tree, fault.files), options)) {
    for (;;) {
      const files = step.files.filter((file) => !leftOut.includes(file));
      const first = step.run(files);
      if (first === null) break;
      const suspects = first.file === null ? files : [first.file];
      const again = step.run(suspects);
      if (again !== null && passesClean(fault, suspects, step))
        return { result: 'caught', step: step.name, test: again.test, message: again.message, leftOut };
      leftOut.push(...suspects);
    }
  }
  return { result: 'survived', ...nothing };
}

/** Whether files pass without the fault, which is applied again afterwards. */
function passesClean(fault: Fault, files: readonly string[], { run }: Step): boolean {
  const key = files.join();
  const known = cleanFiles.get(key);
  if (known !== undefined) return known;
  scratch.refresh();
  const isClean = run(files) === null;
  cleanFiles.set(key, isClean);
  scratch.apply(fault.path);
  return isClean;
}

/** Whether more steps exist for a fault than were requested. */
function leavesSteps({ files }: Fault, tree: Tree): boolean {
  return stepsOf(scratch, select(tree, files), { ...options, until: 'media' })
    .slice(STEPS.indexOf(options.until) + 1)
    .some((step) => step.files.length > 0);
}

function table(faults: readonly Fault[]): void {
  const results = readResults();
  const latest = faults.flatMap((fault) => results.findLast(isOf(fault)) ?? []);
  for (const { name, result, step, test, seconds } of latest) {
    console.log(
      `${name.padEnd(36)} ${result.padEnd(15)} ${`${seconds} s`.padStart(6)}  ${step === '' ? '' : `${step}: `}${test}`,
    );
  }
  const count = (wanted: Result['result']): number => latest.filter(({ result }) => result === wanted).length;
  if (latest.length < faults.length) console.log(`${faults.length - latest.length} have no result yet`);
  console.log(`\n${count('caught')} caught, ${count('survived')} survived, ${count('does not apply')} do not apply`);
}

/** Two runs in one copy would combine their faults. */
function mustBeAlone(): void {
  const path = join(folder, 'running');
  const other = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (other !== '' && existsSync(join('/proc', other))) {
    console.error(`Another run is at it (process ${other}).`);
    process.exit(1);
  }
  writeFileSync(path, String(process.pid));
  process.on('exit', () => rmSync(path, { force: true }));
}

const faults = readFaults().filter(
  ({ name }) => positionals.length === 0 || positionals.some((wanted) => name.includes(wanted)),
);
mkdirSync(folder, { recursive: true });
mustBeAlone();
const tree = readTree(root);
for (const fault of faults) {
  if (!values.again && readResults().some(isOf(fault))) continue;
  const started = Date.now();
  const found = tryFault(fault, tree);
  const result: Result = {
    name: fault.name,
    digest: fault.digest,
    suite: options.suite,
    ...found,
    seconds: Math.round((Date.now() - started) / 1_000),
  };
  const isOpen = result.result === 'survived' && leavesSteps(fault, tree);
  console.log(
    `${new Date().toISOString().slice(11, 19)} ${result.name}: ${isOpen ? `open after ${until}` : result.result}, ` +
      `${result.seconds} s ${result.test}`,
  );
  if (!isOpen) appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
}
scratch.refresh();
table(faults);
