import { readFile } from 'node:fs/promises';
import type { ManagedEntry } from '@rmeet/contract';
import { createInstance, type TFunction } from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import { flagList, matching, ruleSentence } from '../src/features/permissions/access/view.ts';
import { changeOf, faultsOf } from '../src/features/permissions/permission.ts';
import { choose, grantableIds, grantTree } from '../src/features/roles/role.ts';
import { changedKeys, rebase } from '../src/lib/rebase.ts';
import { sourcePath } from './support.ts';

/** `t` of a namespace, outside React. */
async function textsOf<N extends 'permissions'>(locale: 'zh' | 'en', namespace: N): Promise<TFunction<N>> {
  const words = JSON.parse(
    await readFile(sourcePath(`features/${namespace}/locales/${locale}.json`), 'utf8'),
  ) as object;
  const i18n = createInstance();
  await i18n.init({
    lng: locale,
    ns: [namespace],
    defaultNS: namespace,
    interpolation: { escapeValue: false },
    resources: { [locale]: { [namespace]: words } },
  });
  return i18n.t as unknown as TFunction<N>;
}

describe('the rule behind an answer, as a sentence', () => {
  type T = Parameters<typeof ruleSentence>[1];
  let [zh, en]: [T, T] = [null as never, null as never];
  beforeAll(async () => {
    [zh, en] = await Promise.all([textsOf('zh', 'permissions'), textsOf('en', 'permissions')]);
  });

  test.each([
    ['role', ['Staff', 'Nurses'], 'By the role Staff, Nurses', '来自角色：Staff、Nurses'],
    ['accountRole', ['Tenant administrator'], 'By being a Tenant administrator', '作为Tenant administrator自带'],
    ['direct', [], 'Granted to the account itself', '直接授予该账号'],
    ['anyone', [], 'Open to every account of this kind', '对所有此类账号开放'],
    ['tenantDenies', [], 'The organisation is denied this feature', '单位未开通此功能'],
    ['notGranted', [], 'Not granted', '未授予'],
    ['wrongKind', [], 'Not for accounts of this kind', '不适用于此类账号'],
    ['disabled', [], 'The account or its organisation is disabled', '账号或单位已停用'],
    ['hidden', ['Live'], '“Live” is hidden', '“Live”已隐藏'],
    ['requires', ['audit:read'], 'Takes the permission audit:read', '需要权限：audit:read'],
  ] as const)('%s', (kind, names, english, chinese) => {
    expect([ruleSentence({ kind, names: [...names] }, en), ruleSentence({ kind, names: [...names] }, zh)]).toEqual([
      english,
      chinese,
    ]);
  });
});

test('rows are filtered by the answer and by the keyword', () => {
  const rows = [
    { code: 'sys:network', allowed: true },
    { code: 'sys:video', allowed: false },
  ];
  const codes = (shown: 'all' | 'allowed' | 'denied', keyword: string) =>
    matching(rows, shown, keyword, ({ code }) => [code]).map(({ code }) => code);
  expect(codes('all', '')).toEqual(['sys:network', 'sys:video']);
  expect(codes('allowed', '')).toEqual(['sys:network']);
  expect(codes('denied', 'NET')).toEqual([]);
  expect(codes('all', ' Video ')).toEqual(['sys:video']);
});

test('every flag is listed under the name of its permission', () => {
  const flags = {
    enableLocal: 0,
    enableNet: 1,
    enableVideo: 1,
    enableTel: 0,
    enableTencent: 0,
    enableLiveStreaming: 0,
    enableSms: 0,
    enableUploadMeetingFile: 0,
    enableVipMeeting: 0,
    enableHuaxiApprove: 0,
    enableRboardAdv: 0,
    enableBookLive: 0,
    enable3DVirtualLive: 0,
    enableSwitchLiveResource: 0,
  } as const;
  const list = flagList(flags, 'en');
  expect(list.map(({ flag }) => flag).toSorted()).toEqual(Object.keys(flags).toSorted());
  expect(list.find(({ flag }) => flag === 'enableNet')).toEqual({
    flag: 'enableNet',
    name: 'Network meetings',
    on: true,
  });
});

