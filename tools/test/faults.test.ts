import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { domains } from '../faults/domains.ts';
import { readFaults } from '../faults/faults.ts';
import { readTree, select, type Tree } from '../faults/select.ts';
import { root } from '../install.mjs';

const faults = readFaults();

describe('the tests that run for a change', () => {
  const tree = readTree(root);

  test('of the server: tests that import it, those of its domain first, and the scenarios of its domain', () => {
    const { near, own, far, scenarios } = select(tree, ['apps/server/src/modules/approvals/service.ts']);
    expect(near).toContain('apps/server/test/modules/approvals.test.ts');
    expect(own).toContain('apps/server/test/modules/audit.test.ts');
    expect([...near, ...own, ...far]).not.toContain('apps/web/test/calendar.test.ts');
    expect(scenarios).toEqual(['e2e/approvals/approvals.spec.ts']);
  });

  test('of the contract: tests of all who import the package, but no scenarios because of that alone', () => {
    const { near, far, scenarios } = select(tree, ['packages/conference/src/speakers.ts']);
    expect(near).toContain('packages/conference/test/speakers.test.ts');
    expect(far).toContain('apps/server/test/modules/audit.test.ts');
    expect(scenarios).toContain('e2e/conferences/layouts.spec.ts');
    expect(scenarios).not.toContain('e2e/audit/audit.spec.ts');
  });

  test('of the web app: nothing of the server, and nothing that measures', () => {
    const { near, own, far, scenarios } = select(tree, ['apps/web/src/features/conferences/desk/feed.ts']);
    expect(near).toContain('apps/web/test/desk/feed.test.ts');
    expect([...near, ...own, ...far].every((file) => file.startsWith('apps/web/'))).toBe(true);
    expect(scenarios).toContain('e2e/desk/desk.spec.ts');
    expect(scenarios).not.toContain('e2e/desk/long-tasks.spec.ts');
  });

  test('of a small tree: over any number of imports, by package or not', () => {
    const importers: Tree['importers'] = new Map([
      ['packages/sfu/src/a.ts', [{ file: 'packages/sfu/src/index.ts', byPackage: false }]],
      [
        'packages/sfu/src/index.ts',
        [
          { file: 'apps/server/test/b.test.ts', byPackage: true },
          { file: 'e2e/x/b.spec.ts', byPackage: true },
          { file: 'e2e/x/c.spec.ts', byPackage: false },
        ],
      ],
    ]);
    const files = [
      'packages/sfu/src/a.ts',
      'packages/sfu/src/index.ts',
      'packages/sfu/test/d.test.ts',
      'apps/server/test/b.test.ts',
      'e2e/x/b.spec.ts',
      'e2e/x/c.spec.ts',
      'e2e/media/e.spec.ts',
    ];
    expect(select({ files, importers }, ['packages/sfu/src/a.ts'])).toEqual({
      near: [],
      own: [],
      far: ['apps/server/test/b.test.ts'],
      scenarios: ['e2e/media/e.spec.ts', 'e2e/x/c.spec.ts'],
    });
  });

  test('the table names existing folders', () => {
    const missing = domains.flatMap(({ e2e }) => e2e.filter((folder) => !existsSync(join(root, 'e2e', folder))));
    expect(missing).toEqual([]);
    const unmet = domains
      .filter(({ source }) => !tree.files.some((file) => file.startsWith(source)))
      .map(({ source }) => source);
    expect(unmet).toEqual([]);
  });

  test('every fault is covered by a test or a scenario', () => {
    const unseen = faults.filter(({ files }) => {
      const { near, own, far, scenarios } = select(tree, files);
      return near.length + own.length + far.length + scenarios.length === 0;
    });
    expect(unseen.map(({ name }) => name)).toEqual([]);
  });
});
