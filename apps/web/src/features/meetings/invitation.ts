import type { Meeting } from '@rmeet/contract';
import { invitationLink } from '../../lib/invitationLink.ts';
import { isEntered, isOutsideStream } from './booking/draft.ts';
import { formatDuration, formatNumber, formatTime, zoneOf, type MeetingTexts } from './format.ts';
import { roomWords } from './rooms/roomNames.ts';

/** Whether there is something to invite people to: a way to join or to watch, or the room of a local meeting. */
export function mayInvite(meeting: Pick<Meeting, 'type' | 'config' | 'status' | 'approval' | 'can'>): boolean {
  const { status, approval, can } = meeting;
  return can.join || (!isEntered(meeting) && status !== 'OFFLINE' && (approval === 'none' || approval === 'approved'));
}

/**
 * The invitation text, one fact per line. A local meeting takes place in its rooms, so the text has no number and no
 * link; the broadcast of an outside stream can only be watched.
 */
export function invitationText(meeting: Meeting, t: MeetingTexts): string {
  const { host, subject, startTime, duration, rooms } = meeting;
  const time = { time: formatTime(startTime), zone: zoneOf(startTime), duration: formatDuration(duration) };
  if (isOutsideStream(meeting))
    return [
      t('invitation.watch.greeting', { host: host.name }),
      t('invitation.watch.subject', { subject }),
      t('invitation.watch.time', time),
      t('invitation.watch.link', { link: invitationLink(meeting) }),
    ].join('\n');
  return [
    t('invitation.greeting', { host: host.name }),
    t('invitation.subject', { subject }),
    t('invitation.time', time),
    ...rooms.map((room) => t('invitation.room', { room: roomWords(room, t) })),
    ...(isEntered(meeting) ? waysIn(meeting, t) : []),
  ].join('\n');
}

function waysIn(meeting: Meeting, t: MeetingTexts): string[] {
  const { numericId, password, waitingRoom } = meeting;
  return [
    t('invitation.number', { number: formatNumber(numericId) }),
    ...(password === '' ? [] : [t('invitation.password', { password })]),
    ...(waitingRoom ? [t('invitation.waiting')] : []),
    t('invitation.link', { link: invitationLink(meeting) }),
    ...(meeting.e2ee ? [t('encryption.invitation', { host: meeting.host.name })] : []),
  ];
}
