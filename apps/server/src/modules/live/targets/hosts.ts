import { hostOf, isInside, isNamedIn, publicLookup } from '../../../platform/outbound/index.ts';

/**
 * Which servers a programme may be pushed to: those with a public address, and those that the server's configuration
 * names (RMEET_PUSH_HOSTS), because users choose them and this server connects to them.
 */
export function createPushHosts(named: readonly string[]) {
  return {
    /** Whether an address may be used as far as it shows. */
    allows: (address: string): boolean => isNamedIn(named, address) || !isInside(hostOf(address)),
    /** Resolves the name of an address, and fails if it leads inside. Undefined: any address is right. */
    lookupFor: (address: string) => (isNamedIn(named, address) ? undefined : publicLookup),
  };
}

export type PushHosts = ReturnType<typeof createPushHosts>;
