import type { MeetingParticipantRow } from '../meetings/tables.ts';
import type { NoticeRow } from './tables.ts';

/** The recipient of a notice: an account of the tenant, an outside mail address, or a telephone number. */
export type Recipient = Pick<NoticeRow, 'accountId' | 'email' | 'phone' | 'name'>;

/** A key of the recipient, which does not depend on the spelling of the address. */
export function keyOf({ accountId, email, phone }: Omit<Recipient, 'name'>): string {
  if (accountId !== null) return `account ${accountId}`;
  return email === null ? `phone ${phone}` : `mail ${email.toLowerCase()}`;
}

export function recipientOf({ accountId, email, phone, name }: MeetingParticipantRow): Recipient {
  return { accountId, email, phone, name: name ?? '' };
}

/** Only the recipient's fields of a row. */
export function recipientIn({ accountId, email, phone, name }: Recipient): Recipient {
  return { accountId, email, phone, name };
}

/** Enough of an address or number to recognize it for those who know it. */
export function masked(contact: string): string {
  const at = contact.lastIndexOf('@');
  if (at > 0) return `${contact.slice(0, 1)}***${contact.slice(at)}`;
  return contact.length > 5 ? `${contact.slice(0, 2)}***${contact.slice(-2)}` : '***';
}
