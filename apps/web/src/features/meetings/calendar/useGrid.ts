import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Meeting } from '@rmeet/contract';
import { currentStop, nextStop, stopKey, type Stop } from './stops.ts';
import type { CalendarBoard } from './useBoard.ts';

interface GridOptions {
  grid: RefObject<HTMLElement | null>;
  /** The keyboard stops of each day. */
  columns: readonly (readonly Stop[])[];
  /** The initial keyboard stop. */
  first: Stop;
  /** Number of days side by side. */
  across: number;
  board: CalendarBoard;
  meetingOf: (meetId: string) => Meeting | undefined;
}

/** Keyboard navigation in a calendar's grid: one stop is reachable by Tab, arrow keys move from it. */
// oxlint-disable-next-line max-lines-per-function -- one keyboard: its keys belong together
export function useGrid({ grid, columns, first, across, board, meetingOf }: GridOptions) {
  const [wanted, setWanted] = useState(first);
  const current = currentStop(columns, wanted);
  const { mode, moves, step } = board;
  const wantsFocus = useRef(false);

  const focusCurrent = () => {
    const key = current && stopKey(current);
    grid.current?.querySelector<HTMLElement>(`[data-stop="${key}"]`)?.focus();
  };
  const movingId = mode.moving?.meeting.meetId;
  useEffect(() => {
    // A moved meeting is rendered again in another day, and must keep the focus.
    if (movingId !== undefined) grid.current?.querySelector<HTMLElement>(`[data-meet="${movingId}"]`)?.focus();
    else if (wantsFocus.current) {
      wantsFocus.current = false;
      focusCurrent();
    }
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const meetId = (event.target as HTMLElement).dataset['meet'];
    const meeting = meetId === undefined ? undefined : meetingOf(meetId);
    if ((event.ctrlKey || event.metaKey) && event.key === 'z') {
      event.preventDefault();
      moves.undo();
    } else if (!event.ctrlKey && !event.altKey && !event.metaKey && current) onPlainKey(event, current, meeting);
  };
  const onPlainKey = (event: KeyboardEvent, at: Stop, meeting: Meeting | undefined) => {
    const take = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (mode.moving) {
      wantsFocus.current = true;
      if (mode.onKey(event.key, event.shiftKey)) take();
      return;
    }
    if (event.key.toLowerCase() === 'm' && meeting) {
      take();
      if (board.canMove(meeting)) mode.begin(meeting);
      else mode.refuse(meeting.subject);
      return;
    }
    if (event.key === 'PageUp' || event.key === 'PageDown') {
      take();
      wantsFocus.current = true;
      const by = event.key === 'PageUp' ? -1 : 1;
      setWanted({ ...at, day: step(by) });
      return;
    }
    const next = nextStop(columns, at, event.key, across);
    if (!next) return;
    take();
    wantsFocus.current = true;
    setWanted(next);
  };
  return {
    current,
    isCurrent: (stop: Stop) => current !== undefined && stopKey(stop) === stopKey(current),
    setCurrent: setWanted,
    onKeyDown,
    /** Leaving the grid ends moving. */
    onBlur: (event: { relatedTarget: Element | null; currentTarget: Element }) => {
      if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) mode.cancel();
    },
  };
}
