import { useEffect, useRef, useState } from 'react';
import { api, reportError } from '../../../lib/api/index.ts';
import { usePushTopic } from '../../../lib/push/index.ts';
import { withAnswer, withEvent, without, withoutSpent, type Ring, type UserEvent } from './rings.ts';

/**
 * The calls that ring for the signed-in user, the oldest first, including those that started before the page was
 * opened.
 */
export function useRings(): { rings: readonly Ring[]; drop: (ring: Ring) => void } {
  const [rings, setRings] = useState<readonly Ring[]>([]);
  /** Events since the pending request for the ringing calls; null if no request is pending. */
  const since = useRef<UserEvent[] | null>(null);
  /** Calls dismissed here, each identified by its ring at that time. */
  const dropped = useRef(new Set<string>());

  async function ask(events: UserEvent[]): Promise<void> {
    try {
      const answer = await api.conferences.rings();
      if (since.current !== events) return;
      since.current = null;
      setRings(
        withAnswer(
          answer.filter((ring) => !dropped.current.has(keyOf(ring))),
          events,
          Date.now(),
        ),
      );
    } catch (error) {
      reportError(error);
    }
  }
  usePushTopic('user', {
    live() {
      const events: UserEvent[] = [];
      since.current = events;
      void ask(events);
    },
    event(event) {
      since.current?.push(event);
      setRings((before) => withEvent(before, event, Date.now()));
    },
  });

  const nextEnd = Math.min(...rings.map(({ endsAt }) => endsAt));
  useEffect(() => {
    if (nextEnd === Infinity) return undefined;
    const timer = setTimeout(
      () => setRings((before) => withoutSpent(before, Date.now())),
      Math.max(0, nextEnd - Date.now()) + 1,
    );
    return () => clearTimeout(timer);
  }, [nextEnd]);

  const drop = (ring: Ring): void => {
    dropped.current.add(keyOf(ring));
    setRings((before) => without(before, ring.meetId));
  };
  return { rings, drop };
}

const keyOf = ({ meetId, until }: Pick<Ring, 'meetId' | 'until'>): string => `${meetId} ${until}`;
