import { ENTRY_TYPES, localName, type ManagedEntry, type Role } from '@rmeet/contract';
import { Tree } from 'antd';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { isOffered } from '../../lib/offered.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { choose, grantableIds, grantTree, type GrantNode } from './role.ts';

interface GrantsFieldProps {
  entries: { data: ManagedEntry[] | undefined; isPending: boolean; isError: boolean; refetch: () => unknown };
  kind: Role['kind'];
  chosen: readonly string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

interface Node {
  key: string;
  title: ReactNode;
  checkable: boolean;
  children: Node[];
  isLeaf: boolean;
}

/**
 * What a role grants: all entries that fit its kind of account, as a tree with checkboxes. Each entry is checked
 * separately.
 */
export function GrantsField({ entries, kind, chosen, error, onChange }: GrantsFieldProps) {
  const t = useTexts('roles');
  const id = useId();
  const [keyword, setKeyword] = useState('');
  const { data } = entries;
  // What was granted when the form opened stays in the tree once it is unticked.
  const [before] = useState(chosen);
  const offered = useMemo(() => (data ?? []).filter((entry) => isOffered(entry, before)), [data, before]);
  const tree = useMemo(() => grantTree(offered, kind, keyword), [offered, kind, keyword]);
  const nodes = useMemo(() => tree.map(nodeOf), [tree]);
  const ids = useMemo(() => grantableIds(tree), [tree]);

  return (
    <fieldset className="role-grants" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{t('form.permissionIds')}</legend>
      <div className="role-grants-bar">
        <SearchField keyword={keyword} onSearch={setKeyword} placeholder={t('grants.search')} testId="grants-search" />
        <Button kind="quiet" data-testid="grants-all" onClick={() => onChange(choose(chosen, ids, true))}>
          {t('grants.all')}
        </Button>
        <Button kind="quiet" data-testid="grants-none" onClick={() => onChange(choose(chosen, ids, false))}>
          {t('grants.clear')}
        </Button>
        <span role="status" data-testid="grants-count">
          {t('grants.count', { count: chosen.length })}
        </span>
      </div>
      {error !== undefined && (
        <p id={`${id}-error`} className="form-field-error" role="alert">
          {error}
        </p>
      )}
      <div className="role-grants-tree" data-testid="grants-tree">
        {entries.isPending && <Loading />}
        {entries.isError && !data && <ErrorState title={t('grants.failed')} retry={() => void entries.refetch()} />}
        {data && nodes.length === 0 && (
          <p className="role-grants-none">{t(keyword === '' ? 'grants.none' : 'grants.noMatch')}</p>
        )}
        {nodes.length > 0 && (
          <Tree<Node>
            // A new tree starts fully expanded; what the user collapses stays so until the tree changes.
            key={`${kind} ${keyword}`}
            aria-label={t('form.permissionIds')}
            treeData={nodes}
            checkable
            checkStrictly
            selectable={false}
            defaultExpandAll
            virtual={false}
            motion={false}
            checkedKeys={{ checked: [...chosen], halfChecked: [] }}
            onCheck={(_keys, { node, checked }) => onChange(choose(chosen, [node.key], checked))}
          />
        )}
      </div>
    </fieldset>
  );
}

function nodeOf({ entry, isGrantable, children }: GrantNode): Node {
  return {
    key: entry.id,
    title: <Title entry={entry} />,
    checkable: isGrantable,
    children: children.map(nodeOf),
    isLeaf: children.length === 0,
  };
}

function Title({ entry }: { entry: ManagedEntry }) {
  const t = useTexts('roles');
  const language = useLanguage();
  const isPermission = entry.type === ENTRY_TYPES.permission;
  return (
    <span className="role-grant">
      {localName(entry, language)}
      {isPermission && <code>{entry.code}</code>}
      {isPermission && !entry.inUse && <span className="role-grant-unused">{t('grants.unused')}</span>}
      {!isPermission && entry.code !== null && (
        <span className="role-grant-note">{t('grants.withCode', { code: entry.code })}</span>
      )}
    </span>
  );
}
