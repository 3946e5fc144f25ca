// Runs on any Node from 20 on and needs no package, because it installs the packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** The Node installed by the lock file; scripts written in TypeScript run on it. */
export const projectNode = join(root, 'node_modules', 'node', 'bin', 'node');

/** Why the installed packages differ from package-lock.json, or null if they do not. */
export function staleReason() {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return 'the packages are not installed yet';
  if (!existsSync(projectNode)) return 'the runtime is not installed yet';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    // Packages for other platforms are optional and never installed; workspaces are links to this tree.
    if (!path.startsWith('node_modules/') || entry.link) continue;
    const there = present[path];
    if (!there && !entry.optional && !entry.devOptional && !entry.peer) return `${path.slice(13)} is missing`;
    if (there && there.version !== entry.version) return `${path.slice(13)} is ${there.version}, not ${entry.version}`;
  }
  return null;
}

/** Installs the packages of the lock file if they are missing or outdated; ends the process if that fails. */
export function ensureInstalled() {
  const reason = staleReason();
  if (reason === null) return;
  console.log(`Installing packages, because ${reason}. This takes about a minute.`);
  // npm passes its path to its children; a script that runs without npm uses `npm` on PATH.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--progress=true'];
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) {
    console.error('The packages could not be installed; the lines above say why. Is the npm registry reachable?');
    process.exit(1);
  }
}
