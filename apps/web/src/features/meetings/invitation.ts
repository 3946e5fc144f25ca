import type { Meeting } from '@rmeet/contract';
import { invitationLink } from '../../lib/invitationLink.ts';
import { formatDuration, formatNumber, formatTime, zoneOf, type MeetingTexts } from './format.ts';

/** What is sent to people to invite them, one fact per line. */
export function invitationText(meeting: Meeting, t: MeetingTexts): string {
  const { host, subject, startTime, duration, numericId, password, waitingRoom } = meeting;
  return [
    t('invitation.greeting', { host: host.name }),
    t('invitation.subject', { subject }),
    t('invitation.time', { time: formatTime(startTime), zone: zoneOf(startTime), duration: formatDuration(duration, t) }),
    t('invitation.number', { number: formatNumber(numericId) }),
    ...(password === '' ? [] : [t('invitation.password', { password })]),
    ...(waitingRoom ? [t('invitation.waiting')] : []),
    t('invitation.link', { link: invitationLink(meeting) }),
  ].join('\n');
}
