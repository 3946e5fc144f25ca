// Builds the web app if its sources are newer than apps/web/dist.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectNode, root } from './install.mjs';

const web = join(root, 'apps', 'web');
const stamp = join(web, 'dist', '.sources');
const skipped = new Set(['node_modules', 'dist', 'test']);

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesOf(path);
    else if (entry.isFile()) yield path;
  }
}

/** A digest of all inputs of the build. */
function sourcesDigest() {
  const hash = createHash('sha256');
  const packages = ['contract', 'conference'].map((name) => join(root, 'packages', name, 'src'));
  const manual = ['src', 'pages', 'pictures'].map((name) => join(root, 'packages', 'manual', name));
  for (const folder of [web, ...packages, ...manual.filter((one) => existsSync(one))]) {
    for (const path of filesOf(folder)) hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  }
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/** Builds the web app if it is outdated; ends the process if the build fails. */
export function ensureWebBuilt() {
  const digest = sourcesDigest();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  console.log('Building the web app.');
  const result = spawnSync(
    projectNode,
    [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    { cwd: web, stdio: 'inherit' },
  );
  if (result.status !== 0) {
    console.error('The web app could not be built; the lines above say why.');
    process.exit(1);
  }
  writeFileSync(stamp, digest);
}
