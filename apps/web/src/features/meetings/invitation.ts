import type { Meeting } from '@rmeet/contract';
import { invitationLink } from '../../lib/invitationLink.ts';
import { hasConference } from './booking/draft.ts';
import { formatDuration, formatNumber, formatTime, zoneOf, type MeetingTexts } from './format.ts';
import { roomWords } from './rooms/roomNames.ts';

/** Whether there is something to invite people to: a way to join, or the room of a local meeting. */
export function mayInvite({
  type,
  status,
  approval,
  can,
}: Pick<Meeting, 'type' | 'status' | 'approval' | 'can'>): boolean {
  return can.join || (!hasConference(type) && status !== 'OFFLINE' && (approval === 'none' || approval === 'approved'));
}

/**
 * The invitation text, one fact per line. A local meeting takes place in its rooms, so the text has no number and no
 * link.
 */
export function invitationText(meeting: Meeting, t: MeetingTexts): string {
  const { host, subject, startTime, duration, rooms } = meeting;
  return [
    t('invitation.greeting', { host: host.name }),
    t('invitation.subject', { subject }),
    t('invitation.time', { time: formatTime(startTime), zone: zoneOf(startTime), duration: formatDuration(duration) }),
    ...rooms.map((room) => t('invitation.room', { room: roomWords(room, t) })),
    ...(hasConference(meeting.type) ? waysIn(meeting, t) : []),
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
