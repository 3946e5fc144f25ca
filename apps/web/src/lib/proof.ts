/** Someone waits for the user to prove again who it is; for the component that asks (`useSyncExternalStore`). */
interface Asking {
  answer: (isProven: boolean) => void;
}

let asking: Asking | null = null;
const listeners = new Set<() => void>();

function set(next: Asking | null): void {
  asking = next;
  for (const listener of listeners) listener();
}

export const proofStore = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  get: (): Asking | null => asking,
};

let waiting: Promise<boolean> | null = null;

/** Asks the user for the password or a code. False if cancelled. Calls at the same time share one question. */
export function askForProof(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    set({
      answer: (isProven) => {
        set(null);
        waiting = null;
        resolve(isProven);
      },
    });
  });
  return waiting;
}
