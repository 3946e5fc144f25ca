import { useEffect, useState, type RefObject } from 'react';
import type { Call, CallSnapshot } from '../../../call/index.ts';
import { useStorePart } from '../shared/use-store.ts';

/** The room's other parts are drawn after this time at the latest; ms. */
const LONGEST_WAIT = 1_000;

/** Another participant's picture will show soon, or may: not everything is connected yet. */
const awaitsPicture = ({ conference, media, tiles }: CallSnapshot): boolean =>
  conference === null ||
  media === 'connecting' ||
  tiles.some(({ own, connected, video }) => !own && (!connected || video !== null));

/**
 * False from the start until another participant's picture shows, or until it is known that none will, for LONGEST_WAIT
 * at most. What is no picture is drawn after it: on slow devices, drawing it delays the connection.
 */
export function useFirstPicture(room: RefObject<HTMLElement | null>, call: Call): boolean {
  const [isShown, setShown] = useState(false);
  const isAwaited = useStorePart(call.store, awaitsPicture);
  if (!isAwaited && !isShown) setShown(true);
  useEffect(() => {
    const element = room.current;
    const show = () => setShown(true);
    const timer = setTimeout(show, LONGEST_WAIT);
    const look = ({ target }: Event) => {
      if (target instanceof Element && target.closest('[data-own=false]') !== null) show();
    };
    // This event does not bubble.
    element?.addEventListener('loadeddata', look, { capture: true });
    return () => {
      clearTimeout(timer);
      element?.removeEventListener('loadeddata', look, { capture: true });
    };
  }, [room]);
  return isShown;
}
