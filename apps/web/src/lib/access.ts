import type { PermissionEntry } from '@rmeet/contract';
import { useSyncExternalStore } from 'react';
import { session } from './browser.ts';
import type { System } from './system.ts';

/** Roles used by the route guard; not the roles by which the server grants permissions. */
export type RouteRole = 'admin' | 'superAdmin';

/** The access rights of a token's account, loaded after sign-in. */
export interface Access {
  token: string;
  roles: readonly RouteRole[];
  /** Its menu entries and permissions. */
  entries: readonly PermissionEntry[];
}

let current: Access | null = null;
const listeners = new Set<() => void>();

/** Initially empty: nothing is known about a token before it is loaded (`loadAccess.ts`). */
export const access = {
  /** The access of the current token; null until its roles are loaded. */
  get: (): Access | null => (current?.token === session.token ? current : null),
  set: (next: Access | null): void => {
    current = next;
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useAccess(): Access | null {
  return useSyncExternalStore(access.subscribe, access.get);
}

export function routeRolesOf(system: System): readonly RouteRole[] {
  return system === 'admin' ? ['superAdmin'] : ['admin'];
}

/** Whether the signed-in account has a permission. Throws if the code is empty. */
export function hasPermission(code: string): boolean {
  if (!code) throw new Error('The permission key must not be empty.');
  return session.codes.includes(code);
}

/** The id of a permission the account has. Throws if the code is empty. */
export function permissionId(code: string): string | undefined {
  if (!code) throw new Error('The permission parameter must not be empty.');
  return session.idOfCode[code];
}

/** {@link hasPermission}, kept up to date while the component is mounted. */
export function usePermission(code: string): boolean {
  useAccess();
  return hasPermission(code);
}
