import { useEffect, useState, type RefObject } from 'react';

/** Lists up to this long are drawn whole: nothing to gain, and a search of the page finds everybody. */
const WHOLE = 40;
/**
 * Rows drawn beyond what is in sight, and the steps in which the window moves, so that not every pixel of scrolling
 * draws.
 */
const BEYOND = 4;
const STEP = 4;

/** Which rows of a scrolling list are drawn: from `first` up to and without `end`. `height`: of one row, px. */
export function useWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): { first: number; end: number } {
  const [shown, setShown] = useState({ top: 0, rows: 30 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = () => {
      const top = Math.floor(element.scrollTop / height / STEP) * STEP;
      const rows = Math.ceil(element.clientHeight / height);
      setShown((before) => (before.top === top && before.rows === rows ? before : { top, rows }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, height]);
  if (count <= WHOLE) return { first: 0, end: count };
  return {
    first: Math.max(0, Math.min(shown.top, count) - BEYOND),
    end: Math.min(count, shown.top + shown.rows + BEYOND + STEP),
  };
}
