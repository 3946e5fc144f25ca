import { useEffect, useEffectEvent } from 'react';

const KEY = 'drafts';
/** Functions that read the forms on screen. */
const forms = new Map<string, () => unknown>();
let kept: Record<string, unknown> | null = null;

/** Reloads the app; the drafts of forms are restored (`keptDraft`). */
export function reloadKeepingDrafts(): void {
  keepDrafts();
  location.reload();
}

/** Stores the drafts of forms for the next page load. */
export function keepDrafts(): void {
  const drafts = Object.fromEntries(
    [...forms].map(([key, read]) => [key, read()] as const).filter(([, draft]) => draft !== null),
  );
  if (Object.keys(drafts).length > 0) sessionStorage.setItem(KEY, JSON.stringify(drafts));
}

/** The draft of a form from before the reload, for its initial state; undefined if there is none. */
export function keptDraft(key: string): unknown {
  if (kept === null) {
    kept = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    sessionStorage.removeItem(KEY);
  }
  return kept[key];
}

/** Deletes the drafts of closed pages: another user may sign in. */
export function forgetDrafts(): void {
  kept = null;
}

/**
 * Keeps a form's draft (plain data) if the app must be reloaded while the form is on screen; null if there is nothing
 * worth keeping. `onLeaving`: also when the user leaves the page, until it is opened again.
 */
export function useKeepDraft(key: string, draft: unknown, onLeaving = false): void {
  const read = useEffectEvent(() => draft);
  useEffect(() => {
    // The form has the draft now; the next opening starts without it.
    if (kept !== null) delete kept[key];
    forms.set(key, () => read());
    return () => {
      forms.delete(key);
      const left = onLeaving ? read() : null;
      if (left !== null) kept = { ...kept, [key]: left };
    };
  }, [key, onLeaving]);
}
