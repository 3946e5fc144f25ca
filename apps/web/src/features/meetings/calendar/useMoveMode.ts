import type { Meeting } from '@rmeet/contract';
import { useState } from 'react';
import type { Interval } from '../../../lib/rooms/index.ts';
import { ownZone } from '../../../lib/rooms/index.ts';
import { STEP, shiftInstant } from './days.ts';
import { timesOf } from './layout.ts';
import { resizedTo } from './useMoves.ts';
import type { CalendarWords } from './words.ts';

interface Moving {
  meeting: Meeting;
  times: Interval;
}

interface MoveModeOptions {
  words: CalendarWords;
  /** A month only has days: Up and Down move by weeks. */
  byDays: boolean;
  onMove: (meeting: Meeting, to: Interval) => void;
  /** The meeting was moved to other days: the calendar follows. */
  onFollow: (times: Interval) => void;
}

/**
 * Moving a meeting by keyboard: M starts, arrows move it, with Shift they change its duration, Enter confirms, Escape
 * cancels.
 */
export function useMoveMode({ words, byDays, onMove, onFollow }: MoveModeOptions) {
  const [moving, setMoving] = useState<Moving | null>(null);
  const [announced, setAnnounced] = useState('');
  const { t } = words;

  const to = (times: Interval) => {
    if (!moving) return;
    setMoving({ ...moving, times });
    setAnnounced(words.when(times));
    onFollow(times);
  };
  const shifted = (by: number, days: number): Interval => {
    const { start, end } = moving?.times ?? { start: 0, end: 0 };
    const from = shiftInstant(start, days, ownZone()) + by;
    return { start: from, end: from + end - start };
  };
  const resized = (by: number) => (moving ? resizedTo(moving.times, moving.times.end + by) : { start: 0, end: 0 });

  /** Returns whether the mode handled the key. */
  const onKey = (key: string, isShift: boolean): boolean => {
    if (!moving) return false;
    const week = 7;
    const acts: Record<string, () => void> = {
      ArrowUp: () => to(byDays ? shifted(0, -week) : isShift ? resized(-STEP) : shifted(-STEP, 0)),
      ArrowDown: () => to(byDays ? shifted(0, week) : isShift ? resized(STEP) : shifted(STEP, 0)),
      ArrowLeft: () => to(shifted(0, -1)),
      ArrowRight: () => to(shifted(0, 1)),
      Enter: () => {
        const isElsewhere =
          moving.times.start !== timesOf(moving.meeting).start || moving.times.end !== timesOf(moving.meeting).end;
        setAnnounced(isElsewhere ? '' : t('move.unchanged'));
        setMoving(null);
        onMove(moving.meeting, moving.times);
      },
      Escape: () => cancel(),
    };
    const act = acts[key];
    act?.();
    return act !== undefined;
  };
  const begin = (meeting: Meeting) => {
    setMoving({ meeting, times: timesOf(meeting) });
    setAnnounced(t(byDays ? 'move.beginDays' : 'move.begin', { subject: meeting.subject }));
  };
  const cancel = () => {
    if (!moving) return;
    setMoving(null);
    setAnnounced(t('move.cancelled', { subject: moving.meeting.subject }));
    onFollow(timesOf(moving.meeting));
  };
  return {
    moving,
    announced,
    begin,
    cancel,
    onKey,
    refuse: (subject: string) => setAnnounced(t('move.refused', { subject })),
  };
}

export type MoveMode = ReturnType<typeof useMoveMode>;
