import { isApiError } from './error.ts';

/** Maximum wait without asking the user; seconds. */
const LONGEST_WAIT = 60;
/** Default wait if the server gives no time; seconds. */
const ORDINARY_WAIT = 3;
/** Random addition, so that clients with the same wait do not retry simultaneously; milliseconds. */
const SPREAD = 2_000;
/** Total time after which the error is reported; milliseconds. */
const GIVE_UP_AFTER = 5 * 60_000;

/** Thrown if the user stopped waiting. */
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
 * Repeats a call while the server is busy, after the time that the server gives. `onWait` is called before each wait.
 * @throws Cancelled once the signal is aborted, otherwise the error of the call
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
