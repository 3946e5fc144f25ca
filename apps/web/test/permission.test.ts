import { expect, test, vi } from 'vitest';
import { MemoryStorage } from './support.ts';

vi.stubGlobal('location', { pathname: '/', origin: 'https://meet.example', hash: '' });
vi.stubGlobal('sessionStorage', new MemoryStorage());
vi.stubGlobal('localStorage', new MemoryStorage());
const { hasPermission, permissionId } = await import('../src/lib/access.ts');
const { session } = await import('../src/lib/browser.ts');

test('a permission is held when its key is in the stored list', () => {
  session.open('a-token', {
    id: 'a',
    account: 'alice',
    name: 'Alice',
    tenantId: 't',
    tenantName: 'demo',
    isTenantAdmin: false,
    locale: 'zh',
    kind: 'user',
  });
  expect(hasPermission('sys:network')).toBe(false);
  session.describe(session.user ?? expect.fail('nobody is signed in'), { 'sys:network': 'id-1' });
  expect(hasPermission('sys:network')).toBe(true);
  expect(hasPermission('sys:tel')).toBe(false);
  expect(permissionId('sys:network')).toBe('id-1');
  expect(permissionId('sys:tel')).toBeUndefined();
});

test('a check without a key is an error', () => {
  expect(() => hasPermission('')).toThrow('must not be empty');
  expect(() => permissionId('')).toThrow('must not be empty');
});
