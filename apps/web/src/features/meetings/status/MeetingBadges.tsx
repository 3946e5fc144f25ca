import type { Meeting } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useSeriesWords } from '../series/useSeriesWords.ts';

/** Badges of a meeting: important, end-to-end encrypted, part of a series, not approved. */
export function MeetingBadges({ meeting }: { meeting: Meeting }) {
  const t = useTexts('meetings');
  const series = useSeriesWords(meeting);
  const { vip, e2ee, autoRecord, approval } = meeting;
  if (!vip && !e2ee && !autoRecord && series === null && approval !== 'waiting' && approval !== 'refused') return null;
  return (
    <span className="meeting-badges">
      {vip && (
        <span className="meeting-badge meeting-badge-vip" data-testid="badge-vip">
          {t('vip.badge')}
        </span>
      )}
      {e2ee && (
        <span className="meeting-badge" title={t('encryption.on')} data-testid="badge-e2ee">
          {t('encryption.title')}
        </span>
      )}
      {autoRecord && (
        <span className="meeting-badge" title={t('record.autoOn')} data-testid="badge-record">
          {t('record.badge')}
        </span>
      )}
      {series !== null && (
        <span className="meeting-badge" title={series} data-testid="badge-series">
          {t('series.badge')}
        </span>
      )}
      {approval === 'waiting' && (
        <span className="meeting-badge meeting-badge-waiting" data-testid="badge-waiting">
          {t('approval.waiting')}
        </span>
      )}
      {approval === 'refused' && (
        <span className="meeting-badge meeting-badge-refused" data-testid="badge-refused">
          {t('approval.refused')}
        </span>
      )}
    </span>
  );
}
