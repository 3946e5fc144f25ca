import type { DepartmentSize } from '@rmeet/contract';

/** A department in the tree, with the departments below it. */
export interface DepartmentNode {
  /** Only ASCII letters and digits, because antd derives element ids from it. */
  key: string;
  /** Its path; levels are separated by `/`. */
  path: string;
  /** The name of its own level. */
  name: string;
  /** Number of users in it and in all departments below. */
  users: number;
  children: DepartmentNode[];
}

/**
 * The tree of paths such as `Surgery/General`; levels without direct members are included, in the order of the paths.
 */
export function departmentTree(departments: readonly DepartmentSize[]): DepartmentNode[] {
  const top: DepartmentNode[] = [];
  const known = new Map<string, DepartmentNode>();
  for (const { path: whole, users } of departments) {
    let siblings = top;
    let path = '';
    for (const name of whole.split('/')) {
      path = path === '' ? name : `${path}/${name}`;
      let node = known.get(path);
      if (!node) {
        node = { key: `department-${known.size}`, path, name, users: 0, children: [] };
        known.set(path, node);
        siblings.push(node);
      }
      node.users += users;
      siblings = node.children;
    }
  }
  return top;
}

/** The departments whose name contains the keyword, with their ancestors and descendants. */
export function searchDepartments(nodes: readonly DepartmentNode[], keyword: string): DepartmentNode[] {
  const wanted = keyword.trim().toLocaleLowerCase();
  if (wanted === '') return [...nodes];
  return nodes.flatMap((node) => {
    if (node.name.toLocaleLowerCase().includes(wanted)) return [node];
    const children = searchDepartments(node.children, keyword);
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** All departments of a tree, parents before children. */
export function flatten(nodes: readonly DepartmentNode[]): DepartmentNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}

/** The paths of a department's ancestors: `a` and `a/b` for `a/b/c`. */
export function ancestorsOf(path: string): string[] {
  const levels = path.split('/');
  return levels.slice(1).map((_, index) => levels.slice(0, index + 1).join('/'));
}
