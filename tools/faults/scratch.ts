import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Created by runs in the copy, or linked into it; never compared. */
const LEFT_ALONE = new Set(['node_modules', 'dist', 'test-results', 'data', 'coverage']);

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (LEFT_ALONE.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/** The files known to git and new ones, as they are on the disk. */
function treeFiles(root: string): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return [...new Set(listed.split('\0'))].filter((file) => file !== '' && existsSync(join(root, file)));
}

/** Whether a copy exists and has the content of a file. */
function isSame(file: string, copy: string): boolean {
  return (
    existsSync(copy) && statSync(copy).size === statSync(file).size && readFileSync(copy).equals(readFileSync(file))
  );
}

/** A copy of the tree outside of it, in which faults are tried. */
export class Scratch {
  readonly folder: string;
  readonly #root: string;

  constructor(root: string, folder: string) {
    this.#root = root;
    this.folder = folder;
  }

  /** Synchronises the copy with the tree, whatever was changed in it. */
  refresh(): void {
    mkdirSync(this.folder, { recursive: true });
    const places = ['.', ...this.#workspaces()];
    // With the packages of another lock file no fault would compile.
    if (!isSame(join(this.#root, 'package-lock.json'), join(this.folder, 'package-lock.json')))
      for (const place of places) rmSync(join(this.folder, place, 'node_modules'), { recursive: true, force: true });
    const files = new Set(treeFiles(this.#root));
    for (const path of filesIn(this.folder)) {
      const file = relative(this.folder, path);
      if (!files.has(file) && file !== TYPES_BUILT) rmSync(path);
    }
    for (const file of files) {
      const [from, to] = [join(this.#root, file), join(this.folder, file)];
      if (isSame(from, to)) continue;
      mkdirSync(dirname(to), { recursive: true });
      cpSync(from, to);
    }
    for (const place of places) this.#bring(join(place, 'node_modules'), '-al');
    this.#bring(join('apps', 'web', 'dist'), '-a');
  }

  #workspaces(): string[] {
    return ['apps', 'packages'].flatMap((group) =>
      readdirSync(join(this.#root, group)).map((name) => join(group, name)),
    );
  }

  /** Hard links of packages, since the links between packages must lead into the copy. */
  #bring(path: string, how: '-al' | '-a'): void {
    if (existsSync(join(this.#root, path)) && !existsSync(join(this.folder, path)))
      execFileSync('cp', [how, join(this.#root, path), join(this.folder, path)]);
  }

  /** Returns whether the patch applied. */
  apply(patch: string): boolean {
    return spawnSync('git', ['apply', patch], { cwd: this.folder }).status === 0;
  }

  /** Runs a program of the copy's packages; its output is stored. */
  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> {
    const PATH = `${join(this.folder, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`;
    return spawnSync(command, args, {
      cwd: this.folder,
      env: { ...process.env, PATH, ...env },
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    });
  }

  /** Whether the types are correct, as in `npm run check`, in the projects of the changed files. */
  compiles(changed: readonly string[]): boolean {
    const isOfWeb = changed.some((file) => /^(?:apps\/web|packages\/contract)\//.test(file));
    const isOfOthers = changed.some((file) => !file.startsWith('apps/web/'));
    const web = () => this.run('tsc', ['-p', join('apps', 'web', 'tsconfig.json')]).status === 0;
    const others = () =>
      this.run('tsc', ['-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', TYPES_BUILT]).status === 0;
    return (!isOfWeb || web()) && (!isOfOthers || others());
  }

  /** Builds the web app from the sources of the copy if it is outdated. */
  buildWeb(): boolean {
    return (
      this.run('node', ['-e', "import('./tools/web-build.mjs').then(({ ensureWebBuilt }) => ensureWebBuilt())"])
        .status === 0
    );
  }
}

const TYPES_BUILT = '.types-built';
