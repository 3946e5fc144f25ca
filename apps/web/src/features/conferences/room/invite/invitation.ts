import { timeWords, type ConferenceState } from '@rmeet/contract';
import { invitationLink } from '../../../../lib/invitationLink.ts';
import { language } from '../../../../lib/i18n/index.ts';
import { grouped } from '../model/numbers.ts';
import type { T } from '../../texts.ts';

/** What an invitation says, as texts in the page's language. */
export interface InvitationFacts {
  subject: string;
  host: string;
  time: string;
  number: string;
  /** Empty if guests enter through the waiting room. */
  password: string;
  link: string;
  rooms: readonly string[];
  agenda: string;
  e2ee: boolean;
}

/** The facts of the meeting's invitation; null for terminals that may not see it. */
export function invitationFacts({
  invitation,
  subject,
  numericId,
  control,
}: Pick<ConferenceState, 'invitation' | 'subject' | 'numericId' | 'control'>): InvitationFacts | null {
  if (invitation === null) return null;
  const { hostName, password, rooms, agenda } = invitation;
  return {
    subject,
    host: hostName,
    time: timeWords(invitation, language()),
    number: grouped(numericId),
    password,
    link: invitationLink(invitation),
    rooms,
    agenda,
    e2ee: control.e2ee === true,
  };
}

/** The invitation to copy, one fact per line: everything that the mail says. */
export function invitationText({ rooms, agenda, e2ee, ...facts }: InvitationFacts, t: T): string {
  return [
    t('inviting.text.greeting', { host: facts.host }),
    '',
    t('inviting.text.subject', { subject: facts.subject }),
    t('inviting.text.time', { time: facts.time }),
    ...rooms.map((room) => t('inviting.text.room', { room })),
    t('inviting.text.number', { number: facts.number }),
    ...(facts.password === '' ? [] : [t('inviting.text.password', { password: facts.password })]),
    t('inviting.text.link', { link: facts.link }),
    ...(e2ee ? [t('encryption.inviteNote')] : []),
    ...(agenda === '' ? [] : ['', t('inviting.text.agenda'), agenda]),
  ].join('\n');
}
