/** A node of a tree built from a flat list. */
export interface TreeNode<Entry> {
  entry: Entry;
  children: TreeNode<Entry>[];
}

/**
 * Builds a forest from the flat list; siblings keep the list's order. An entry whose parent is not in the list becomes
 * a root.
 */
export function treeOf<Entry extends { id: string; pid: string | null }>(entries: readonly Entry[]): TreeNode<Entry>[] {
  const nodes = new Map(entries.map((entry) => [entry.id, { entry, children: [] as TreeNode<Entry>[] }]));
  const top: TreeNode<Entry>[] = [];
  for (const node of nodes.values()) {
    const parent = node.entry.pid === null ? undefined : nodes.get(node.entry.pid);
    (parent?.children ?? top).push(node);
  }
  return top;
}

/** The branches that contain a matching entry, with their ancestors; other siblings are left out. */
export function filterTree<Entry>(
  nodes: readonly TreeNode<Entry>[],
  passes: (entry: Entry) => boolean,
): TreeNode<Entry>[] {
  return nodes.flatMap((node) => {
    const children = filterTree(node.children, passes);
    return children.length > 0 || passes(node.entry) ? [{ entry: node.entry, children }] : [];
  });
}
