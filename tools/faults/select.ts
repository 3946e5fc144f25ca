import { readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { sourceFiles } from '../files.ts';
import { importsOf } from '../imports.ts';
import { domainOf } from './domains.ts';

const TEST = /^(?:(?:packages|apps)\/[\w-]+|tools)\/test\/.*\.test\.tsx?$/;
const SPEC = /^e2e\/.*\.spec\.ts$/;
/** These measure milliseconds: they test speed, not correctness. */
const MEASURES = /^e2e\/.*(?:long-tasks|polling-turns)\.spec\.ts$/;

/** What runs against a fault, in this order. */
export interface Selection {
  /** Tests on the same subject, and those that directly import a changed file. */
  near: string[];
  /** Other tests that a change reaches, in its own workspace; and those in others. */
  own: string[];
  far: string[];
  /** Playwright's files. */
  scenarios: string[];
}

const workspaceOf = (file: string): string => file.split('/').slice(0, 2).join('/');

/** The sources of the tree, and their import graph. */
export interface Tree {
  files: readonly string[];
  /** Importers of a file, and whether they import it by a package name. */
  importers: ReadonlyMap<string, readonly { file: string; byPackage: boolean }[]>;
}

/** `@rmeet/sfu` and `@rmeet/participant/rtc`, by the packages' `exports`. */
function targetOf(file: string, specifier: string): { target: string; byPackage: boolean } | null {
  if (specifier.startsWith('.')) return { target: normalize(join(dirname(file), specifier)), byPackage: false };
  const [, name, part = 'index'] = /^@rmeet\/([\w-]+)(?:\/([\w-]+))?$/.exec(specifier) ?? [];
  return name === undefined ? null : { target: `packages/${name}/src/${part}.ts`, byPackage: true };
}

export function readTree(root: string): Tree {
  const files = [...sourceFiles(root)].map((path) => relative(root, path));
  const importers = new Map<string, { file: string; byPackage: boolean }[]>();
  for (const file of files) {
    for (const specifier of importsOf(readFileSync(join(root, file), 'utf8'))) {
      const found = targetOf(file, specifier);
      if (found === null) continue;
      importers.set(found.target, [...(importers.get(found.target) ?? []), { file, byPackage: found.byPackage }]);
    }
  }
  return { files, importers };
}

/** Every file that a change reaches through imports, and over how many steps. */
function reached({ importers }: Tree, changed: readonly string[], throughPackages: boolean): Map<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]));
  for (const [file, distance] of distances) {
    for (const { file: importer, byPackage } of importers.get(file) ?? []) {
      if (!distances.has(importer) && (throughPackages || !byPackage)) distances.set(importer, distance + 1);
    }
  }
  return distances;
}

/**
 * The tests that could detect a change of some files: tests that reach one of them through imports, and those in the
 * table of domains. For scenarios, imports through a package do not count: every one of them imports the testkit, and
 * with it the whole contract.
 */
export function select(tree: Tree, changed: readonly string[]): Selection {
  const domains = changed.flatMap((file) => domainOf(file) ?? []);
  const isNear = (file: string): boolean => domains.some(({ near }) => near.some((part) => file.startsWith(part)));
  const reach = reached(tree, changed, true);
  const tests = tree.files.filter((file) => TEST.test(file) && (reach.has(file) || isNear(file)));
  const near = tests.filter((file) => isNear(file) || reach.get(file) === 1);
  const folders = new Set(domains.flatMap(({ e2e }) => e2e.map((folder) => `e2e/${folder}`)));
  const imported = reached(tree, changed, false);
  const scenarios = tree.files.filter(
    (file) => SPEC.test(file) && !MEASURES.test(file) && (folders.has(dirname(file)) || imported.has(file)),
  );
  const workspaces = new Set(changed.map(workspaceOf));
  const { own = [], far = [] } = Object.groupBy(
    tests.filter((file) => !near.includes(file)),
    (file) => (workspaces.has(workspaceOf(file)) ? 'own' : 'far'),
  );
  return { near: near.toSorted(), own: own.toSorted(), far: far.toSorted(), scenarios: scenarios.toSorted() };
}
