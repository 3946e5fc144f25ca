import type { Meeting } from '@rmeet/contract';
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type PointerEvent } from 'react';

/** Pixels a pointer may move before a click is a drag. */
const STILL = 5;

interface DayDragOptions {
  meetingOf: (meetId: string) => Meeting | undefined;
  canMove: (meeting: Meeting) => boolean;
  /** Dropped on another day than it was taken from. */
  onDrop: (meeting: Meeting, from: string, to: string) => void;
}

/** Drags meetings of a month from day to day, by mouse or pen. Fingers scroll. */
export function useDayDrag({ meetingOf, canMove, onDrop }: DayDragOptions) {
  /** The day a meeting is over now; null while nothing is dragged. */
  const [over, setOver] = useState<{ meeting: Meeting; day: string } | null>(null);
  const press = useRef<{ meeting: Meeting; day: string; x: number; y: number; dragged: boolean } | null>(null);
  const justDragged = useRef(false);

  const dayAt = ({ clientX, clientY }: PointerEvent) =>
    document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-day]')?.dataset['day'] ?? null;
  const stop = () => {
    press.current = null;
    setOver(null);
  };
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') stop();
  });
  const isDragging = over !== null;
  useEffect(() => {
    if (!isDragging) return undefined;
    const listener = (event: KeyboardEvent) => onEscape(event);
    addEventListener('keydown', listener, true);
    return () => removeEventListener('keydown', listener, true);
  }, [isDragging]);

  return {
    over,
    /** Whether the click that comes now is the end of a drag. */
    takeClick: (event: MouseEvent) => {
      const was = justDragged.current && event.detail > 0;
      justDragged.current = false;
      return was;
    },
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        justDragged.current = false;
        const meetId = (event.target as HTMLElement).closest<HTMLElement>('[data-meet]')?.dataset['meet'];
        const meeting = meetId === undefined ? undefined : meetingOf(meetId);
        const day = dayAt(event);
        if (event.button !== 0 || event.pointerType === 'touch' || !meeting || day === null || !canMove(meeting))
          return;
        press.current = { meeting, day, x: event.clientX, y: event.clientY, dragged: false };
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const { current } = press;
        if (!current) return;
        if (!current.dragged && Math.hypot(event.clientX - current.x, event.clientY - current.y) < STILL) return;
        if (!current.dragged) event.currentTarget.setPointerCapture(event.pointerId);
        current.dragged = true;
        setOver({ meeting: current.meeting, day: dayAt(event) ?? current.day });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        const { current } = press;
        const to = dayAt(event);
        if (current?.dragged) {
          justDragged.current = true;
          if (to !== null && to !== current.day) onDrop(current.meeting, current.day, to);
        }
        stop();
      },
      onPointerCancel: stop,
    },
  };
}
