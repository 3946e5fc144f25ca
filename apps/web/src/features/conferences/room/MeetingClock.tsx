import { useEffect, useState } from 'react';
import { useT } from '../texts.ts';
import { runningTime } from './model/running-time.ts';

const SECOND = 1_000;

/** How long the meeting has been running, by the server's clock. */
export function MeetingClock({ startedAt, clockAhead }: { startedAt: string; clockAhead: number }) {
  const t = useT();
  const [elapsed, setElapsed] = useState(() => Date.now() + clockAhead - Date.parse(startedAt));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Once per second, when it changes, so that a room in which nothing happens hardly renders.
    const look = () => {
      const now = Date.now() + clockAhead - Date.parse(startedAt);
      setElapsed(now);
      timer = setTimeout(look, SECOND - (((now % SECOND) + SECOND) % SECOND));
    };
    look();
    return () => clearTimeout(timer);
  }, [startedAt, clockAhead]);
  return (
    <span className="meeting-clock" role="timer" aria-live="off" title={t('clock.title')} data-testid="meeting-clock">
      <span className="visually-hidden">{t('clock.title')} </span>
      {runningTime(elapsed)}
    </span>
  );
}
