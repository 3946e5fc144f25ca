import { expect, test } from 'vitest';
import { ancestorsOf, departmentTree, flatten, searchDepartments } from '../src/features/users/departments.ts';

const tree = departmentTree([
  { path: 'Surgery', users: 1 },
  { path: 'Surgery/General/Ward 1', users: 4 },
  { path: 'Surgery/Hand', users: 2 },
  { path: '护理部', users: 3 },
]);
const pathsOf = (nodes: Parameters<typeof flatten>[0]) => flatten(nodes).map(({ path }) => path);

test('paths become a tree, including levels without direct members', () => {
  expect(pathsOf(tree)).toEqual(['Surgery', 'Surgery/General', 'Surgery/General/Ward 1', 'Surgery/Hand', '护理部']);
  expect(new Set(flatten(tree).map(({ key }) => key)).size).toBe(5);
  expect(departmentTree([])).toEqual([]);
});

test('a department counts its own users and those of all below', () => {
  expect(flatten(tree).map(({ users }) => users)).toEqual([7, 4, 4, 2, 3]);
});

test('search finds a part of a name, with its ancestors and descendants', () => {
  expect(pathsOf(searchDepartments(tree, 'gener'))).toEqual(['Surgery', 'Surgery/General', 'Surgery/General/Ward 1']);
  expect(pathsOf(searchDepartments(tree, '理'))).toEqual(['护理部']);
  expect(pathsOf(searchDepartments(tree, 'nothing'))).toEqual([]);
  expect(searchDepartments(tree, ' ')).toEqual(tree);
});

test('ancestors of a path', () => {
  expect(ancestorsOf('a/b/c')).toEqual(['a', 'a/b']);
  expect(ancestorsOf('a')).toEqual([]);
});
