import { expect, it } from 'vitest';
import { AddressTable } from '../../src/transport/native/address-table.ts';
import { memory, reserve } from '../../src/transport/native/arena.ts';
import {
  addressText,
  AF_INET,
  AF_INET6,
  ipv4Offset,
  NAME_BYTES,
  nameBytes,
  readPort,
  writeSocketAddress,
} from '../../src/transport/native/socket-address.ts';

it.each([
  ['127.0.0.1', AF_INET, '127.0.0.1'],
  ['192.0.2.7', AF_INET6, '192.0.2.7'],
  ['2001:db8::7:1', AF_INET6, '2001:db8::7:1'],
  ['::1', AF_INET6, '::1'],
  ['fd00::ffff:192.0.2.1', AF_INET6, 'fd00::ffff:c000:201'],
] as const)('writes and reads the address %s of family %i', (host, family, text) => {
  const at = reserve(NAME_BYTES);
  writeSocketAddress(at, family, host, 50_001);
  expect([addressText(at), readPort(at)]).toEqual([text, 50_001]);
  expect(ipv4Offset(at) !== 0).toBe(!host.includes(':'));
});

it('finds what was added and nothing else, in any order of adding and removing', () => {
  const table = new AddressTable(nameBytes(AF_INET6));
  const probe = reserve(NAME_BYTES);
  const entries = Array.from({ length: 500 }, (_, index) => {
    const nameAt = reserve(NAME_BYTES);
    writeSocketAddress(nameAt, AF_INET6, index % 2 === 0 ? '192.0.2.1' : `2001:db8::${index}`, 10_000 + index);
    return { nameAt, hash: table.hash(nameAt) };
  });
  const present = new Set<(typeof entries)[number]>();
  for (let step = 0; step < 5000; step += 1) {
    const entry = entries[(step * 7919) % entries.length]!;
    if (present.delete(entry)) table.remove(entry);
    else {
      present.add(entry);
      table.add(entry);
    }
    const asked = entries[(step * 104_729) % entries.length]!;
    memory.copyWithin(probe, asked.nameAt, asked.nameAt + NAME_BYTES);
    expect(table.find(probe)).toBe(present.has(asked) ? asked : undefined);
  }
  expect(table.size).toBe(present.size);
});
