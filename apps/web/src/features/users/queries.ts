import { pathOf, users, type User } from '@rmeet/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { findRow } from '../../lib/findRow.ts';
import { language } from '../../lib/i18n/index.ts';
import type { UserListState } from './listShape.ts';

const KEY = 'users';

/** Operators name the tenant in each call; other users always get their own. */
export const ofTenant = (tenant: string) => (tenant === '' ? {} : { tenantId: tenant });

export function filterOf({ tenant, keyword, department, status, role, sort, order }: UserListState) {
  return {
    ...ofTenant(tenant),
    keyword,
    department,
    sort,
    order,
    ...withoutEmpty({ status, roleId: role }),
    ...(language() === 'en' ? { en: '1' } : {}),
  };
}

/** One page of the list. The previous page stays until the next one has arrived. */
export function useUserList(state: UserListState, enabled: boolean) {
  return useQuery({
    queryKey: [KEY, 'list', state, language()],
    queryFn: () => api.users.list({ query: { ...filterOf(state), current: state.current, size: state.size } }),
    // Never shows another tenant's rows under this tenant's name.
    placeholderData: (before, query) =>
      (query?.queryKey[2] as UserListState | undefined)?.tenant === state.tenant ? keepPreviousData(before) : undefined,
    enabled,
    meta: { quiet: 'unloaded' },
  });
}

/** URL of the file with the whole list. */
export function exportPath(state: UserListState, format: 'xlsx' | 'csv' = 'xlsx'): string {
  return pathOf(users.export, { query: { ...filterOf(state), format } });
}

/** A tenant's departments, with the number of users in each. */
export function useDepartments(tenant: string, enabled: boolean) {
  return useQuery({
    queryKey: [KEY, 'departments', tenant],
    queryFn: () => api.users.departments({ query: ofTenant(tenant) }),
    staleTime: 60_000,
    enabled,
    meta: { quiet: 'unloaded' },
  });
}

/** The current grants of a user. */
export function useGrants(tenant: string, id: string) {
  return useQuery({
    queryKey: [KEY, 'grants', tenant, id],
    queryFn: () => api.users.grants({ params: { id }, query: ofTenant(tenant) }),
  });
}

/** The permissions that can be granted to a tenant's users in addition to roles. */
export function usePermissionOptions(tenant: string, enabled = true) {
  return useQuery({
    queryKey: [KEY, 'permission-options', tenant],
    queryFn: () => api.permissions.options({ query: ofTenant(tenant) }),
    staleTime: 60_000,
    enabled,
  });
}

export function useRefreshUsers(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

/** The current version of a user; there is no call for a single one. */
export async function findUser(
  tenant: string,
  { id, account }: Pick<User, 'id' | 'account'>,
): Promise<User | undefined> {
  return findRow(
    (paging) => api.users.list({ query: { ...ofTenant(tenant), keyword: account, sort: 'account', ...paging } }),
    id,
  );
}

/** All calls that change users of one tenant. */
export function userCalls(tenant: string) {
  const of = ofTenant(tenant);
  return {
    create: (body: Omit<Parameters<typeof api.users.create>[0]['body'], 'tenantId'>) =>
      api.users.create({ body: { ...body, ...of } }),
    update: (body: Omit<Parameters<typeof api.users.update>[0]['body'], 'tenantId'>) =>
      api.users.update({ body: { ...body, ...of } }),
    /** Grants exactly these roles and additional permissions; null leaves the permissions unchanged. */
    setGrants: async (id: string, roleIds: readonly string[], permissionIds: readonly string[] | null) => {
      const besides = permissionIds ?? (await api.users.grants({ params: { id }, query: of })).permissionIds;
      await api.users.setGrants({
        params: { id },
        body: { roleIds: [...roleIds], permissionIds: [...besides], ...of },
      });
    },
    setEnabled: (ids: string[], enabled: boolean) => api.users.status({ body: { ids, enabled, ...of } }),
    resetPassword: (id: string) => api.users.resetPassword({ body: { id, ...of } }),
    endSessions: (ids: string[]) => api.users.endSessions({ body: { ids, ...of } }),
  };
}

export function useRemoveUser(tenant: string) {
  const refresh = useRefreshUsers();
  return useMutation({
    mutationFn: (id: string) => api.users.remove({ query: { id, ...ofTenant(tenant) } }),
    onSettled: refresh,
  });
}

/** Removes the second factors of a user. */
export function useResetFactors(tenant: string) {
  const refresh = useRefreshUsers();
  return useMutation({
    mutationFn: (id: string) => api.multiauth.reset({ body: { id, ...ofTenant(tenant) } }),
    onSettled: refresh,
  });
}

/** Its caller shows errors: a name that is taken is asked for again. */
export function useRestoreUser(tenant: string) {
  const refresh = useRefreshUsers();
  return useMutation({
    meta: { quiet: true },
    mutationFn: ({ id, account }: { id: string; account?: string }) =>
      api.users.restore({ body: { id, ...(account === undefined ? {} : { account }), ...ofTenant(tenant) } }),
    onSettled: refresh,
  });
}

export function usePurgeUser(tenant: string) {
  const refresh = useRefreshUsers();
  return useMutation({
    mutationFn: (id: string) => api.users.purge({ body: { id, ...ofTenant(tenant) } }),
    onSettled: refresh,
  });
}

/** Sends an invitation, or withdraws it. */
export function useInvitation(tenant: string) {
  const refresh = useRefreshUsers();
  return useMutation({
    mutationFn: ({ id, isWithdrawn }: { id: string; isWithdrawn: boolean }) => {
      const body = { id, ...ofTenant(tenant) };
      return isWithdrawn ? api.users.revokeInvitation({ body }) : api.users.invite({ body });
    },
    onSettled: refresh,
  });
}
