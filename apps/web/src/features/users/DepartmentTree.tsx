import type { DepartmentSize } from '@rmeet/contract';
import { Tree } from 'antd';
import { useMemo, useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { Button } from '../../ui/Button.tsx';
import { ancestorsOf, departmentTree, flatten, searchDepartments, type DepartmentNode } from './departments.ts';

interface DepartmentTreeProps {
  departments: readonly DepartmentSize[];
  /** The selected department; empty for all. */
  value: string;
  onChange: (department: string) => void;
}

/** Height in pixels. */
const HEIGHT = 480;

function drawName({ path, name, users }: DepartmentNode) {
  return (
    <span className="departments-entry" data-testid="department">
      <span className="departments-name" title={path}>
        {name}
      </span>
      <small>{users}</small>
    </span>
  );
}

/** Selects a department with all departments below it. The search expands its results. */
export function DepartmentTree({ departments, value, onChange }: DepartmentTreeProps) {
  const t = useTexts('users');
  const [keyword, setKeyword] = useState('');
  const tree = useMemo(() => departmentTree(departments), [departments]);
  const [opened, setOpened] = useState<readonly string[]>(() => ancestorsOf(value));
  const found = useMemo(() => searchDepartments(tree, keyword), [tree, keyword]);
  const all = useMemo(() => flatten(found), [found]);
  const keysOf = (nodes: readonly DepartmentNode[]) => nodes.map(({ key }) => key);

  return (
    <section className="departments" aria-label={t('departments.label')}>
      <SearchField
        keyword={keyword}
        onSearch={setKeyword}
        placeholder={t('departments.search')}
        testId="department-search"
      />
      <Button
        kind="quiet"
        className="departments-all"
        aria-pressed={value === ''}
        data-testid="department-all"
        onClick={() => onChange('')}
      >
        {t('departments.all')}
      </Button>
      {found.length === 0 ? (
        <p className="departments-none" role="status">
          {t('departments.none')}
        </p>
      ) : (
        <Tree<DepartmentNode>
          aria-label={t('departments.label')}
          blockNode
          height={HEIGHT}
          treeData={found}
          fieldNames={{ title: 'name' }}
          selectedKeys={keysOf(all.filter(({ path }) => path === value))}
          expandedKeys={keysOf(keyword === '' ? all.filter(({ path }) => opened.includes(path)) : all)}
          titleRender={drawName}
          onExpand={(_keys, { node: { path }, expanded }) =>
            setOpened((now) => (expanded ? [...now, path] : now.filter((one) => one !== path)))
          }
          // Selecting the selected department again shows all.
          onSelect={(_keys, { node, selected }) => onChange(selected ? node.path : '')}
        />
      )}
    </section>
  );
}
