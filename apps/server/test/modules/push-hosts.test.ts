import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { createPushHosts } from '../../src/modules/live/targets/hosts.ts';

const hosts = createPushHosts(['relay.internal', '127.0.0.2']);

const resolved = (name: string): Promise<string | LookupAddress[]> =>
  new Promise((resolve, reject) =>
    hosts.lookup(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
  );

describe('hosts that a programme may be pushed to', () => {
  test.each(['live.example.org', '192.168.7.20', '10.1.2.3', '203.0.113.9', '2001:db8::7'])('%s is one', (host) => {
    expect(hosts.allows(host)).toBe(true);
  });

  test.each([
    'localhost',
    'a.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '169.254.169.254',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    'fe80::1',
    '224.0.0.1',
  ])('%s is none', (host) => {
    expect(hosts.allows(host)).toBe(false);
  });

  test('those that the configuration names are, wherever they are', () => {
    expect(hosts.allows('127.0.0.2')).toBe(true);
    expect(hosts.allows('Relay.Internal')).toBe(true);
  });

  test('a name that leads to this machine is found out when it is resolved', async () => {
    await expect(resolved('localhost')).rejects.toThrow('an address of this machine');
  });
});
