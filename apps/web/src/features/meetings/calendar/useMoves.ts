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

/** A meeting as it is, at other times. */
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
    vip,
    startTime: new Date(start).toISOString(),
    duration: Math.round((end - start) / MINUTE),
    participants: participants.map((one) => (one.kind === 'user' ? { kind: 'user', userId: one.userId } : one)),
    roomIds: rooms.map(({ id }) => id),
    terminalIds: terminals.map(({ id }) => id),
    resourceId: resource?.id ?? null,
  } satisfies Required<MeetingBody>;
}

/** The times of a meeting whose end is moved, within what a meeting may last. */
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
 * Moves meetings to other times. Until the server has answered, a meeting is shown where it is to be (`pending`);
 * refused, it is back where it was. Of a series it is asked which of its meetings are to move.
 */
export function useMoves() {
  const t = useTexts('calendar');
  const meetings = useTexts('meetings');
  const client = useQueryClient();
  const [pending, setPending] = useState<ReadonlyMap<string, Interval>>(new Map());
  /** What takes the last move back, and its toast off; null when there is none, or it was taken back. */
  const last = useRef<{ undo: () => void; removeToast: () => void } | null>(null);
  const settle = (meetId: string) => setPending((now) => new Map([...now].filter(([id]) => id !== meetId)));
  const update = useMutation({
    mutationFn: ({ meeting, to, scope }: Move) =>
      api.meetings.update({
        params: { id: meeting.meetId },
        body: { ...bodyAt(meeting, to), version: meeting.version, scope },
      }),
    onError: (error) => {
      // The product's general sentences do not say what stands in the way; the server's does.
      if (error instanceof ApiError && error.httpStatus === 409 && error.message !== '')
        toast('error', () => error.message);
      else reportError(error);
    },
    meta: { quiet: true },
    // Also when it failed: what was shown may have been old.
    onSettled: (_saved, _error, { meeting }) =>
      client.invalidateQueries({ queryKey: ['meetings'] }).finally(() => settle(meeting.meetId)),
  });

  const show = (meetId: string, to: Interval) => setPending((now) => new Map(now).set(meetId, to));
  const send = (wish: Move, saved: (now: Meeting) => void) => {
    // What went before can be taken back no more.
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
      // Times that others of a series had of their own are not to be had back.
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
