import { useEffect, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { cornerOf, DRAG_FROM, placeAt, storedPlace, storePlace, type Area } from './place.ts';

/** One press of an arrow key moves the button this far, px. */
const STEP = 24;
const STEPS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const areaNow = (): Area => ({ width: innerWidth, height: innerHeight });

interface Press {
  pointer: number;
  /** From the pointer to the button's corner, px. */
  dx: number;
  dy: number;
  from: { x: number; y: number };
}

/** Moves the button by pointer and by arrow keys, and keeps its place in this browser. */
export function useDrag(onDrag: () => void) {
  const [place, setPlace] = useState(() => storedPlace(localStorage));
  const [area, setArea] = useState(areaNow);
  const [press, setPress] = useState<Press | null>(null);
  const [isDragging, setDragging] = useState(false);
  const corner = cornerOf(place, area);

  useEffect(() => {
    const follow = () => setArea(areaNow());
    window.addEventListener('resize', follow);
    return () => window.removeEventListener('resize', follow);
  }, []);

  const end = () => {
    if (isDragging) storePlace(localStorage, place);
    setPress(null);
  };

  return {
    corner,
    isDragging,
    /** Whether the click that ends a press was the end of a drag. Call it once in the handler of clicks. */
    takeDrag: (): boolean => {
      setDragging(false);
      return isDragging;
    },
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(false);
        setPress({
          pointer: event.pointerId,
          dx: corner.left - event.clientX,
          dy: corner.top - event.clientY,
          from: { x: event.clientX, y: event.clientY },
        });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (press === null || event.pointerId !== press.pointer) return;
        const moved = Math.hypot(event.clientX - press.from.x, event.clientY - press.from.y);
        if (!isDragging && moved < DRAG_FROM) return;
        setDragging(true);
        onDrag();
        setPlace(placeAt({ left: event.clientX + press.dx, top: event.clientY + press.dy }, area));
      },
      onPointerUp: end,
      onPointerCancel: () => {
        end();
        // No click follows.
        setDragging(false);
      },
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        const [dx, dy] = STEPS[event.key] ?? [0, 0];
        if (dx === 0 && dy === 0) return;
        event.preventDefault();
        const next = placeAt({ left: corner.left + dx, top: corner.top + dy }, area);
        setPlace(next);
        storePlace(localStorage, next);
      },
    },
  };
}
