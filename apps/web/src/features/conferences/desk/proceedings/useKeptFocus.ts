import { useEffect, useRef } from 'react';

/** Where what had the focus is gone because something else is shown now, the focus goes to what takes its place. */
export function useKeptFocus(testId: string): void {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const look = () => {
      last.current = document.activeElement;
    };
    look();
    addEventListener('focusin', look);
    return () => removeEventListener('focusin', look);
  }, []);
  const before = useRef(testId);
  useEffect(() => {
    if (before.current === testId) return;
    before.current = testId;
    // Others act, too: whoever is busy elsewhere stays there.
    const isLost = document.activeElement === document.body && last.current?.isConnected === false;
    if (isLost) document.querySelector<HTMLElement>(`[data-testid="${testId}"]`)?.focus();
  }, [testId]);
}
