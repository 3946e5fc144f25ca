import { isApiError } from './error.ts';

/** Waits longer than this are for the person to decide on; seconds. */
const LONGEST_WAIT = 60;
/** Where the server names no time; seconds. */
const ORDINARY_WAIT = 3;
/** So that those who were told the same time do not all come back at once; milliseconds. */
const SPREAD = 2_000;
/** After so long the failure is told after all; milliseconds. */
const GIVE_UP_AFTER = 5 * 60_000;

/** The person did not want to wait any longer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(new Cancelled());
      },
      { once: true },
    );
  });
}

/**
 * Makes a call again for as long as the server is only busy, after the time it names. `onWait` is told before each
 * wait.
 *
 * @throws Cancelled once the signal is aborted, else what the call failed with
 */
export async function retryWhileBusy<T>(
  call: () => Promise<T>,
  signal: AbortSignal,
  onWait: () => void = () => undefined,
): Promise<T> {
  const until = Date.now() + GIVE_UP_AFTER;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (signal.aborted) throw new Cancelled();
      const seconds = isApiError(error, 'TOO_MANY_REQUESTS', 'SERVICE_BUSY')
        ? (error.seconds ?? ORDINARY_WAIT)
        : Infinity;
      if (seconds > LONGEST_WAIT || Date.now() + seconds * 1_000 > until) throw error;
      onWait();
      await delay(seconds * 1_000 + Math.random() * SPREAD, signal);
    }
  }
}
