/** A department in the tree, with what is below it. */
export interface DepartmentNode {
  /** Plain letters and digits, because antd makes the elements' ids of it. */
  key: string;
  /** Its path, levels parted by `/`. */
  path: string;
  /** Its own level's name. */
  name: string;
  children: DepartmentNode[];
}

/**
 * The tree of paths such as `Surgery/General`; levels without direct members are included, in the order of the paths.
 */
export function departmentTree(paths: readonly string[]): DepartmentNode[] {
  const top: DepartmentNode[] = [];
  const known = new Map<string, DepartmentNode>();
  for (const whole of paths) {
    let siblings = top;
    let path = '';
    for (const name of whole.split('/')) {
      path = path === '' ? name : `${path}/${name}`;
      let node = known.get(path);
      if (!node) {
        node = { key: `department-${known.size}`, path, name, children: [] };
        known.set(path, node);
        siblings.push(node);
      }
      siblings = node.children;
    }
  }
  return top;
}

/** The departments whose name contains the keyword, with their ancestors and all below them. */
export function searchDepartments(nodes: readonly DepartmentNode[], keyword: string): DepartmentNode[] {
  const wanted = keyword.trim().toLocaleLowerCase();
  if (wanted === '') return [...nodes];
  return nodes.flatMap((node) => {
    if (node.name.toLocaleLowerCase().includes(wanted)) return [node];
    const children = searchDepartments(node.children, keyword);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** All departments of a tree, those above before those below. */
export function flatten(nodes: readonly DepartmentNode[]): DepartmentNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}

/** The paths of the departments above one: `a` and `a/b` of `a/b/c`. */
export function ancestorsOf(path: string): string[] {
  const levels = path.split('/');
  return levels.slice(1).map((_, index) => levels.slice(0, index + 1).join('/'));
}
