import type { LoginUser } from '@rmeet/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { Session } from '../src/lib/session.ts';
import { loginUrlOf, systemOf } from '../src/lib/system.ts';
import { MemoryStorage } from './support.ts';

const person = (account: string): LoginUser => ({
  id: `id-of-${account}`,
  account,
  name: account,
  tenantId: 't',
  tenantName: 'demo',
  isTenantAdmin: account === 'chair',
  locale: 'zh',
  kind: 'user',
});
const alice = person('alice');
const bob = person('bob');
const APP = 'https://meet.example/';
const ADMIN = 'https://meet.example/admin/';

let shared: MemoryStorage;
const newTab = (loginUrl = APP): Session => {
  const session = new Session(new MemoryStorage(), shared, loginUrl);
  session.restore();
  return session;
};

beforeEach(() => {
  shared = new MemoryStorage();
});

describe('a sign-in', () => {
  test('is stored for the tab, under the keys of the product', () => {
    const tab = new MemoryStorage();
    const session = new Session(tab, shared, APP);
    session.open('a-token', person('chair'));
    expect(session.token).toBe('a-token');
    expect(session.user).toEqual(person('chair'));
    for (const store of [tab, shared]) {
      expect(store.getItem('token')).toBe('a-token');
      expect(store.getItem('isTenantAdmin')).toBe('true');
      expect(store.getItem('loginUrl')).toBe(APP);
    }
  });

  test('is adopted by a new tab, but not by an app with other accounts', () => {
    newTab().open('a-token', alice);
    expect(newTab().user).toEqual(alice);
    expect(newTab(ADMIN).token).toBeNull();
  });

  test('made for another app is recognised, and stays for the other tabs when it is dropped', () => {
    const tab = new MemoryStorage();
    new Session(tab, shared, APP).open('a-token', alice);
    const inAdmin = new Session(tab, shared, ADMIN);
    inAdmin.restore();
    expect(inAdmin.isForeign).toBe(true);
    inAdmin.clear();
    expect(inAdmin.token).toBeNull();
    expect(newTab().token).toBe('a-token');
  });

  test('stores flags and permissions under their keys once they are loaded', () => {
    const tab = new MemoryStorage();
    const session = new Session(tab, shared, APP);
    session.open('a-token', alice);
    session.describe({ ...alice, enableNet: 1 }, { 'sys:network': 'id-1' });
    expect(session.user).toEqual({ ...alice, enableNet: 1 });
    expect(tab.getItem('authArr')).toBe('["sys:network"]');
    expect(shared.getItem('authArr')).toBeNull();
    for (const store of [tab, shared]) expect(store.getItem('authArrMap')).toBe('{"sys:network":"id-1"}');
  });

  test('adopted as a token only replaces the previous sign-in', () => {
    const session = newTab();
    session.open('a-token', alice);
    session.adopt('b-token');
    expect(session.token).toBe('b-token');
    expect(session.user).toBeNull();
    expect(newTab().token).toBe('b-token');
  });

  test('of another tab keeps its own user', () => {
    const first = newTab();
    first.open('a-token', alice);
    newTab().open('b-token', bob);
    first.describe(alice, {});
    expect(newTab().user).toEqual(bob);
  });

  test('keeps the notes of the client shell when it ends', () => {
    const session = newTab();
    session.open('a-token', alice);
    session.setNote('source', 'client');
    session.clear();
    expect(session.note('source')).toBe('client');
  });
});

describe('the end of a session', () => {
  test('leaves nothing, here and in the other tabs', () => {
    const session = newTab();
    session.open('a-token', alice);
    session.clear();
    expect(session.token).toBeNull();
    expect(session.user).toBeNull();
    expect(shared.size).toBe(0);
  });

  test('keeps a newer sign-in of another tab', () => {
    const first = newTab();
    first.open('old', alice);
    newTab().open('new', alice);
    first.clear();
    expect(newTab().token).toBe('new');
  });
});

describe('a tab that becomes visible again', () => {
  test('adopts the newer token of the same person without a reload', () => {
    const first = newTab();
    first.open('old', alice);
    newTab().open('new', alice);
    expect(first.sync()).toBe(false);
    expect(first.token).toBe('new');
  });

  test('reloads for another user, or signed out', () => {
    const first = newTab();
    first.open('a-token', alice);
    const second = newTab();
    second.open('b-token', bob);
    expect(first.sync()).toBe(true);
    expect(first.user).toEqual(bob);
    second.clear();
    expect(first.sync()).toBe(true);
    expect(first.token).toBeNull();
  });

  test('ignores a sign-in to another app', () => {
    const first = newTab();
    first.open('a-token', alice);
    newTab(ADMIN).open('root-token', person('root'));
    expect(first.sync()).toBe(false);
    expect(first.token).toBe('a-token');
  });
});

test('the path determines the app; user and manage share their sign-in', () => {
  expect(['/', '/manage/', '/admin/', '/administrator'].map(systemOf)).toEqual(['user', 'manage', 'admin', 'user']);
  expect(loginUrlOf('https://meet.example', 'user')).toBe(APP);
  expect(loginUrlOf('https://meet.example', 'manage')).toBe(APP);
  expect(loginUrlOf('https://meet.example', 'admin')).toBe(ADMIN);
});
