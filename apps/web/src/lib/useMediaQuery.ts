import { useEffect, useState } from 'react';

/** The user prefers reduced motion. */
export const STILL = '(prefers-reduced-motion: reduce)';

/** A phone in portrait: one column, and controls for a thumb. */
export const PHONE = '(max-width: 600px)';

/** Whether a media query matches. */
export function useMediaQuery(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = () => setHolds(list.matches);
    update();
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return holds;
}
