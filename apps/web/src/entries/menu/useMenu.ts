import { USER_MANAGE_TYPES } from '@rmeet/contract';
import { useMemo } from 'react';
import { useAccess, usePermission, type Access } from '../../lib/access.ts';
import { session, system } from '../../lib/browser.ts';
import { firstPageOf, menuOf, routesOf, type MenuItem, type MenuRoute } from './menu.ts';

export const MY_MEETING = '/myMeeting';
export const FIXED_NUMBER = '/fixedMeetingNumber';

export interface Menu {
  items: readonly MenuItem[];
  routes: readonly MenuRoute[];
  /** The target of `/`; null if there is none. */
  home: string | null;
}

const NO_ACCESS: Pick<Access, 'entries' | 'roles'> = { entries: [], roles: [] };

/** The signed-in account's menu in this app, with the routes built from it. */
export function useMenu(): Menu {
  const { entries, roles } = useAccess() ?? NO_ACCESS;
  return useMemo(() => {
    const items = menuOf(entries, { system, roles });
    return { items, routes: routesOf(items), home: homeOf(items) };
  }, [entries, roles]);
}

function homeOf(items: readonly MenuItem[]): string | null {
  const first = firstPageOf(items) ?? null;
  if (system === 'admin') return first;
  // In the manage app, only tenant administrators may see all meetings of the tenant.
  return system === 'user' || session.user?.isTenantAdmin ? MY_MEETING : first;
}

/** Whether the account has a fixed meeting number; operators have no use for one. */
export function useFixedNumberShown(): boolean {
  return usePermission('sys:pmicode') && system !== 'admin';
}

/** Whether an account may enter the manage app: it administers its tenant, or has a permission for something there. */
export function mayManage({ entries }: Pick<Access, 'entries'>): boolean {
  return (
    session.user?.isTenantAdmin === true ||
    entries.some((entry) => entry.isAdmin === 0 && entry.userManageType === USER_MANAGE_TYPES.management)
  );
}
