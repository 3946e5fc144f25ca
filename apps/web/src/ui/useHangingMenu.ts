import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type PointerEvent } from 'react';

/**
 * A menu that opens on hover and by its button, and closes by Escape, when the focus leaves it, or a touch outside.
 * `root` is around button and menu, with the `events`; `toggle` is the button.
 */
export function useHangingMenu() {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  /** Hovered by the mouse, which has opened it: a click must not close it then. */
  const hovered = useRef(false);
  // A touch outside closes it, because touch has no hover.
  useEffect(() => {
    if (!open) return undefined;
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);

  const hover = ({ pointerType }: PointerEvent, isOver: boolean) => {
    if (pointerType !== 'mouse') return;
    hovered.current = isOver;
    setOpen(isOver);
  };
  return {
    open,
    setOpen,
    root,
    toggle,
    onToggle: () => setOpen((was) => hovered.current || !was),
    events: {
      onPointerEnter: (event: PointerEvent) => hover(event, true),
      onPointerLeave: (event: PointerEvent) => hover(event, false),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (relatedTarget !== null && !root.current?.contains(relatedTarget)) setOpen(false);
      },
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key !== 'Escape' || !open) return;
        setOpen(false);
        toggle.current?.focus();
      },
    },
  };
}
