import { useEffect, useState } from 'react';
import { durationText } from '../model/duration.ts';

const SECOND = 1_000;

/** The time since `time`, or (`until`) the time left until it; updates by itself. */
export function Since({ time, until = false }: { time: string; until?: boolean }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, []);
  const span = until ? Date.parse(time) - now : now - Date.parse(time);
  return <time dateTime={time}>{durationText(span)}</time>;
}
