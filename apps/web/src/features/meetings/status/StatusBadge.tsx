import type { Meeting } from '@rmeet/contract';
import { useTexts } from '../../../lib/i18n/index.ts';

export function StatusBadge({
  meeting: { status, terminalCount },
}: {
  meeting: Pick<Meeting, 'status' | 'terminalCount'>;
}) {
  const t = useTexts('meetings');
  return (
    <span className={`meeting-status meeting-status-${status.toLowerCase()}`} data-testid="meeting-status">
      {t(`status.${status}`)}
      {terminalCount > 0 && <small>{t('inMeeting', { count: terminalCount })}</small>}
    </span>
  );
}
