import { useEffect, useState, type RefObject } from 'react';

/** If no other participant sends a picture, the room's other parts are drawn after this time; ms. */
const LONGEST_WAIT = 250;

/**
 * False from the start until another participant's picture shows, for LONGEST_WAIT at most. What is no picture is drawn
 * after it: on slow devices, drawing it delays the connection.
 */
export function useFirstPicture(room: RefObject<HTMLElement | null>): boolean {
  const [isShown, setShown] = useState(false);
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
