import { useEffect, useRef } from 'react';

/** If the focused element was replaced, moves the focus to its replacement. */
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
    // Other users act, too: do not take the focus if it is elsewhere.
    const isLost = document.activeElement === document.body && last.current?.isConnected === false;
    if (isLost) document.querySelector<HTMLElement>(`[data-testid="${testId}"]`)?.focus();
  }, [testId]);
}
