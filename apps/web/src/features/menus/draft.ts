import { ENTRY_TYPES, USER_MANAGE_TYPES, type ManagedEntry } from '@rmeet/contract';

/** An entry in the form. */
export type EntryDraft = Pick<
  ManagedEntry,
  | 'pid'
  | 'type'
  | 'name'
  | 'nameEn'
  | 'url'
  | 'redirect'
  | 'icon'
  | 'isAdmin'
  | 'component'
  | 'componentName'
  | 'hidden'
  | 'userManageType'
> & { code: string };

export function draftOf(entry: ManagedEntry): EntryDraft {
  const { pid, type, name, nameEn, url, redirect, icon, isAdmin, component, componentName, hidden, userManageType } =
    entry;
  return {
    pid,
    type,
    code: entry.code ?? '',
    name,
    nameEn,
    url,
    redirect,
    icon,
    isAdmin,
    component,
    componentName,
    hidden,
    userManageType,
  };
}

/**
 * Initial values of a new entry: with a parent, its system and group and a fitting type: a page under a menu, else a
 * permission.
 */
export function newDraft(parent: ManagedEntry | null): EntryDraft {
  return {
    pid: parent?.id ?? null,
    type: typeUnder(parent),
    code: '',
    name: '',
    nameEn: '',
    url: '',
    redirect: '',
    icon: '',
    isAdmin: parent?.isAdmin ?? 0,
    component: '',
    componentName: '',
    hidden: false,
    userManageType: parent?.userManageType ?? USER_MANAGE_TYPES.meeting,
  };
}

function typeUnder(parent: ManagedEntry | null): ManagedEntry['type'] {
  if (parent === null) return ENTRY_TYPES.menu;
  return parent.type === ENTRY_TYPES.menu ? ENTRY_TYPES.page : ENTRY_TYPES.permission;
}

/** The request body; the type is only sent for a new entry. For a permission, the menu fields are empty. */
export function bodyOf({ type, code, ...draft }: EntryDraft) {
  const body = { ...draft, code: code.trim() === '' ? null : code.trim() };
  return type === ENTRY_TYPES.permission
    ? { ...body, url: '', redirect: '', icon: '', component: '', componentName: '' }
    : body;
}

/** A URL outside the app (product document, section 5). */
export function isExternal(url: string): boolean {
  return /^(https?:|mailto:|tel:)/.test(url);
}

const CODE = /^[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9]+$/;

/** Keys of messages in `menus:invalid`, by field. */
export type EntryFaults = { name?: 'name'; url?: 'url'; code?: 'codeMissing' | 'code'; pid?: 'pid' };

export function faultsOf({
  type,
  name,
  url,
  code,
  pid,
}: Pick<EntryDraft, 'type' | 'name' | 'url' | 'code' | 'pid'>): EntryFaults {
  const faults: EntryFaults = {};
  if (name.trim() === '') faults.name = 'name';
  const address = url.trim();
  if (type !== ENTRY_TYPES.permission && address !== '' && !address.startsWith('/') && !isExternal(address))
    faults.url = 'url';
  if (type === ENTRY_TYPES.permission && code.trim() === '') faults.code = 'codeMissing';
  else if (code.trim() !== '' && !CODE.test(code.trim())) faults.code = 'code';
  if (type === ENTRY_TYPES.page && pid === null) faults.pid = 'pid';
  return faults;
}
