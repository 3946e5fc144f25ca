import { linksOf, watchLink } from '../../meetings/index.ts';
import type { MeetingSnapshot } from '../changes/snapshot.ts';

type Linked = Pick<MeetingSnapshot, 'number' | 'isWatched' | 'meetingId'>;

/** Whether notices of a meeting have a link: a local one has none. */
export const hasNoticeLink = ({ number, isWatched }: Linked): boolean => number !== '' || isWatched === true;

/** The link in notices: into the conference, or to the watch page of a broadcast without one. */
export const noticeLink = (origin: string, { number, isWatched, meetingId }: Linked, password: string): string =>
  isWatched ? watchLink(origin, meetingId) : linksOf(origin, number, password).config.url;
