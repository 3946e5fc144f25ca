import type { Meeting } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useSeriesWords } from '../series/useSeriesWords.ts';

/** Describes the series and kind of the edited meeting. */
export function SeriesNote({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const words = useSeriesWords(meeting);
  return (
    <p className="booking-note" data-testid="booking-note">
      <strong>{t(`type.${meeting.type}`)}</strong>
      {words !== null && <span>{words}</span>}
    </p>
  );
}
