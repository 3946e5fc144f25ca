import type { Operator } from '@rmeet/contract';
import { accountDraftOf, emptyAccount, type AccountDraft } from '../../ui/admin/account.ts';

/** An operator in the form. */
export interface OperatorDraft extends AccountDraft {
  isSuperAdmin: boolean;
  roleIds: readonly string[];
}

export const newOperator: OperatorDraft = { ...emptyAccount, isSuperAdmin: false, roleIds: [] };

export function draftOf(operator: Operator): OperatorDraft {
  // Sorted, so that a different order is no change.
  return {
    ...accountDraftOf(operator),
    isSuperAdmin: operator.isSuperAdmin,
    roleIds: operator.roles.map(({ id }) => id).sort(),
  };
}
