import { readFile } from 'node:fs/promises';
import { contract, type Routes } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import { compare } from '../src/features/audit/compare.ts';
import { filterOf, SHAPE } from '../src/features/audit/filter.ts';
import { readListState } from '../src/lib/listState.ts';
import { sourcePath } from './support.ts';

type Tree = { [key: string]: string | Tree };

describe.each(['zh', 'en'] as const)('in %s', (locale) => {
  test('every recorded action has a name', async () => {
    const texts = JSON.parse(await readFile(sourcePath(`features/audit/locales/${locale}.json`), 'utf8')) as {
      action: Record<string, Tree>;
    };
    const audited = Object.entries(contract as Record<string, Routes>).flatMap(([domain, routes]) =>
      Object.entries(routes).flatMap(([name, route]) => (route.audit === true ? [`${domain}.${name}`] : [])),
    );
    expect(audited.length).toBeGreaterThan(30);
    // Actions additionally recorded by jobs, command-line programs, directories, and in the name of who signs in.
    const known = [
      ...audited,
      'certs.verifyToToken',
      'directories.signIn',
      'invitations.accept',
      'scim.push',
      'sso.verifyToToken',
      'userTasks.cancel',
      'webhooks.end',
      'audit.clear',
      'setup.resetOperator',
      'setup.suspendFactor',
      'setup.address',
    ];
    expect(
      known.filter(
        (action) => typeof texts.action[action.split('.')[0] ?? '']?.[action.split('.')[1] ?? ''] !== 'string',
      ),
    ).toEqual([]);
    expect(
      Object.entries(texts.action)
        .flatMap(([domain, names]) => Object.keys(names).map((name) => `${domain}.${name}`))
        .toSorted(),
    ).toEqual(known.toSorted());
  });
});

describe('before and after', () => {
  test('are listed side by side, field by field, without equal ones', () => {
    expect(compare({ name: 'Ward', enabled: true, icon: '' }, { name: 'Round', enabled: true, sort: 2 })).toEqual([
      { path: ['name'], before: 'Ward', after: 'Round' },
      { path: ['sort'], before: undefined, after: 2 },
      { path: ['icon'], before: '', after: undefined },
    ]);
  });

  test('of something created or deleted have one side', () => {
    expect(compare(null, { name: 'Ward' })).toEqual([{ path: ['name'], before: undefined, after: 'Ward' }]);
    expect(compare({ name: 'Ward' }, null)).toEqual([{ path: ['name'], before: 'Ward', after: undefined }]);
    expect(compare(null, null)).toEqual([]);
  });

  test('are split where they are nested; lists stay whole', () => {
    expect(
      compare(
        { quotas: { users: 5, terminals: null }, roles: ['a'] },
        { quotas: { users: 9, terminals: null }, roles: ['a', 'b'] },
      ),
    ).toEqual([
      { path: ['quotas', 'users'], before: 5, after: 9 },
      { path: ['roles'], before: ['a'], after: ['a', 'b'] },
    ]);
  });

  test('of a password show only that it changed', () => {
    expect(compare({ password: '***' }, { password: '***' })).toEqual([
      { path: ['password'], before: '***', after: '***' },
    ]);
  });
});

test('the address contains the filter; days are whole ones, and invalid values do not filter', () => {
  const filter = filterOf(
    readListState(SHAPE, new URLSearchParams('from=2026-11-01&to=2026-11-20&action=users.create&actor=a&q=bob')),
  );
  expect(filter).toMatchObject({ order: 'DESC', action: 'users.create', actorId: 'a', keyword: 'bob' });
  expect(Date.parse(filter.to ?? '') - Date.parse(filter.from ?? '')).toBe(20 * 86_400_000 - 1);
  expect(filterOf(readListState(SHAPE, new URLSearchParams('from=yesterday&order=ASC')))).toEqual({ order: 'ASC' });
});
