import { useState } from 'react';
import { changedKeys, rebase, type Compared } from '../../lib/rebase.ts';

/** Another user's edit that was saved in the meantime: the changed fields, with old and new values. */
export interface Conflict<D> {
  fields: readonly (keyof D)[];
  before: D;
  now: D;
}

/** The initial values of a form, and their version. */
interface Saved<D> {
  draft: D;
  version: number;
}

interface DraftOptions<D> {
  /** The draft the form opens with: the saved values, merged with changes typed before the app was reloaded. */
  restore: (saved: D) => D;
  compared?: Compared<D>;
}

/** The draft of a form, and its merge with another edit that was saved in the meantime. */
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
    /** The edited fields. */
    changed: changedKeys(base, draft, compared),
    /** The draft was saved: no changes can be lost any more. */
    markSaved: () => setSaved({ draft, version }),
    /** Takes over the newest version, keeping the edits made here. */
    takeNewest: (now: Saved<D>) => {
      const { draft: merged, theirs } = rebase(base, draft, now.draft, compared);
      setConflict({ fields: theirs, before: base, now: now.draft });
      setDraft(merged);
      setSaved(now);
    },
    /** Restarts from the saved values. */
    reset: (next: Saved<D>) => {
      setSaved(next);
      setDraft(next.draft);
      setConflict(null);
    },
  };
}
