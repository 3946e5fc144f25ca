import { useEffect, useState, type RefObject } from 'react';

export interface FullScreen {
  isOn: boolean;
  /** The browser can do it. */
  isPossible: boolean;
  toggle: () => void;
}

/** Fills the screen with an element, and with all that lies over it. */
export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const update = () => setOn(document.fullscreenElement !== null && document.fullscreenElement === element.current);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, [element]);
  return {
    isOn,
    isPossible: document.fullscreenEnabled,
    toggle: () => {
      if (!document.fullscreenEnabled) return;
      const change = isOn ? document.exitFullscreen() : element.current?.requestFullscreen();
      change?.catch(() => undefined);
    },
  };
}
