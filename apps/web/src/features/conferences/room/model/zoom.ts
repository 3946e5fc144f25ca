/** How a picture is enlarged: its scale, and where its top left corner is, in sizes of the space that shows it. */
export interface Zoom {
  scale: number;
  x: number;
  y: number;
}

export const WHOLE: Zoom = { scale: 1, x: 0, y: 0 };
const MOST = 8;
/** One press of a button or key. */
export const STEP = 1.4;

/** The picture never leaves its space uncovered. */
function within({ scale, x, y }: Zoom): Zoom {
  const clamp = (at: number): number => Math.min(0, Math.max(1 - scale, at));
  return { scale, x: clamp(x), y: clamp(y) };
}

/** Enlarges around a point, which stays where it is; in fractions of the space, its centre if not given. */
export function zoomBy(zoom: Zoom, factor: number, at: { x: number; y: number } = { x: 0.5, y: 0.5 }): Zoom {
  const scale = Math.min(MOST, Math.max(1, zoom.scale * factor));
  const grown = scale / zoom.scale;
  return within({ scale, x: at.x - (at.x - zoom.x) * grown, y: at.y - (at.y - zoom.y) * grown });
}

/** Moves the picture, in fractions of the space. */
export function moveBy(zoom: Zoom, x: number, y: number): Zoom {
  return within({ scale: zoom.scale, x: zoom.x + x, y: zoom.y + y });
}

/** What a key does to the picture; null for other keys. */
export function zoomOfKey(zoom: Zoom, key: string): Zoom | null {
  const step = 0.15;
  switch (key) {
    case '+':
    case '=':
      return zoomBy(zoom, STEP);
    case '-':
      return zoomBy(zoom, 1 / STEP);
    case '0':
      return WHOLE;
    case 'ArrowLeft':
      return moveBy(zoom, step, 0);
    case 'ArrowRight':
      return moveBy(zoom, -step, 0);
    case 'ArrowUp':
      return moveBy(zoom, 0, step);
    case 'ArrowDown':
      return moveBy(zoom, 0, -step);
    default:
      return null;
  }
}
