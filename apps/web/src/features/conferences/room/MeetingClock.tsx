import { useT } from '../texts.ts';
import { useNow } from '../shared/hooks.ts';
import { runningTime } from './model/running-time.ts';

/** How long the meeting has been running, by the server's clock. */
export function MeetingClock({ startedAt, clockAhead }: { startedAt: string; clockAhead: number }) {
  const t = useT();
  const text = runningTime(useNow(true) + clockAhead - Date.parse(startedAt));
  return (
    <span className="meeting-clock" role="timer" aria-live="off" title={t('clock.title')} data-testid="meeting-clock">
      <span className="visually-hidden">{t('clock.title')} </span>
      {text}
    </span>
  );
}
