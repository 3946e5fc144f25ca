import { use } from 'react';
import { Loading } from './states.tsx';

/** How long whatever is there (at first an empty page) stays while a screen comes, in ms. */
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

/** The screen has loaded: from now on the loading state is shown at once. */
export function showFallback(): void {
  awaited = null;
}

/**
 * What stands for the app, or for its page, until it is loaded. React holds back what follows such a fallback for 300
 * ms, and a screen comes in several parts: one that comes quickly does without, by letting the fallback wait as well.
 */
export function ScreenFallback() {
  if (awaited) use(awaited);
  return <Loading />;
}
