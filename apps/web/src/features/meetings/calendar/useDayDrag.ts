import type { Meeting } from '@rmeet/contract';
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent, type PointerEvent } from 'react';

/** Movement in pixels from which a click becomes a drag. */
const STILL = 5;

interface DayDragOptions {
  meetingOf: (meetId: string) => Meeting | undefined;
  canMove: (meeting: Meeting) => boolean;
  /** Called when dropped on a different day. */
  onDrop: (meeting: Meeting, from: string, to: string) => void;
}

/** Drags meetings of a month from day to day, by mouse or pen. Touch scrolls. */
export function useDayDrag({ meetingOf, canMove, onDrop }: DayDragOptions) {
  /** The dragged meeting and the day it is over; null while nothing is dragged. */
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
    /** Whether the coming click is the end of a drag. */
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
