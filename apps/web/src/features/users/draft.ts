import type { User } from '@rmeet/contract';
import { accountDraftOf, emptyAccount, type AccountDraft } from '../../ui/admin/account.ts';

/** A user in the form. */
export interface UserDraft extends AccountDraft {
  department: string;
  isTenantAdmin: boolean;
  /** Null while the roles every new user gets are not known: the server grants them then. */
  roleIds: readonly string[] | null;
  /** Permissions granted besides the roles; null while they stay as they are. */
  permissionIds: readonly string[] | null;
}

export const newUser: UserDraft = {
  ...emptyAccount,
  department: '',
  isTenantAdmin: false,
  roleIds: null,
  permissionIds: null,
};

export function draftOf(user: User): UserDraft {
  // Sorted, so that the order they come in is no difference.
  const roleIds = user.roles.map(({ id }) => id).sort();
  return {
    ...accountDraftOf(user),
    department: user.department,
    isTenantAdmin: user.isTenantAdmin,
    roleIds,
    permissionIds: null,
  };
}
