import { useRunningTime } from '../shared/useRunningTime.ts';
import { useT } from '../texts.ts';

/** How long the meeting has been running, by the server's clock. */
export function MeetingClock({ startedAt, clockAhead }: { startedAt: string; clockAhead: number }) {
  const t = useT();
  const running = useRunningTime(startedAt, clockAhead);
  return (
    <span className="meeting-clock" role="timer" aria-live="off" title={t('clock.title')} data-testid="meeting-clock">
      <span className="visually-hidden">{t('clock.title')} </span>
      {running}
    </span>
  );
}
