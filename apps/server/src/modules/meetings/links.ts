import { hasConference } from './status.ts';
import type { MeetingRow } from './tables.ts';

interface Links {
  config: { url: string; watchUrl: string };
  guestUrl: string;
}

/** Links of a number under the address the browser sees. The last parameter says whether the link only watches. */
export function linksOf(origin: string, number: string, password: string): Links {
  const query = new URLSearchParams({ number });
  if (password !== '') query.set('pwd', password);
  const guestUrl = `${origin}/#/join?${query.toString()}`;
  return { config: { url: `${guestUrl}&watch=0`, watchUrl: `${guestUrl}&watch=1` }, guestUrl };
}

/** Links of a meeting; empty for a local one, which people come to in its room. */
export function meetingLinks(origin: string, meeting: Pick<MeetingRow, 'type' | 'number'>, password: string): Links {
  return hasConference(meeting) ? linksOf(origin, meeting.number, password) : { config: { url: '', watchUrl: '' }, guestUrl: '' };
}
