import { ACCOUNT_ROLES, ENTRY_TYPES, type PermissionEntry, type Profile } from '@rmeet/contract';
import { access, routeRolesOf } from './access.ts';
import { api } from './api/index.ts';
import { session, system } from './browser.ts';
import { followAccount, language } from './i18n/index.ts';
import { profileQuery } from './profile.ts';
import { queryClient } from './query.ts';
import type { StoredUser } from './session.ts';

/**
 * Loads the token's account and its access rights; called again whenever they have changed. Throws if user info fails
 * to load; if the menu fails to load, this is only logged: the app keeps its current menu, or has none.
 */
export async function loadAccess(): Promise<void> {
  const { token } = session;
  if (token === null) throw new Error('Nobody is signed in.');
  // The cached data belongs to another account.
  if (access.get() === null) queryClient.clear();
  const [profile, entries] = await Promise.all([
    queryClient.fetchQuery({ ...profileQuery, staleTime: 0 }),
    loadEntries(),
  ]);
  await followAccount(profile.locale);
  // The user signed out or in again in the meantime: the answer is about another account.
  if (session.token !== token) return;
  session.describe(storedUserOf(profile), idsOf(entries));
  access.set({ token, roles: routeRolesOf(system), entries });
}

async function loadEntries(): Promise<readonly PermissionEntry[]> {
  try {
    return await api.permissions.mine({ query: { en: language() === 'en' ? '1' : undefined } });
  } catch (error) {
    // oxlint-disable-next-line no-console -- only logged: the app continues
    console.error('The menu could not be loaded.', error);
    return access.get()?.entries ?? [];
  }
}

function storedUserOf({
  id,
  account,
  name,
  tenantId,
  tenantName,
  isTenantAdmin,
  locale,
  accountRole,
  flags,
}: Profile): StoredUser {
  return {
    id,
    account,
    name,
    tenantId,
    tenantName,
    isTenantAdmin,
    locale,
    kind: ACCOUNT_ROLES[accountRole].of,
    ...flags,
  };
}

function idsOf(entries: readonly PermissionEntry[]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap(({ type, code, id }) => (type === ENTRY_TYPES.permission && code !== null ? [[code, id]] : [])),
  );
}
