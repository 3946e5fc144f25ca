import type { Locale } from '@rmeet/contract';
import { hasConference } from '../status.ts';
import type { MeetingRow } from '../tables.ts';

interface Links {
  config: { url: string; watchUrl: string };
  guestUrl: string;
}

const NO_LINKS: Links = { config: { url: '', watchUrl: '' }, guestUrl: '' };

/** Used in a mail instead of a link while the server does not know its own address. */
const NO_ADDRESS: Record<Locale, string> = {
  zh: '无链接，因为管理员尚未设置本系统的访问地址（RMEET_PUBLIC_URL）。请打开您平时使用的地址。',
  en:
    'no link, because the operator has not set the address of this ' +
    'server (RMEET_PUBLIC_URL). Open the address you usually use.',
};

/** Follows the link of an end-to-end encrypted meeting in mails and messages. */
export const KEY_NOTE: Record<Locale, (host: string) => string> = {
  zh: (host) => `此会议已端到端加密，入会需要密钥。密钥不在此消息中，请向主持人${host}索取。`,
  en: (host) =>
    `This meeting is end-to-end encrypted. You need its key, which is not in this message: ask ${host} for it.`,
};

/**
 * A link for a mail: under the configured address only, never one from a request; otherwise the reason why there is
 * none.
 */
export function mailedLink(publicUrl: string | null, locale: Locale, linkUnder: (origin: string) => string): string {
  return publicUrl === null ? NO_ADDRESS[locale] : linkUnder(publicUrl);
}

/** Links of a number under the address the browser sees. The last parameter says whether the link only watches. */
export function linksOf(origin: string, number: string, password: string): Links {
  const query = new URLSearchParams({ number });
  if (password !== '') query.set('pwd', password);
  const guestUrl = `${origin}/#/join?${query.toString()}`;
  return { config: { url: `${guestUrl}&watch=0`, watchUrl: `${guestUrl}&watch=1` }, guestUrl };
}

/** The page on which viewers watch a live meeting; its broadcast has the id of the meeting. */
export const watchLink = (origin: string, meetingId: string): string => `${origin}/#/live/${meetingId}`;

/**
 * Links of a meeting; empty for a local one, which has no conference. Guests of a live meeting watch it; its host and
 * those invited enter the conference, unless it is the broadcast of an outside stream.
 */
export function meetingLinks(
  origin: string,
  meeting: Pick<MeetingRow, 'id' | 'type' | 'number' | 'hasConference'>,
  password: string,
): Links {
  const entry = hasConference(meeting) ? linksOf(origin, meeting.number, password) : NO_LINKS;
  if (meeting.type !== 'LIVE_MEETING') return entry;
  const watchUrl = watchLink(origin, meeting.id);
  return { config: { url: entry.config.url, watchUrl }, guestUrl: watchUrl };
}
