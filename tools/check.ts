/** `npm run check`: types, lint, import rules, dead code, documents. Runs all of them, then says which failed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { architectureBreaches } from './architecture.ts';
import { flakyBreaches } from './flaky.ts';
import { importBreaches } from './imports.ts';
import { root } from './install.mjs';

interface Check {
  name: string;
  run: () => string[];
}

/** Runs a program; its output goes to the terminal, a failure becomes one line. */
function program(command: string, args: string[]): string[] {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  return result.status === 0 ? [] : [`${command} ${args.join(' ')} failed`];
}

const checks: Check[] = [
  { name: 'types', run: () => program('tsc', ['-p', 'tsconfig.json']) },
  { name: 'types of the web app', run: () => program('tsc', ['-p', join('apps', 'web', 'tsconfig.json')]) },
  { name: 'types of its tests and tools', run: () => program('tsc', ['-p', join('apps', 'web', 'tsconfig.node.json')]) },
  { name: 'lint', run: () => program('oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'import rules', run: () => importBreaches(root) },
  { name: 'dead code', run: () => program('knip', ['--no-progress']) },
  { name: 'documents', run: () => architectureBreaches(root) },
  { name: 'known flaky files', run: () => flakyBreaches(root) },
  { name: 'contract', run: () => program('vitest', ['run', 'packages/contract/test', '--reporter=dot']) },
];

let failed = 0;
for (const check of checks) {
  const started = performance.now();
  const problems = check.run();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`);
  for (const problem of problems) console.log(`     ${problem}`);
  if (problems.length > 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
