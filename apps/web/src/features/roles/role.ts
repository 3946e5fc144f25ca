import type { ManagedEntry, Role } from '@rmeet/contract';
import { treeOf, type TreeNode } from '../../lib/tree.ts';

/** A role in the form. */
export type RoleDraft = Pick<Role, 'name' | 'nameEn' | 'description' | 'kind' | 'isDefault' | 'permissionIds'>;

export const NEW_ROLE: RoleDraft = {
  name: '',
  nameEn: '',
  description: '',
  kind: 'user',
  isDefault: false,
  permissionIds: [],
};

export function draftOf({ name, nameEn, description, kind, isDefault, permissionIds }: Role): RoleDraft {
  // In a fixed order, so that the same choice is the same draft.
  return { name, nameEn, description, kind, isDefault, permissionIds: [...permissionIds].sort() };
}

/** An entry that can be chosen for a kind of account, with its ancestors to show its position. */
export interface GrantNode {
  entry: ManagedEntry;
  isGrantable: boolean;
  children: GrantNode[];
}

function fits(entry: ManagedEntry, kind: Role['kind']): boolean {
  // A menu that requires a code is visible to accounts with the code; there is nothing to grant.
  return entry.grantableTo.includes(kind) && (entry.type === 2 || entry.code === null);
}

/** The tree of entries that fit a kind of account and the keyword (part of a name or code). */
export function grantTree(entries: readonly ManagedEntry[], kind: Role['kind'], keyword = ''): GrantNode[] {
  const wanted = keyword.trim().toLowerCase();
  const matches = ({ name, nameEn, code }: ManagedEntry) =>
    wanted === '' || [name, nameEn, code ?? ''].some((text) => text.toLowerCase().includes(wanted));
  const visit = (nodes: readonly TreeNode<ManagedEntry>[], aboveMatches: boolean): GrantNode[] =>
    nodes.flatMap(({ entry, children: below }) => {
      const isHit = aboveMatches || matches(entry);
      const isGrantable = fits(entry, kind);
      const children = visit(below, isHit && wanted !== '');
      return children.length > 0 || (isGrantable && isHit) ? [{ entry, isGrantable, children }] : [];
    });
  return visit(treeOf(entries), false);
}

/** Ids of all grantable entries in a tree. */
export function grantableIds(nodes: readonly GrantNode[]): string[] {
  return nodes.flatMap(({ entry, isGrantable, children }) => [
    ...(isGrantable ? [entry.id] : []),
    ...grantableIds(children),
  ]);
}

/** The choice after entries were checked or unchecked, in the order that drafts use. */
export function choose(chosen: readonly string[], ids: readonly string[], checked: boolean): string[] {
  const next = new Set(chosen);
  for (const id of ids) {
    if (checked) next.add(id);
    else next.delete(id);
  }
  return [...next].sort();
}
