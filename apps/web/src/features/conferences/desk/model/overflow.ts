/** A control of a bar; controls of the same group stand closer together. */
export interface BarItem {
  key: string;
  group: string;
}

/** What the bar looks like, in px: `widths` of each control by key. */
export interface BarSizes {
  space: number;
  widths: ReadonlyMap<string, number>;
  /** Width of the button that opens the menu with all other controls. */
  more: number;
  gap: number;
  groupGap: number;
}

/** The width of these controls in one row. */
function rowWidth(items: readonly BarItem[], { widths, gap, groupGap }: BarSizes): number {
  return items.reduce((sum, { key, group }, at) => {
    const before = items[at - 1];
    const space = before === undefined ? 0 : before.group === group ? gap : groupGap;
    return sum + space + (widths.get(key) ?? 0);
  }, 0);
}

/**
 * The controls that fit into one row, in the order of `items`; the others belong into the menu. Controls leave the row
 * by importance, so that a less important one never stays while a more important one is gone.
 */
export function fitting<I extends BarItem>(
  items: readonly I[],
  importance: readonly string[],
  sizes: BarSizes,
): readonly I[] {
  if (rowWidth(items, sizes) <= sizes.space) return items;
  const space = sizes.space - sizes.more - sizes.groupGap;
  let shown: readonly I[] = [];
  for (const wanted of importance) {
    const next = items.filter((item) => item.key === wanted || shown.includes(item));
    if (rowWidth(next, sizes) > space) break;
    shown = next;
  }
  return shown;
}
