import type { User } from '@rmeet/contract';
import { accountDraftOf, emptyAccount, type AccountDraft } from '../../ui/admin/account.ts';

/** A user in the form. */
export interface UserDraft extends AccountDraft {
  department: string;
  isTenantAdmin: boolean;
  /** Null if the default roles of a new user are unknown: the server then grants them. */
  roleIds: readonly string[] | null;
  /** Permissions granted in addition to the roles; null if unchanged. */
  permissionIds: readonly string[] | null;
  /** Invite a new user by mail instead of a first password. */
  invite: boolean;
}

export const newUser: UserDraft = {
  ...emptyAccount,
  department: '',
  isTenantAdmin: false,
  roleIds: null,
  permissionIds: null,
  invite: false,
};

export function draftOf(user: User): UserDraft {
  // Sorted, so that a different order is no change.
  const roleIds = user.roles.map(({ id }) => id).sort();
  return {
    ...accountDraftOf(user),
    department: user.department,
    isTenantAdmin: user.isTenantAdmin,
    roleIds,
    permissionIds: null,
    invite: false,
  };
}
