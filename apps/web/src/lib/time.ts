import dayjs from 'dayjs';

/** A time as shown in lists, in the browser's time zone; empty if there is none. */
export function formatTime(iso: string | null): string {
  return iso === null ? '' : dayjs(iso).format('YYYY-MM-DD HH:mm');
}

/** The same with seconds, for lists that show the order of events. */
export function formatMoment(iso: string): string {
  return dayjs(iso).format('YYYY-MM-DD HH:mm:ss');
}

/** Only the day. */
export function formatDay(iso: string): string {
  return dayjs(iso).format('YYYY-MM-DD');
}
