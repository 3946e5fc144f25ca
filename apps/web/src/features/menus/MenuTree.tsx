import { ENTRY_TYPES, localName, type ManagedEntry } from '@rmeet/contract';
import { Tree, type TreeProps } from 'antd';
import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { treeOf, type TreeNode } from '../../lib/tree.ts';
import { Icon } from '../../ui/icons.tsx';
import { isIcon } from '../../ui/menu-icons.tsx';
import { isExternal } from './draft.ts';
import { dropAt, fitsUnder, isWithin, type Direction, type Place } from './moves.ts';

interface MenuTreeProps {
  entries: readonly ManagedEntry[];
  selected: string | null;
  onSelect: (id: string) => void;
  onStep: (direction: Direction) => void;
  onMove: (id: string, place: Place) => void;
  onOpen: (id: string) => void;
}

interface Node {
  key: string;
  title: ReactNode;
  entry: ManagedEntry;
  children: Node[];
  /** Hides the expand toggle. */
  isLeaf: boolean;
}

const STEPS: Partial<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

/** The entries as a tree. The tree's arrow keys move the selection; Alt with an arrow key moves the entry. */
export function MenuTree({ entries, selected, onSelect, onStep, onMove, onOpen }: MenuTreeProps) {
  const t = useTexts('menus');
  const nodes = useMemo(() => treeOf(entries).map(nodeOf), [entries]);
  // Menus start expanded; entries with only permissions below them start collapsed.
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set(nodes.flatMap(withPermissionsOnly)));

  const steer = (event: KeyboardEvent) => {
    const direction = event.altKey ? STEPS[event.key] : undefined;
    if (direction === undefined && event.key !== 'F2') return;
    // Prevents the tree's own key handling and the browser's Back.
    event.preventDefault();
    event.stopPropagation();
    if (direction !== undefined) onStep(direction);
    else if (selected !== null) onOpen(selected);
  };
  const drop: TreeProps<Node>['onDrop'] = ({ dragNode, node, dropPosition, dropToGap }) => {
    const before = dropPosition - Number(node.pos.split('-').at(-1)) === -1;
    const place = dropAt(entries, dragNode.key, node.key, dropToGap ? (before ? 'before' : 'after') : 'into');
    if (place) onMove(dragNode.key, place);
  };

  return (
    <div className="menu-tree" onKeyDownCapture={steer} data-testid="menu-tree">
      <Tree<Node>
        aria-label={t('tree')}
        treeData={nodes}
        blockNode
        virtual={false}
        motion={false}
        // By default, ancestors of every expanded entry would be expanded, even collapsed ones.
        defaultExpandParent={false}
        draggable={{ icon: false }}
        allowDrop={({ dragNode, dropNode, dropPosition }) =>
          fitsUnder(entries, dragNode.entry, dropPosition === 0 ? dropNode.entry.id : dropNode.entry.pid)
        }
        selectedKeys={selected === null ? [] : [selected]}
        activeKey={selected}
        // Leaving the tree makes no entry active; the selection stays.
        onActiveChange={(key) => {
          if (key !== null) onSelect(String(key));
        }}
        onSelect={(_keys, { node }) => onSelect(node.key)}
        onDoubleClick={(_event, node) => onOpen(node.key)}
        // The selected entry is visible wherever it was moved.
        expandedKeys={entries
          .map(({ id }) => id)
          .filter((id) => !closed.has(id) || (id !== selected && isWithin(entries, selected, id)))}
        onExpand={(_keys, { node, expanded }) => {
          if (!expanded && isWithin(entries, selected, node.key)) onSelect(node.key);
          setClosed((now) => {
            const next = new Set(now);
            if (expanded) next.delete(node.key);
            else next.add(node.key);
            return next;
          });
        }}
        onDrop={drop}
      />
    </div>
  );
}

function nodeOf({ entry, children }: TreeNode<ManagedEntry>): Node {
  return {
    key: entry.id,
    title: <Title entry={entry} />,
    entry,
    children: children.map(nodeOf),
    isLeaf: children.length === 0,
  };
}

function withPermissionsOnly({ key, children }: Node): string[] {
  const isOnly = children.length > 0 && children.every(({ entry }) => entry.type === ENTRY_TYPES.permission);
  return isOnly ? [key] : children.flatMap(withPermissionsOnly);
}

function Title({ entry }: { entry: ManagedEntry }) {
  const t = useTexts('menus');
  const language = useLanguage();
  const { type, icon, pid, isAdmin, builtIn, hidden, inUse, url, code } = entry;
  const isPermission = type === ENTRY_TYPES.permission;
  return (
    <span className="menu-node" data-hidden={hidden} data-testid="menu-node">
      {isIcon(icon) && <Icon name={icon} />}
      <span className="menu-node-name">{localName(entry, language)}</span>
      {isPermission && code !== null && <code>{code}</code>}
      {/* Children belong to the same system as their parent. */}
      {pid === null && isAdmin === 1 && <span className="menu-mark">{t('mark.platform')}</span>}
      {type !== ENTRY_TYPES.menu && <span className="menu-mark">{t(`type.${type}`)}</span>}
      {builtIn && <span className="menu-mark">{t('mark.builtIn')}</span>}
      {hidden && <span className="menu-mark menu-mark-warning">{t('mark.hidden')}</span>}
      {isPermission && !inUse && <span className="menu-mark menu-mark-warning">{t('mark.unused')}</span>}
      {isExternal(url) && <span className="menu-mark">{t('mark.external')}</span>}
    </span>
  );
}
