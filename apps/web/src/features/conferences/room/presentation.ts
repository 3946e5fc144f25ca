import type { Layout, LayoutCell } from '@rmeet/conference';
import { useEffect, useState } from 'react';

/** Maximum time the old pictures stay while a new one has no frame yet; ms. */
const PATIENCE = 2_000;
/** How long a picture stays decoded after it has left the screen, so that switching back is immediate; ms. */
const LINGER = 3_000;
/** Maximum number of lingering pictures: each is still being decoded. */
const MOST_LINGERING = 4;

type Picture = Pick<LayoutCell, 'key' | 'x' | 'y' | 'width' | 'height'>;
/** An invisible picture has a position, but no area or seat of the layout. */
type Unseen = Picture & { area?: undefined; seat?: undefined };

const isLarge = ({ area }: LayoutCell): boolean => area === 'stage' || area === 'seat' || area === 'window';
const overlap = (a: Picture, b: Picture): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Keys of pictures that a layout shows in the place of other pictures, and that must have a frame first. */
export function awaitedKeys(shown: Pick<Layout, 'cells'>, target: Pick<Layout, 'cells'>): string[] {
  const known = new Set(shown.cells.map(({ key }) => key));
  return target.cells.flatMap((cell) =>
    isLarge(cell) && !known.has(cell.key) && shown.cells.some((old) => overlap(old, cell)) ? [cell.key] : [],
  );
}

/** Large pictures that one layout contains and the next one does not. */
export function leavingCells(shown: Pick<Layout, 'cells'>, target: Pick<Layout, 'cells'>): LayoutCell[] {
  const kept = new Set(target.cells.map(({ key }) => key));
  return shown.cells.filter((cell) => isLarge(cell) && !kept.has(cell.key)).slice(0, MOST_LINGERING);
}

interface Presentation {
  /** What is on the screen. */
  shown: Layout;
  /** Pictures decoded invisibly in their place: those that come next, and those that have just left. */
  unseen: readonly Unseen[];
}

/**
 * The layout on the screen: the new one once all its new pictures have a frame, the old one until then.
 * @param target null before there is a screen
 * @param lacksFrame whether a picture must be waited for: it has video, but no frame yet
 */
export function usePresentation(target: Layout | null, lacksFrame: (key: string) => boolean): Presentation | null {
  const [shown, setShown] = useState(target);
  const [overdue, setOverdue] = useState(false);
  const [lingering, setLingering] = useState<readonly LayoutCell[]>([]);
  const isPending = shown !== null && target !== null && !overdue && awaitedKeys(shown, target).some(lacksFrame);
  if (!isPending && shown !== target) {
    if (shown !== null && target !== null) {
      const gone = leavingCells(shown, target);
      if (gone.length > 0) setLingering(gone);
    }
    setShown(target);
  }
  // The timeout starts again once the screen has caught up.
  if (!isPending && overdue && shown === target) setOverdue(false);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setOverdue(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isPending]);
  useEffect(() => {
    if (lingering.length === 0) return undefined;
    const timer = setTimeout(() => setLingering([]), LINGER);
    return () => clearTimeout(timer);
  }, [lingering]);

  if (shown === null || target === null) return null;
  return { shown, unseen: unseenOf(shown, [...lingering, ...target.warm, ...target.cells]) };
}

function unseenOf(shown: Layout, pictures: readonly Picture[]): Unseen[] {
  const seen = new Set(shown.cells.map(({ key }) => key));
  const unseen = new Map<string, Unseen>();
  for (const { key, x, y, width, height } of pictures)
    if (!seen.has(key)) unseen.set(key, { key, x, y, width, height });
  return [...unseen.values()];
}
