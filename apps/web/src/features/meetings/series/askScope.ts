import type { Meeting, SeriesScope } from '@rmeet/contract';
import { askWhich } from '../../../lib/notify.ts';
import type { MeetingTexts } from '../format.ts';

/**
 * Asks which meetings of a series a change applies to; returns `one` without asking if there is no series, null if the
 * user cancels.
 */
export async function askScope(
  { series, subject }: Pick<Meeting, 'series' | 'subject'>,
  change: 'edit' | 'move' | 'cancel',
  t: MeetingTexts,
): Promise<SeriesScope | null> {
  if (series === null) return 'one';
  const question = {
    title: t(`seriesScope.${change}Title`),
    text: t(`seriesScope.${change}Text`, { subject }),
    okText: t(`seriesScope.${change}Ok`),
    cancelText: t(`seriesScope.${change}Keep`),
    danger: change === 'cancel',
  };
  return askWhich(
    question,
    (['one', 'following', 'all'] as const).map((value) => ({ value, label: t(`seriesScope.${value}`) })),
  );
}
