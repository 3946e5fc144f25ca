import { LIMITS, type Meeting, type MeetingBody, type SeriesScope } from '@rmeet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, ApiError, reportError } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import type { Interval } from '../../../lib/rooms/index.ts';
import { askScope } from '../series/askScope.ts';
import { MINUTE } from './days.ts';
import { timesOf } from './layout.ts';
import './texts.ts';

/** The request body that moves an unchanged meeting to other times. */
function bodyAt(meeting: Meeting, { start, end }: Interval): MeetingBody {
  const {
    subject,
    agenda,
    password,
    waitingRoom,
    timeZone,
    joinBeforeHost,
    muteOnEntry,
    template,
    e2ee,
    autoRecord,
    vip,
    participants,
    rooms,
    terminals,
    resource,
  } = meeting;
  return {
    subject,
    agenda,
    password,
    waitingRoom,
    timeZone,
    joinBeforeHost,
    muteOnEntry,
    template,
    e2ee,
    autoRecord,
    vip,
    startTime: new Date(start).toISOString(),
    duration: Math.round((end - start) / MINUTE),
    participants: participants.map((one) => (one.kind === 'user' ? { kind: 'user', userId: one.userId } : one)),
    roomIds: rooms.map(({ id }) => id),
    terminalIds: terminals.map(({ id }) => id),
    resourceId: resource?.id ?? null,
  } satisfies Required<MeetingBody>;
}

/** The times of a meeting whose end is moved, within the limits of a meeting's duration. */
export function resizedTo(times: Interval, end: number): Interval {
  const { durationMin, durationMax } = LIMITS;
  return {
    start: times.start,
    end: Math.min(times.start + durationMax * MINUTE, Math.max(times.start + durationMin * MINUTE, end)),
  };
}

interface Move {
  meeting: Meeting;
  to: Interval;
  scope: SeriesScope;
}

/**
 * Moves meetings to other times. Until the server has answered, a meeting is shown at its new time (`pending`); if
 * rejected, it returns to its old time. For a series, the user is asked which of its meetings to move.
 */
export function useMoves() {
  const t = useTexts('calendar');
  const meetings = useTexts('meetings');
  const client = useQueryClient();
  const [pending, setPending] = useState<ReadonlyMap<string, Interval>>(new Map());
  /** Undoes the last move, and removes its toast; null if there is none or it was undone. */
  const last = useRef<{ undo: () => void; removeToast: () => void } | null>(null);
  const settle = (meetId: string) => setPending((now) => new Map([...now].filter(([id]) => id !== meetId)));
  const update = useMutation({
    mutationFn: ({ meeting, to, scope }: Move) =>
      api.meetings.update({
        params: { id: meeting.meetId },
        body: { ...bodyAt(meeting, to), version: meeting.version, scope },
      }),
    onError: (error) => {
      // The product's general messages do not name the obstacle; the server's message does.
      if (error instanceof ApiError && error.httpStatus === 409 && error.message !== '')
        toast('error', () => error.message);
      else reportError(error);
    },
    meta: { quiet: true },
    // After a failure, too: the data shown may have been stale.
    onSettled: (_saved, _error, { meeting }) =>
      client.invalidateQueries({ queryKey: ['meetings'] }).finally(() => settle(meeting.meetId)),
  });

  const show = (meetId: string, to: Interval) => setPending((now) => new Map(now).set(meetId, to));
  const send = (wish: Move, saved: (now: Meeting) => void) => {
    // Earlier moves can no longer be undone.
    last.current?.removeToast();
    last.current = null;
    show(wish.meeting.meetId, wish.to);
    update.mutateAsync(wish).then(saved, () => undefined);
  };
  const move = async (meeting: Meeting, to: Interval) => {
    const before = timesOf(meeting);
    if (before.start === to.start && before.end === to.end) return;
    show(meeting.meetId, to);
    const scope = await askScope(meeting, 'move', meetings);
    if (scope === null) {
      settle(meeting.meetId);
      return;
    }
    send({ meeting, to, scope }, (now) => {
      // Individual times of other meetings in the series cannot be restored.
      if (scope !== 'one') {
        toast('success', () => t('moved.series', { subject: now.subject }));
        return;
      }
      const undo = () =>
        send({ meeting: now, to: before, scope }, ({ subject }) =>
          toast('success', () => t('moved.back', { subject })),
        );
      const removeToast = toast('success', () => t('moved.done', { subject: now.subject }), {
        label: () => t('moved.undo'),
        run: undo,
      });
      last.current = { undo, removeToast };
    });
  };
  return {
    pending,
    move: (meeting: Meeting, to: Interval) => void move(meeting, to),
    undo: () => last.current?.undo(),
  };
}

export type Moves = ReturnType<typeof useMoves>;
