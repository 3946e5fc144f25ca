import { use } from 'react';
import { Loading } from './states.tsx';

/** How long the current content (initially an empty page) stays while a screen loads, in ms. */
const PATIENCE = 3_000;
let awaited: Promise<void> | null = null;

/** A whole screen is about to load: the app starts, or the user has just signed in. */
export function holdFallback(): void {
  const over = new Promise<void>((resolve) =>
    setTimeout(() => {
      if (awaited === over) awaited = null;
      resolve();
    }, PATIENCE),
  );
  awaited = over;
}

/** The screen has loaded: from now on the loading state is shown immediately. */
export function showFallback(): void {
  awaited = null;
}

/**
 * Placeholder for the app, or for its page, until it has loaded. After such a fallback React delays the content by 300
 * ms, and a screen loads in several parts: the fallback itself waits, so that a screen that loads fast avoids the
 * delay.
 */
export function ScreenFallback() {
  if (awaited) use(awaited);
  return <Loading />;
}
