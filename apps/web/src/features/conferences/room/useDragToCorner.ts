import type { Corner } from '@rmeet/conference';
import { useRef, useState, type PointerEvent } from 'react';
import { cornerNear } from './model/corners.ts';

/** Pixels a pointer moves before a press becomes a drag. */
const SLACK = 4;

/** Lets the user drag a tile; when released, it goes to the nearest corner. Null `onCorner`: it stays where it is. */
export function useDragToCorner(onCorner: ((corner: Corner) => void) | null) {
  const start = useRef<{ x: number; y: number } | null>(null);
  const [offset, setOffset] = useState<{ x: number; y: number } | null>(null);
  if (onCorner === null) return { offset: null, handlers: {} };
  const down = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest('button') !== null)) return;
    start.current = { x: event.clientX, y: event.clientY };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (start.current === null) return;
    const moved = { x: clientX - start.current.x, y: clientY - start.current.y };
    if (offset !== null || Math.hypot(moved.x, moved.y) > SLACK) setOffset(moved);
  };
  const up = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    if (offset !== null && currentTarget.parentElement !== null) {
      const [tile, stage] = [currentTarget, currentTarget.parentElement].map((each) => each.getBoundingClientRect());
      if (tile && stage) onCorner(cornerNear(centreIn(tile, stage)));
    }
    cancel();
  };
  const cancel = () => {
    start.current = null;
    setOffset(null);
  };
  return {
    offset,
    handlers: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: cancel },
  };
}

function centreIn(tile: DOMRect, stage: DOMRect): { x: number; y: number } {
  return {
    x: (tile.left + tile.width / 2 - stage.left) / stage.width,
    y: (tile.top + tile.height / 2 - stage.top) / stage.height,
  };
}
