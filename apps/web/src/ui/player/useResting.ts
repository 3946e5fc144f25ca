import { useEffect, useState, type RefObject } from 'react';

/** Ms without the pointer and the keys. */
const RESTS_AFTER = 3_000;
/** A menu that is open; of selects only newer browsers say so. */
const OPEN = ['[aria-expanded="true"]', ...(CSS.supports('selector(select:open)') ? ['select:open'] : [])].join(', ');

/** Whether neither the pointer nor a key was used for a while on an element; never while one of its menus is open. */
export function useResting(element: RefObject<HTMLElement | null>, isWatched: boolean): boolean {
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!isWatched || target === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      if (target.querySelector(OPEN) === null) setResting(true);
      else wake();
    };
    const wake = () => {
      clearTimeout(timer);
      setResting(false);
      timer = setTimeout(rest, RESTS_AFTER);
    };
    wake();
    const events = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;
    for (const name of events) target.addEventListener(name, wake);
    return () => {
      clearTimeout(timer);
      setResting(false);
      for (const name of events) target.removeEventListener(name, wake);
    };
  }, [element, isWatched]);
  return isResting;
}
