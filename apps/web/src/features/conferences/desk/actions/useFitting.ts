import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { fitting, type BarItem } from '../model/overflow.ts';

/** Distances in the bar, px; as in bar.css. */
const GAP = 6;
const GROUP_GAP = 17;

/** A control of the bar carries its key in `data-item`; the button of the menu is this one. */
export const MORE = 'more';

/**
 * The controls that fit into one row of the bar. All of them are rendered for measuring, before the browser paints;
 * they are measured again when the bar or a control in it changes its width.
 */
export function useFitting<I extends BarItem>(
  bar: RefObject<HTMLElement | null>,
  items: readonly I[],
  importance: readonly string[],
): { shown: readonly I[]; isMeasured: boolean } {
  const [result, setResult] = useState<{ of: string; shown: ReadonlySet<string> } | null>(null);
  const measured = useRef(new Map<Element, number>());
  const keys = items.map(({ key }) => key).join(' ');
  // Other controls than those measured: measure again.
  const shown = result?.of === keys ? result.shown : null;

  useLayoutEffect(() => {
    const element = bar.current;
    if (shown !== null || element === null) return;
    const widths = new Map<string, number>();
    for (const control of element.querySelectorAll<HTMLElement>('[data-item]'))
      widths.set(control.dataset['item'] ?? '', control.getBoundingClientRect().width);
    const { paddingLeft, paddingRight } = getComputedStyle(element);
    const space = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const sizes = { space, widths, more: widths.get(MORE) ?? 0, gap: GAP, groupGap: GROUP_GAP };
    const fits = fitting(items, importance, sizes).map(({ key }) => key);
    // oxlint-disable-next-line react/set-state-in-effect -- What fits is known only from the rendered controls.
    setResult({ of: keys, shown: new Set(fits) });
  }, [bar, keys, shown, items, importance]);

  useEffect(() => {
    const element = bar.current;
    if (shown === null || element === null) return undefined;
    const before = measured.current;
    const observer = new ResizeObserver(() => {
      const watched = [element, ...element.querySelectorAll('[data-item]')];
      const isSame = watched.every((each) => Math.abs((before.get(each) ?? 0) - widthOf(each)) < 1);
      if (!isSame) setResult(null);
    });
    before.clear();
    for (const each of [element, ...element.querySelectorAll('[data-item]')]) {
      before.set(each, widthOf(each));
      observer.observe(each);
    }
    return () => observer.disconnect();
  }, [bar, shown]);

  return { shown: shown === null ? items : items.filter(({ key }) => shown.has(key)), isMeasured: shown !== null };
}

function widthOf(element: Element): number {
  return element.getBoundingClientRect().width;
}
