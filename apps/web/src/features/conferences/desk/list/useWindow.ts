import { useEffect, useState, type RefObject } from 'react';

/**
 * Lists up to this length are rendered completely: there is nothing to gain, and the browser's page search finds
 * everyone.
 */
const WHOLE = 40;
/**
 * Rows rendered beyond the visible area. The window moves in steps of the same size, so that scrolling does not render
 * at every pixel.
 */
const BEYOND = 4;
const STEP = 4;

/** Which rows of a scrolling list are rendered: from `first` up to but excluding `end`. `height`: of one row, px. */
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
