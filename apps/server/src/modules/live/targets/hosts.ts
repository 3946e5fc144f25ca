import { lookup as resolve, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** This machine, and link-local addresses, where clouds keep the secrets of a machine. LANs have streaming servers. */
const refused = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 4],
] as const)
  refused.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  refused.addSubnet(net, prefix, 'ipv6');

const isRefused = (address: string): boolean => refused.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Decides which hosts a programme may be pushed to. */
export interface PushHosts {
  /** Whether a host of an address may be used as far as its name shows. */
  allows(host: string): boolean;
  /** Resolves a name, and fails if it leads to an address that may not be used. */
  lookup: LookupFunction;
}

/** `allowed`: hosts that may be used wherever they are, by RMEET_PUSH_HOSTS. */
export function createPushHosts(allowed: readonly string[]): PushHosts {
  const isAllowed = (host: string): boolean => allowed.includes(host.toLowerCase());
  return {
    allows: (host) => isAllowed(host) || (isIP(host) === 0 ? !/^(.*\.)?localhost\.?$/i.test(host) : !isRefused(host)),
    lookup(host, options, callback) {
      resolve(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        const usable = isAllowed(host) ? addresses : (addresses ?? []).filter(({ address }) => !isRefused(address));
        const first = usable?.[0];
        if (error || !first) {
          callback(error ?? new Error(`${host} is an address of this machine`), '', 0);
        } else if (options.all) callback(null, usable);
        else callback(null, first.address, first.family);
      });
    },
  };
}
