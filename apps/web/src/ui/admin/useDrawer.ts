import { useState } from 'react';

/**
 * What a drawer beside a list shows, with a number that changes at each opening. The content stays during the closing
 * animation.
 */
export function useDrawer<T>() {
  const [last, setLast] = useState<{ value: T; opening: number } | null>(null);
  const [open, setOpen] = useState(false);
  return {
    last,
    open,
    show: (value: T) => {
      setLast((before) => ({ value, opening: (before?.opening ?? 0) + 1 }));
      setOpen(true);
    },
    hide: () => setOpen(false),
  };
}
