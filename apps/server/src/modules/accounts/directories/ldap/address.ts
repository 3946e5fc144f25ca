import { hostOf, isInside, isNamedIn } from '../../../../platform/outbound/index.ts';
import { DirectoryFailure } from './problem.ts';

/**
 * Whether a directory may be at an address: inside hosts, and connections without encryption, are for hosts that the
 * operator named.
 *
 * @throws DirectoryFailure ADDRESS_FORBIDDEN, PLAIN_FORBIDDEN
 */
export function mayBeAt(address: string, startTls: boolean, hosts: readonly string[]): void {
  if (isNamedIn(hosts, address)) return;
  if (isInside(hostOf(address))) throw new DirectoryFailure('ADDRESS_FORBIDDEN');
  if (!address.toLowerCase().startsWith('ldaps:') && !startTls) throw new DirectoryFailure('PLAIN_FORBIDDEN');
}
