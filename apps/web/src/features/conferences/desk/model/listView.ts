import type { TerminalRow } from './rows.ts';

export const FILTERS = [
  'all',
  'handUp',
  'muted',
  'open',
  'badQuality',
  'late',
  'cameraOff',
  'guests',
  'chairs',
] as const;
export type Filter = (typeof FILTERS)[number];
export const GROUPINGS = ['none', 'department', 'role', 'quality'] as const;
export type Grouping = (typeof GROUPINGS)[number];
export const SORTINGS = ['order', 'hand', 'name', 'quality'] as const;
export type Sorting = (typeof SORTINGS)[number];

/** How the list shows the terminals; it does not affect the conference. */
export interface ListView {
  search: string;
  filter: Filter;
  grouping: Grouping;
  sorting: Sorting;
}

export const WHOLE_LIST: ListView = { search: '', filter: 'all', grouping: 'none', sorting: 'order' };

/** A heading and its rows; without grouping there is one group with key ''. */
export interface RowGroup {
  key: string;
  rows: readonly TerminalRow[];
}

const tests: Record<Filter, (row: TerminalRow) => boolean> = {
  all: () => true,
  handUp: ({ handRaisedAt }) => handRaisedAt !== null,
  muted: ({ muted, microphone }) => muted || microphone === false,
  open: ({ muted, microphone }) => !muted && microphone !== false,
  badQuality: ({ quality, cause }) => quality === 'poor' || quality === 'lost' || cause !== null,
  late: ({ late, failed }) => late || failed !== null,
  cameraOff: ({ cameraOff, camera }) => cameraOff || camera === false,
  guests: ({ role }) => role === 'guest',
  chairs: ({ chair, coChair, role }) => chair || coChair || role === 'host',
};

/** The number of rows that match each filter, shown beside it. */
export function countsOf(rows: readonly TerminalRow[]): Record<Filter, number> {
  return Object.fromEntries(FILTERS.map((filter) => [filter, rows.filter(tests[filter]).length])) as Record<
    Filter,
    number
  >;
}

const QUALITY_RANK = { lost: 0, poor: 1, unknown: 2, good: 3 } as const;

const sortings: Record<Exclude<Sorting, 'order'>, (a: TerminalRow, b: TerminalRow) => number> = {
  hand: (a, b) => raisedAt(a) - raisedAt(b),
  name: (a, b) => a.name.localeCompare(b.name),
  quality: (a, b) => QUALITY_RANK[a.quality] - QUALITY_RANK[b.quality] || (b.loss ?? 0) - (a.loss ?? 0),
};

/** Milliseconds; a lowered hand sorts after all raised ones. */
function raisedAt({ handRaisedAt }: TerminalRow): number {
  return handRaisedAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(handRaisedAt);
}

/** The terminals a view shows, by group. The words of the search may occur anywhere in name, department or account. */
export function groupsOf(
  rows: readonly TerminalRow[],
  { search, filter, grouping, sorting }: ListView,
): readonly RowGroup[] {
  const words = search.trim().toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  const isWanted = (row: TerminalRow): boolean => {
    if (!tests[filter](row)) return false;
    const text = `${row.name} ${row.department} ${row.account ?? ''}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  };
  const shown = rows.filter(isWanted);
  const sorted = sorting === 'order' ? shown : shown.toSorted(sortings[sorting]);
  if (grouping === 'none') return [{ key: '', rows: sorted }];
  const groups = new Map<string, TerminalRow[]>();
  for (const row of sorted) {
    const key = keyOf(row, grouping);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups]
    .map(([key, members]) => ({ key, rows: members }))
    .toSorted((a, b) => rankOf(a.key, grouping) - rankOf(b.key, grouping) || a.key.localeCompare(b.key));
}

/** A department's name, or a key of the texts `list.roles` and `quality`. */
function keyOf(row: TerminalRow, grouping: Exclude<Grouping, 'none'>): string {
  if (grouping === 'department') return row.department;
  return grouping === 'quality' ? row.quality : roleOf(row);
}

const ROLES = ['chair', 'coChair', 'host', 'member', 'guest'] as const;
export type ShownRole = (typeof ROLES)[number];

/** The most significant role of a terminal. */
export function roleOf({ chair, coChair, role }: TerminalRow): ShownRole {
  if (chair) return 'chair';
  return coChair ? 'coChair' : role;
}

/** Terminals without a department sort last. */
function rankOf(key: string, grouping: Exclude<Grouping, 'none'>): number {
  if (grouping === 'department') return key === '' ? 1 : 0;
  return grouping === 'quality' ? QUALITY_RANK[key as keyof typeof QUALITY_RANK] : ROLES.indexOf(key as ShownRole);
}

/** The selected terminals, and the anchor of a range selection. */
export interface Selection {
  ids: ReadonlySet<string>;
  anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

/**
 * The selection after a click on a row: alone, `toggle` (Ctrl, or its checkbox), or `range` from the anchor (Shift).
 * `shown`: termIds in the order of the list.
 */
export function pick(
  { ids, anchor }: Selection,
  termId: string,
  how: 'only' | 'toggle' | 'range',
  shown: readonly string[],
): Selection {
  if (how === 'range' && anchor !== null && shown.includes(anchor)) {
    const [from, to] = [shown.indexOf(anchor), shown.indexOf(termId)].toSorted((a, b) => a - b) as [number, number];
    return { ids: new Set([...ids, ...shown.slice(from, to + 1)]), anchor };
  }
  if (how === 'only') return { ids: new Set([termId]), anchor: termId };
  const next = new Set(ids);
  if (!next.delete(termId)) next.add(termId);
  return { ids: next, anchor: termId };
}

/** The selection without terminals that have left; the same object if none has left. */
export function keepPresent(selection: Selection, rows: readonly TerminalRow[]): Selection {
  if (selection.ids.size === 0) return selection;
  const here = new Set(rows.map(({ termId }) => termId));
  const ids = [...selection.ids].filter((id) => here.has(id));
  return ids.length === selection.ids.size ? selection : { ...selection, ids: new Set(ids) };
}

/** All termIds in order after one was moved before another (to the end if `before` is null). */
export function moved(order: readonly string[], termId: string, before: string | null): string[] {
  const others = order.filter((each) => each !== termId);
  const at = before === null ? -1 : others.indexOf(before);
  return at === -1 ? [...others, termId] : others.toSpliced(at, 0, termId);
}
