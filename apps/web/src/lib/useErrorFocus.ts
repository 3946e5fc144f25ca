import { useEffect, useRef, useState } from 'react';

/** A form whose first field that says what is wrong gets the focus, once it is drawn that way. */
export function useErrorFocus() {
  const root = useRef<HTMLFormElement>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [asked]);
  return { root, focusFirstError: () => setAsked((before) => before + 1) };
}
