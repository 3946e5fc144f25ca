import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { PHONE, useMediaQuery } from '../../../../lib/useMediaQuery.ts';
import { useDesk, useRights, useRows, useView, type Desk } from '../context.ts';
import { groupsOf, type ListView, type RowGroup } from '../model/listView.ts';
import type { TerminalRow } from '../model/rows.ts';
import { useT } from '../texts.tsx';
import { GroupHeading } from './GroupHeading.tsx';
import { ListHead } from './ListHead.tsx';
import { NobodyShown } from './NobodyShown.tsx';
import { TerminalRowView } from './TerminalRowView.tsx';
import { useWindow } from './useWindow.ts';

/** Row heights, as in desk.css. */
const ROW_HEIGHT = 44;
const TALL_ROW_HEIGHT = 60;
const PHONE_ROW_HEIGHT = 64;

type Line = { kind: 'heading'; key: string; group: RowGroup } | { kind: 'row'; key: string; row: TerminalRow };

function linesOf(groups: readonly RowGroup[], isGrouped: boolean): Line[] {
  return groups.flatMap((group): Line[] => [
    ...(isGrouped ? [{ kind: 'heading' as const, key: `group ${group.key}`, group }] : []),
    ...group.rows.map((row): Line => ({ kind: 'row', key: row.termId, row })),
  ]);
}

/** All terminals that the view shows, one row each. */
export function TerminalList() {
  const rows = useRows();
  const list = useView((view) => view.list);
  const groups = useMemo(() => groupsOf(rows ?? [], list), [rows, list]);
  if (rows === null) return null;
  return groups.every((group) => group.rows.length === 0) ? (
    <NobodyShown isEmpty={rows.length === 0} />
  ) : (
    <Grid groups={groups} list={list} />
  );
}

/** Only rows in or near the visible area are rendered. */
// oxlint-disable-next-line max-lines-per-function -- Window, focus and selection share one list.
const Grid = memo(function Grid({ groups, list }: { groups: readonly RowGroup[]; list: ListView }) {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  const selection = useView((view) => view.selection);
  const [focused, setFocused] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const isWall = useMediaQuery('(min-width: 2400px)');
  const isPhone = useMediaQuery(PHONE);
  const height = isPhone ? PHONE_ROW_HEIGHT : isWall ? TALL_ROW_HEIGHT : ROW_HEIGHT;

  const lines = useMemo(() => linesOf(groups, list.grouping !== 'none'), [groups, list.grouping]);
  const shown = useMemo(() => groups.flatMap((group) => group.rows.map(({ termId }) => termId)), [groups]);
  const { first, end } = useWindow(scroller, lines.length, height);
  const isOrdered = list.sorting === 'order' && list.grouping === 'none' && list.filter === 'all' && list.search === '';
  const mayMove = isOrdered && rights.may('sort') && rights.cannot('sort') === null;
  const current = focused !== null && shown.includes(focused) ? focused : (shown[0] ?? null);

  useEffect(() => {
    desk.showing(shown);
  }, [desk, shown]);

  const goTo = (termId: string | undefined, extend: boolean) => {
    if (termId === undefined) return;
    setFocused(termId);
    if (extend) {
      if (selection.anchor === null && current !== null) desk.pick(current, 'only');
      desk.pick(termId, 'range');
    }
    scrollToLine(scroller.current, lines.findIndex((line) => line.key === termId) * height, height);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-term="${termId}"]`)?.focus());
  };
  const keys = (event: KeyboardEvent) => {
    if (current !== null && event.target instanceof HTMLElement && event.target.getAttribute('role') === 'row')
      handleRowKey(event, event.target, { desk, shown, current, mayMove, goTo });
  };

  return (
    <div
      className="desk-list"
      role="grid"
      aria-label={t('list.title')}
      aria-multiselectable="true"
      aria-rowcount={lines.length + 1}
      data-testid="desk-list"
    >
      <ListHead shown={shown} selected={selection.ids} />
      <div ref={scroller} className="desk-list-scroll" role="rowgroup" onKeyDown={keys}>
        <div className="desk-list-space" role="presentation" style={{ height: lines.length * height }}>
          {lines.slice(first, end).map((line, offset) => {
            const at = first + offset;
            const top = at * height;
            if (line.kind === 'heading')
              return <GroupHeading key={line.key} group={line.group} top={top} index={at + 2} />;
            const { row } = line;
            return (
              <TerminalRowView
                key={line.key}
                row={row}
                top={top}
                index={at + 2}
                rights={rights}
                selected={selection.ids.has(row.termId)}
                tabbable={row.termId === current}
                movable={mayMove}
                onFocus={setFocused}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
});

/** Scrolls a row into view, with one more row below it. */
function scrollToLine(scroller: HTMLElement | null, top: number, height: number): void {
  if (scroller === null) return;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (top + height * 2 > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = top + height * 2 - scroller.clientHeight;
}

interface RowKeyContext {
  desk: Desk;
  shown: readonly string[];
  /** termId of the row that has the focus. */
  current: string;
  mayMove: boolean;
  goTo: (termId: string | undefined, extend: boolean) => void;
}

/** Keys of a row: arrows, Home and End move the focus, with Alt the terminal; Space selects; Enter opens the menu. */
function handleRowKey(event: KeyboardEvent, row: HTMLElement, context: RowKeyContext): void {
  const { desk, shown, current, goTo } = context;
  const isSelectAll = event.key === 'a' && (event.ctrlKey || event.metaKey);
  const actions: Record<string, () => void> = {
    ArrowDown: () => step(event, 1, context),
    ArrowUp: () => step(event, -1, context),
    Home: () => goTo(shown[0], event.shiftKey),
    End: () => goTo(shown.at(-1), event.shiftKey),
    ' ': () => desk.pick(current, 'toggle'),
    Enter: () => openMenu(row),
    ContextMenu: () => openMenu(row),
    ...(isSelectAll ? { a: () => desk.view.set({ selection: { ids: new Set(shown), anchor: current } }) } : {}),
  };
  const action = actions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function step(event: KeyboardEvent, by: 1 | -1, { desk, shown, current, mayMove, goTo }: RowKeyContext): void {
  const at = shown.indexOf(current);
  const neighbour = shown[at + by];
  if (!event.altKey) goTo(neighbour, event.shiftKey);
  else if (mayMove && neighbour !== undefined) desk.move(current, by === 1 ? (shown[at + 2] ?? null) : neighbour);
}

function openMenu(row: HTMLElement): void {
  row.querySelector<HTMLElement>('[data-menu]')?.click();
}
