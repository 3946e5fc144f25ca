// Runs one of the project's TypeScript programs: `node tools/run.mjs <program> [arguments]`.
import { join } from 'node:path';
import { runInForeground } from './child.mjs';
import { ensureInstalled, projectNode, root } from './install.mjs';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error('Name the program to run.');
  process.exit(2);
}
ensureInstalled();
process.env.PATH = `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
runInForeground(projectNode, [join(root, program), ...args], { cwd: root });
