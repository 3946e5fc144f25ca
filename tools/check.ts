/**
 * `npm run check`: types, lint, format, width, test titles, import rules, dead code, documents, the weight of pages.
 * Runs one check per core at the same time, and reports those that failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { architectureBreaches } from './architecture.ts';
import { faultBreaches } from './faults/faults.ts';
import { flakyBreaches } from './flaky.ts';
import { importBreaches } from './imports.ts';
import { root } from './install.mjs';
import { titleBreaches } from './titles.ts';
import { widthBreaches } from './width.ts';
import { weigh, weighedPages, weightBreaches, weightWords } from './page-weight.ts';

interface Check {
  name: string;
  /** The errors, one per line. */
  run: () => string[] | Promise<string[]>;
}

/** Runs a program; if it fails, returns its output. */
async function program(command: string, args: string[]): Promise<string[]> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return child.exitCode === 0
    ? []
    : [`${command} ${args.join(' ')} failed`, ...`${output}${errors}`.trimEnd().split('\n')];
}

/** Builds the web app if it is outdated, in its own process, and weighs its pages. */
async function pageWeight(): Promise<string[]> {
  const build = "import('./tools/web-build.mjs').then(({ ensureWebBuilt }) => ensureWebBuilt())";
  const failure = await program(process.execPath, ['-e', build]);
  if (failure.length > 0) return failure;
  const weights = Object.values(weighedPages).map(weigh);
  console.log(`     JavaScript at first load: ${weightWords(weights)}`);
  return weightBreaches(weights);
}

const checks: Check[] = [
  { name: 'types', run: () => program('tsc', ['-p', 'tsconfig.json']) },
  { name: 'types of the web app', run: () => program('tsc', ['-p', join('apps', 'web', 'tsconfig.json')]) },
  {
    name: 'types of its tests and tools',
    run: () => program('tsc', ['-p', join('apps', 'web', 'tsconfig.node.json')]),
  },
  { name: 'lint', run: () => program('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'format', run: () => program('oxfmt', ['--check']) },
  { name: 'width', run: () => widthBreaches(root) },
  { name: 'test titles', run: () => titleBreaches(root) },
  { name: 'import rules', run: () => importBreaches(root) },
  { name: 'dead code', run: () => program('knip', ['--no-progress']) },
  { name: 'documents', run: () => architectureBreaches(root) },
  { name: 'known flaky files', run: () => flakyBreaches(root) },
  { name: 'seeded faults', run: () => faultBreaches(root) },
  { name: 'page weight', run: pageWeight },
  {
    name: 'contract',
    run: () => program('vitest', ['run', 'packages/contract/test', 'packages/conference/test', '--reporter=dot']),
  },
];

let failed = 0;
const waiting = checks.values();

/** Runs one check after the other until none is left. */
async function work(): Promise<void> {
  for (const check of waiting) {
    const started = performance.now();
    const problems = await check.run();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      [
        `${problems.length === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`,
        ...problems.map((problem) => `     ${problem}`),
      ].join('\n'),
    );
    if (problems.length > 0) failed++;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exit(failed === 0 ? 0 : 1);
