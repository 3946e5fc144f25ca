import { BlockList, isIPv6 } from 'node:net';
import type { Place } from '@rmeet/contract';

/** Whether an address is in one of these networks (`10.0.0.0/8`, `2001:db8::/32`). */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return false;
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', bits = ''] = network.split('/');
    list.addSubnet(base, Number(bits), isIPv6(base) ? 'ipv6' : 'ipv4');
  }
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}

/** The name of the first place with this address; null if none has it. */
export function placeOf(places: readonly Place[], address: string): string | null {
  return places.find(({ networks }) => isInNetworks(address, networks))?.name ?? null;
}
