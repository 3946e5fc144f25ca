import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root as projectRoot } from '../install.mjs';
import { covers } from '../matrix.ts';
import { hashOf, isProven, readProven, record } from '../proven.ts';

let root: string;

function git(...args: string[]): void {
  const { status, stderr } = spawnSync(
    'git',
    ['-c', 'user.name=alice', '-c', 'user.email=alice@example.org', ...args],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}

function commit(path: string, text: string): void {
  writeFileSync(join(root, path), text);
  git('add', '--all');
  git('commit', '--quiet', '--message', `change ${path}`);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rmeet-proven-'));
  for (const folder of ['engine', 'server', 'tools']) mkdirSync(join(root, folder));
  git('init', '--quiet');
  commit('tools/proven.json', '{}');
  commit('engine/packets.ts', 'one');
  commit('server/main.ts', 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a run is proven until a file it covers is changed, whatever else changes', () => {
  expect(isProven(root, 'media plane', ['engine'])).toBe(false);
  record(root, 'media plane', ['engine']);
  expect(isProven(root, 'media plane', ['engine'])).toBe(true);
  expect(isProven(root, 'backups', ['engine'])).toBe(false);
  commit('server/main.ts', 'two');
  expect(isProven(root, 'media plane', ['engine'])).toBe(true);
  commit('engine/packets.ts', 'two');
  expect(isProven(root, 'media plane', ['engine'])).toBe(false);
  commit('engine/packets.ts', 'one');
  expect(isProven(root, 'media plane', ['engine'])).toBe(true);
});

test('a new, a renamed and an uncommitted file are changes; a run on them is not recorded', () => {
  record(root, 'media plane', ['engine']);
  writeFileSync(join(root, 'engine', 'new.ts'), 'one');
  expect(isProven(root, 'media plane', ['engine'])).toBe(false);
  const before = readProven(root);
  record(root, 'media plane', ['engine']);
  expect(readProven(root)).toEqual(before);
  rmSync(join(root, 'engine', 'new.ts'));
  expect(isProven(root, 'media plane', ['engine'])).toBe(true);
  git('mv', 'engine/packets.ts', 'engine/rtp.ts');
  git('commit', '--quiet', '--message', 'rename');
  expect(isProven(root, 'media plane', ['engine'])).toBe(false);
});

test('the files that the matrix covers exist, and a path without files is an error', () => {
  for (const paths of Object.values(covers)) expect(() => hashOf(projectRoot, paths)).not.toThrow();
  expect(() => hashOf(root, ['gone'])).toThrow(/A big run covers what is no file: .*gone/);
});
