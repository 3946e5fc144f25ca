import { useEffect, useState, useSyncExternalStore, type RefObject } from 'react';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import type { Tile } from '../../../call/index.ts';

/** The size of an element's content, in whole pixels; 0 by 0 before it is laid out. */
export function useElementSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      setSize({ width: Math.floor(width), height: Math.floor(height) });
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** The same array as before if its content has not changed. */
export function useSame(next: readonly string[]): readonly string[] {
  const [same, setSame] = useState(next);
  if (same === next || (same.length === next.length && same.every((value, at) => value === next[at]))) return same;
  setSame(next);
  return next;
}

/**
 * termIds of present terminals and of those that share. Tiles are computed again when a person speaks or mutes; a
 * layout depends only on these ids.
 */
export function usePresent(tiles: readonly Tile[]): Record<'terminals' | 'sharing', readonly string[]> {
  return {
    terminals: useSame(tiles.flatMap(({ kind, termId }) => (kind === 'camera' ? [termId] : []))),
    sharing: useSame(tiles.flatMap(({ kind, termId }) => (kind === 'screen' ? [termId] : []))),
  };
}

const followNetwork = (changed: () => void) => {
  const types = ['online', 'offline'] as const;
  for (const type of types) addEventListener(type, changed);
  return () => {
    for (const type of types) removeEventListener(type, changed);
  };
};

/** Whether the device has a network at all. */
export function useHasNetwork(): boolean {
  return useSyncExternalStore(followNetwork, () => navigator.onLine);
}

/** Whether the device has a pointer that hovers, and so probably a keyboard: phones have neither. */
export const useHasKeyboard = (): boolean => useMediaQuery('(any-hover: hover)');

/** While mounted, asks for confirmation before the page is closed. */
export function useLeaveWarning(): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, []);
}

/** While mounted, keeps the screen on; requests the lock again whenever the page becomes visible. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const hold = async () => {
      if (document.visibilityState !== 'visible' || over) return;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (over) await lock.release();
      } catch {
        // The lock is refused on low battery or by policy; the screen then dims as usual.
        lock = null;
      }
    };
    void hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', hold);
      void lock?.release();
    };
  }, []);
}

/** Whether the document is in full screen, and a function to toggle it; null if the browser does not support it. */
export function useFullscreen(): { on: boolean; toggle: () => void } | null {
  const [on, setOn] = useState(false);
  useEffect(() => {
    const update = () => setOn(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, []);
  if (!document.fullscreenEnabled) return null;
  return { on, toggle: () => void (on ? document.exitFullscreen() : document.documentElement.requestFullscreen()) };
}

const MINUTE = 60_000;
const LAST_MINUTES = 5 * MINUTE;

/** Minutes left before a time, rounded up: 5 to 0 in the last five minutes, null before. */
export function useMinutesLeft(endsAt: string | null): number | null {
  const [minutes, setMinutes] = useState<number | null>(null);
  useEffect(() => {
    if (endsAt === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const left = Math.max(0, Date.parse(endsAt) - Date.now());
      setMinutes(left <= LAST_MINUTES ? Math.ceil(left / MINUTE) : null);
      if (left > 0) timer = setTimeout(look, left > LAST_MINUTES ? left - LAST_MINUTES : left % MINUTE || MINUTE);
    };
    look();
    return () => clearTimeout(timer);
  }, [endsAt]);
  return endsAt === null ? null : minutes;
}

/** Update interval of a running clock, ms. */
const TICK = 200;

/** The browser's time, ms, updated regularly while `runs`. */
export function useNow(runs: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!runs) return undefined;
    const look = () => setNow(Date.now());
    look();
    const timer = setInterval(look, TICK);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}
