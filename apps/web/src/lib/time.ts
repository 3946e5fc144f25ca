import dayjs from 'dayjs';

/** A time as lists show it, in this browser's zone; empty for none. */
export function formatTime(iso: string | null): string {
  return iso === null ? '' : dayjs(iso).format('YYYY-MM-DD HH:mm');
}

/** The same to the second, where the order of things is read from it. */
export function formatMoment(iso: string): string {
  return dayjs(iso).format('YYYY-MM-DD HH:mm:ss');
}

/** The day alone. */
export function formatDay(iso: string): string {
  return dayjs(iso).format('YYYY-MM-DD');
}
