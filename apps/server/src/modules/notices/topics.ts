import type { MeetingRow } from '../meetings/tables.ts';
import type { Topic } from './repo.ts';

/** By what people are told of a meeting: by itself, and by the series it belongs to. */
export function topicsOf({ id, seriesId }: Pick<MeetingRow, 'id' | 'seriesId'>): Topic[] {
  return seriesId === null ? [{ meetingId: id }] : [{ seriesId }, { meetingId: id }];
}
