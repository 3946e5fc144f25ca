import { useEffect, useRef, useState } from 'react';

/** Moves the focus to the first invalid field of a form, once it is rendered. */
export function useErrorFocus() {
  const root = useRef<HTMLFormElement>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) root.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [asked]);
  return { root, focusFirstError: () => setAsked((before) => before + 1) };
}
