import type { Meeting } from '@rmeet/contract';
import { invitationLink } from '../../lib/invitationLink.ts';
import { formatDuration, formatNumber, formatTime, zoneOf, type MeetingTexts } from './format.ts';
import { roomWords } from './rooms.ts';

/** What is sent to people to invite them, one fact per line. */
export function invitationText(meeting: Meeting, t: MeetingTexts): string {
  const { host, subject, startTime, duration, rooms, numericId, password, waitingRoom } = meeting;
  return [
    t('invitation.greeting', { host: host.name }),
    t('invitation.subject', { subject }),
    t('invitation.time', { time: formatTime(startTime), zone: zoneOf(startTime), duration: formatDuration(duration, t) }),
    ...rooms.map((room) => t('invitation.room', { room: roomWords(room, t) })),
    t('invitation.number', { number: formatNumber(numericId) }),
    ...(password === '' ? [] : [t('invitation.password', { password })]),
    ...(waitingRoom ? [t('invitation.waiting')] : []),
    t('invitation.link', { link: invitationLink(meeting) }),
  ].join('\n');
}
