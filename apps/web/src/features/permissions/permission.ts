import { ENTRY_TYPES, type ManagedEntry } from '@rmeet/contract';

/** A permission in the form; its place in the tree is changed on the menus page. */
export type PermissionDraft = Pick<ManagedEntry, 'name' | 'nameEn' | 'isAdmin'> & { code: string };

export const NEW_PERMISSION: PermissionDraft = { code: '', name: '', nameEn: '', isAdmin: 0 };

export function draftOf({ code, name, nameEn, isAdmin }: ManagedEntry): PermissionDraft {
  return { code: code ?? '', name, nameEn, isAdmin };
}

const CODE = /^[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9]+$/;

/** Keys of messages in `permissions:invalid`, by field. */
export function faultsOf({ code, name }: PermissionDraft): { code?: 'codeMissing' | 'code'; name?: 'name' } {
  return {
    ...(code.trim() === ''
      ? { code: 'codeMissing' as const }
      : CODE.test(code.trim())
        ? {}
        : { code: 'code' as const }),
    ...(name.trim() === '' ? { name: 'name' as const } : {}),
  };
}

/** The request body that changes `entry`; all other fields stay unchanged. */
export function changeOf(entry: ManagedEntry, { code, ...draft }: PermissionDraft) {
  const { id, pid, hidden, userManageType } = entry;
  // Its parent does not fit the other system.
  return { id, pid: draft.isAdmin === entry.isAdmin ? pid : null, hidden, userManageType, ...draft, code: code.trim() };
}

export function creationOf({ code, ...draft }: PermissionDraft) {
  return { type: ENTRY_TYPES.permission, ...draft, code: code.trim() };
}
