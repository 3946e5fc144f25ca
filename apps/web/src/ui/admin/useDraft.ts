import { useState } from 'react';
import { changedKeys, rebase, type Compared } from '../../lib/rebase.ts';

/** Another user's edit that was saved in the meantime: which fields it changed, from what to what. */
export interface Conflict<D> {
  fields: readonly (keyof D)[];
  before: D;
  now: D;
}

/** What a form started from, and the version of it. */
interface Saved<D> {
  draft: D;
  version: number;
}

interface DraftOptions<D> {
  /** The draft the form opens with: what was saved, with what was typed before the app was reloaded. */
  restore: (saved: D) => D;
  compared?: Compared<D>;
}

/** The draft of a form, and how it merges with another edit that was saved in the meantime. */
export function useDraft<D extends object>(saved: () => Saved<D>, { restore, compared }: DraftOptions<D>) {
  const [{ draft: base, version }, setSaved] = useState(saved);
  const [draft, setDraft] = useState(() => restore(base));
  const [conflict, setConflict] = useState<Conflict<D> | null>(null);
  return {
    base,
    version,
    draft,
    setDraft,
    conflict,
    /** The fields that were typed. */
    changed: changedKeys(base, draft, compared),
    /** The draft was saved: nothing is lost any more. */
    markSaved: () => setSaved({ draft, version }),
    /** Takes over the newest version, keeping what was typed here. */
    takeNewest: (now: Saved<D>) => {
      const { draft: merged, theirs } = rebase(base, draft, now.draft, compared);
      setConflict({ fields: theirs, before: base, now: now.draft });
      setDraft(merged);
      setSaved(now);
    },
    /** Starts again from what was saved. */
    reset: (next: Saved<D>) => {
      setSaved(next);
      setDraft(next.draft);
      setConflict(null);
    },
  };
}
