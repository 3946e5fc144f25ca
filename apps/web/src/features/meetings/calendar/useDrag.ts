import type { Meeting } from '@rmeet/contract';
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type PointerEvent, type RefObject } from 'react';
import type { Interval } from '../../../lib/rooms/index.ts';
import { STEP, instantIn, snapped, type TimeRow } from './days.ts';
import { timesOf } from './layout.ts';
import { resizedTo } from './useMoves.ts';

/** Movement in pixels from which a click becomes a drag. */
const STILL = 5;
/** Distance from the edge at which dragging scrolls, and the scroll step; pixels. */
const EDGE = 36;
const SCROLL = 12;

interface Press {
  kind: 'move' | 'resize' | 'book';
  meeting: Meeting | null;
  x: number;
  y: number;
  /** The instant where it was pressed. */
  at: number;
  dragged: boolean;
}

/** The current drag: a meeting being moved or resized, or an interval being drawn. */
export interface Drag {
  meeting: Meeting | null;
  times: Interval;
}

interface DragOptions {
  grid: RefObject<HTMLElement | null>;
  rows: readonly TimeRow[];
  meetingOf: (meetId: string) => Meeting | undefined;
  canMove: (meeting: Meeting) => boolean;
  canBook: boolean;
  onMove: (meeting: Meeting, to: Interval) => void;
  onBook: (at: Interval) => void;
}

/** The times that result from a press when its pointer has reached an instant. */
function timesAt({ kind, meeting, at }: Press, now: number): Interval {
  if (kind === 'book' || meeting === null) {
    const [first, last] = at < now ? [at, now] : [now, at];
    return {
      start: Math.floor(first / STEP) * STEP,
      end: Math.max(Math.floor(first / STEP) * STEP + STEP, Math.ceil(last / STEP) * STEP),
    };
  }
  const times = timesOf(meeting);
  if (kind === 'resize') return resizedTo(times, snapped(now));
  // In quarters of an hour: a meeting that does not start at one snaps to the nearest.
  const start = snapped(times.start + now - at);
  return { start, end: start + times.end - times.start };
}

function scrollAtEdge(grid: HTMLElement | null, clientY: number): void {
  const scroller = grid?.parentElement;
  const box = scroller?.getBoundingClientRect();
  if (!scroller || !box) return;
  if (clientY > box.bottom - EDGE) scroller.scrollBy({ top: SCROLL });
  else if (clientY < box.top + 2 * EDGE) scroller.scrollBy({ top: -SCROLL });
}

/** Moves and resizes meetings of a time grid, and draws new ones, by mouse or pen. Touch scrolls. */
// oxlint-disable-next-line max-lines-per-function -- one gesture: its handlers belong together
export function useDrag({ grid, rows, meetingOf, canMove, canBook, onMove, onBook }: DragOptions) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const press = useRef<Press | null>(null);
  const justDragged = useRef(false);
  const down = useRef({ x: 0, y: 0 });

  const instantAt = ({ clientX, clientY }: { clientX: number; clientY: number }): number => {
    const columns = [...(grid.current?.querySelectorAll<HTMLElement>('[data-column]') ?? [])];
    const boxes = columns.map((column) => column.getBoundingClientRect());
    const found = boxes.findIndex(({ right }) => clientX < right);
    const day = found === -1 ? boxes.length - 1 : found;
    const box = boxes[day];
    return box ? instantIn(rows, day, ((clientY - box.top) / box.height) * rows.length) : 0;
  };

  const stop = () => {
    press.current = null;
    setDrag(null);
  };
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    stop();
  });
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return undefined;
    const listener = (event: KeyboardEvent) => onEscape(event);
    addEventListener('keydown', listener, true);
    return () => removeEventListener('keydown', listener, true);
  }, [isDragging]);

  return {
    drag,
    /** Whether the coming click is the end of a drag. */
    takeClick: (event: MouseEvent) => {
      const was = justDragged.current && event.detail > 0;
      justDragged.current = false;
      return was;
    },
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        justDragged.current = false;
        down.current = { x: event.clientX, y: event.clientY };
        if (event.button !== 0 || event.pointerType === 'touch') return;
        const target = event.target as HTMLElement;
        const meetId = target.closest<HTMLElement>('[data-meet]')?.dataset['meet'];
        const meeting = meetId === undefined ? null : (meetingOf(meetId) ?? null);
        if (meetId !== undefined && (meeting === null || !canMove(meeting))) return;
        if (meetId === undefined && (!canBook || target.closest('[data-column]') === null)) return;
        const kind = meeting === null ? 'book' : target.closest('.calendar-stretch') ? 'resize' : 'move';
        press.current = { kind, meeting, x: event.clientX, y: event.clientY, at: instantAt(event), dragged: false };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const { current } = press;
        if (!current) return;
        if (!current.dragged) {
          if (Math.hypot(event.clientX - current.x, event.clientY - current.y) < STILL) return;
          current.dragged = true;
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        scrollAtEdge(grid.current, event.clientY);
        setDrag({ meeting: current.meeting, times: timesAt(current, instantAt(event)) });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const { current } = press;
        // The end of a movement must not count as a click on the common parent element, even if nothing could be
        // dragged.
        justDragged.current = Math.hypot(event.clientX - down.current.x, event.clientY - down.current.y) >= STILL;
        if (current?.dragged) {
          justDragged.current = true;
          const times = timesAt(current, instantAt(event));
          if (current.meeting) onMove(current.meeting, times);
          else onBook(times);
        }
        stop();
      },
      onPointerCancel: stop,
    },
  };
}
