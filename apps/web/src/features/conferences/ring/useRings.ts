import { useEffect, useState } from 'react';
import { usePushTopic } from '../../../lib/push/index.ts';
import { withEvent, without, withoutSpent, type Ring } from './rings.ts';

/** The calls that ring for the signed-in person, the oldest first. */
export function useRings(): { rings: readonly Ring[]; drop: (meetId: string) => void } {
  const [rings, setRings] = useState<readonly Ring[]>([]);
  usePushTopic('user', { event: (event) => setRings((before) => withEvent(before, event, Date.now())) });

  const nextEnd = Math.min(...rings.map(({ endsAt }) => endsAt));
  useEffect(() => {
    if (nextEnd === Infinity) return undefined;
    const timer = setTimeout(() => setRings((before) => withoutSpent(before, Date.now())), Math.max(0, nextEnd - Date.now()) + 1);
    return () => clearTimeout(timer);
  }, [nextEnd]);

  return { rings, drop: (meetId) => setRings((before) => without(before, meetId)) };
}
