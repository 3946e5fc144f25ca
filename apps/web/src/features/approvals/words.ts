import type { ApprovalRequest } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import { clockOf, dayOf, offsetName, ownZone } from '../../lib/rooms/index.ts';

type ApprovalTexts = ReturnType<typeof useTexts<'approvals'>>;

/** The meeting's time in this browser's time zone: `2026-11-20 09:00–10:30`, with the end day if it differs. */
export function timeWords({ startTime, duration }: Pick<ApprovalRequest, 'startTime' | 'duration'>): string {
  const [start, zone] = [Date.parse(startTime), ownZone()];
  const end = start + duration * 60_000;
  const [from, until] = [dayOf(start, zone), dayOf(end, zone)];
  return `${from} ${clockOf(start, zone)}–${from === until ? '' : `${until} `}${clockOf(end, zone)}`;
}

/** The same, followed by the time zone. */
export function zonedWords(request: Pick<ApprovalRequest, 'startTime' | 'duration'>): string {
  return `${timeWords(request)} (${offsetName(Date.parse(request.startTime), ownZone())})`;
}

/**
 * Number of meetings of a series, and its first and last day in this browser's time zone; empty for a single meeting.
 */
export function seriesWords(
  { series, startTime }: Pick<ApprovalRequest, 'series' | 'startTime'>,
  t: ApprovalTexts,
): string {
  if (series === null) return '';
  const [from, until] = [startTime, series.lastStart].map((time) => dayOf(Date.parse(time), ownZone()));
  const meetings = t('meetings', { count: series.meetings });
  return series.meetings === 1 ? meetings : t('seriesWords', { meetings, from, until });
}

export function roomWords({ rooms }: Pick<ApprovalRequest, 'rooms'>, t: ApprovalTexts): string {
  return rooms.map(({ name, building }) => `${name} (${building})`).join(t('comma'));
}

/** The reasons why it needs approval, as text. */
export function reasonWords({ reasons }: Pick<ApprovalRequest, 'reasons'>, t: ApprovalTexts): string {
  return reasons.map((reason) => t(`reason.${reason}`)).join(t('comma'));
}

export function hostWords({ host }: Pick<ApprovalRequest, 'host'>): string {
  return [host.name, host.department].filter((part) => part !== '').join(' · ');
}