const entry = (part: Partial<ManagedEntry>): ManagedEntry => ({
  id: '',
  pid: null,
  type: 2,
  code: null,
  name: '',
  nameEn: '',
  url: '',
  redirect: '',
  icon: '',
  isAdmin: 0,
  component: '',
  componentName: '',
  hidden: false,
  userManageType: 1,
  sort: 0,
  builtIn: false,
  inUse: true,
  grantableTo: ['user'],
  version: 1,
  ...part,
});

describe('what a role can grant', () => {
  const entries = [
    entry({ id: 'meetings', type: 0, nameEn: 'Meetings' }),
    entry({ id: 'network', pid: 'meetings', code: 'sys:network', nameEn: 'Network' }),
    entry({ id: 'log', type: 0, code: 'audit:read', nameEn: 'Log' }),
    entry({ id: 'read', pid: 'log', code: 'audit:read', nameEn: 'Read', grantableTo: ['user', 'operator'] }),
    entry({ id: 'staff', type: 0, isAdmin: 1, nameEn: 'Staff', grantableTo: ['operator'] }),
  ];

  test('fits its kind of account; a menu that depends on a code is shown but cannot be granted', () => {
    expect(grantableIds(grantTree(entries, 'user'))).toEqual(['meetings', 'network', 'read']);
    expect(grantableIds(grantTree(entries, 'operator'))).toEqual(['read', 'staff']);
    expect(grantTree(entries, 'user').map((node) => [node.entry.id, node.isGrantable])).toEqual([
      ['meetings', true],
      ['log', false],
    ]);
  });

  test('is found by name and code, with its ancestors and descendants', () => {
    expect(grantableIds(grantTree(entries, 'user', 'AUDIT'))).toEqual(['read']);
    expect(grantableIds(grantTree(entries, 'user', 'meetings'))).toEqual(['meetings', 'network']);
    expect(grantTree(entries, 'user', 'nothing like it')).toEqual([]);
  });

  test('is kept in one order, so that the same choice counts as no change', () => {
    expect(choose(['b'], ['a', 'c'], true)).toEqual(['a', 'b', 'c']);
    expect(choose(['a', 'b', 'c'], ['c', 'b'], false)).toEqual(['a']);
  });
});

describe('a permission', () => {
  test('requires a name and a code with one colon', () => {
    expect(faultsOf({ code: '', name: '', nameEn: '', isAdmin: 0 })).toEqual({ code: 'codeMissing', name: 'name' });
    expect(faultsOf({ code: 'sys:a:b', name: '新', nameEn: '', isAdmin: 0 })).toEqual({ code: 'code' });
    expect(faultsOf({ code: 'sys:newThing', name: '新', nameEn: '', isAdmin: 0 })).toEqual({});
  });

  test('keeps its place in the tree, unless it goes to the other system', () => {
    const before = entry({ id: 'x', pid: 'meetings', code: 'sys:x', name: '某' });
    expect(changeOf(before, { code: 'sys:x', name: '某项', nameEn: '', isAdmin: 0 })).toMatchObject({
      id: 'x',
      pid: 'meetings',
      name: '某项',
    });
    expect(changeOf(before, { code: 'sys:x', name: '某', nameEn: '', isAdmin: 1 })).toMatchObject({
      pid: null,
      isAdmin: 1,
    });
  });
});

test('after a conflict the typed fields stay and the others take the saved values', () => {
  const base = { name: 'a', description: 'old', ids: ['1'] };
  expect(rebase(base, { ...base, name: 'mine' }, { name: 'theirs', description: 'new', ids: ['1', '2'] })).toEqual({
    draft: { name: 'mine', description: 'new', ids: ['1', '2'] },
    theirs: ['name', 'description', 'ids'],
  });
  expect(changedKeys(base, { ...base, ids: ['1'] })).toEqual([]);
});
