import type { Corner } from '@rmeet/conference';

type Point = Readonly<Record<'x' | 'y', number>>;

/** The corner next to a point, in fractions of the stage. */
export function cornerNear({ x, y }: Point): Corner {
  return `${y < 0.5 ? 'top' : 'bottom'}-${x < 0.5 ? 'left' : 'right'}`;
}

/** The corner that an arrow key leads to; null for other keys. */
export function cornerOfKey(corner: Corner, key: string): Corner | null {
  const [line, side] = corner.split('-') as ['top' | 'bottom', 'left' | 'right'];
  switch (key) {
    case 'ArrowUp':
      return `top-${side}`;
    case 'ArrowDown':
      return `bottom-${side}`;
    case 'ArrowLeft':
      return `${line}-left`;
    case 'ArrowRight':
      return `${line}-right`;
    default:
      return null;
  }
}
