import { useMutation } from '@tanstack/react-query';
import { useState, type RefObject } from 'react';
import { ApiError, isApiError, reportError } from '../../lib/api/index.ts';
import { keptDraft, useKeepDraft } from '../../lib/keptDrafts.ts';
import type { Words } from '../../lib/notify.ts';
import { changedKeys, rebase } from '../../lib/rebase.ts';
import { useErrorFocus } from '../../lib/useErrorFocus.ts';
import { useDraft, type Conflict } from './useDraft.ts';

export type FieldErrors<D> = Partial<Record<keyof D, string>>;
type Faults<D> = Partial<Record<keyof D, Words>>;

interface FormOptions<D extends object, R> {
  initial: D;
  /** The errors found before anything is sent. */
  check: (draft: D) => FieldErrors<D>;
  /** Sends the draft; `version` is the edited one, 0 for a new object. */
  send: (draft: D, version: number) => Promise<R>;
  version?: number;
  /** The current version of the object, after CHANGED_MEANWHILE. */
  newest?: () => Promise<{ draft: D; version: number }>;
  /** Maps error codes, and input paths with a different name (`admin.account`), to fields of the form. */
  fieldOf?: Readonly<Record<string, keyof D>>;
  onSaved: (result: R) => void;
  /**
   * Key under which edits are restored after the app was reloaded, unique per form and object; if missing, edits are
   * not restored.
   */
  keepAs?: string;
  /**
   * The form is on a page of its own, which can be left without confirmation: edits are restored with the page, too.
   */
  keepOnLeaving?: boolean;
  /** Fields that are not restored, such as secrets and images. */
  unkept?: readonly (keyof D)[];
}

/** The draft of a form, and its initial values. */
interface Kept<D> {
  base: D;
  draft: D;
}

/** A form's state, for FormDrawer and its fields. */
export interface Form<D extends object> {
  draft: D;
  errors: FieldErrors<D>;
  conflict: Conflict<D> | null;
  isDirty: boolean;
  isSaving: boolean;
  change: (part: Partial<D>) => void;
  submit: () => void;
  /** Restarts from the saved values. */
  reset: (draft: D, version: number) => void;
  /** Discards the edits. */
  undo: () => void;
  root: RefObject<HTMLFormElement | null>;
}

/** Holds a form's edits, shows rejections at the fields they concern, and merges with changes saved in the meantime. */
// oxlint-disable-next-line max-lines-per-function -- one form: its state and what changes it belong together
export function useForm<D extends object, R>({
  initial,
  check,
  send,
  version: first = 0,
  newest,
  fieldOf = {},
  onSaved,
  keepAs,
  keepOnLeaving = false,
  unkept = [],
}: FormOptions<D, R>): Form<D> {
  const { base, version, draft, setDraft, conflict, changed, ...edit } = useDraft<D>(
    () => ({ draft: initial, version: first }),
    {
      restore: (saved) => {
        const kept = keepAs === undefined ? undefined : (keptDraft(keepAs) as Kept<D> | undefined);
        return kept ? rebase(kept.base, kept.draft, saved).draft : saved;
      },
    },
  );
  const [faults, setFaults] = useState<Faults<D>>({});
  const { root, focusFirstError } = useErrorFocus();
  const save = useMutation({ mutationFn: () => send(draft, version), meta: { quiet: true } });

  const typed = { ...draft, ...Object.fromEntries(unkept.map((field) => [field, base[field]])) };
  useKeepDraft(
    keepAs ?? '',
    keepAs !== undefined && changedKeys(base, typed).length > 0 ? ({ base, draft: typed } satisfies Kept<D>) : null,
    keepOnLeaving,
  );

  const showFaults = (next: Faults<D>) => {
    setFaults(next);
    focusFirstError();
  };

  /** Takes over the newest version, keeping the edits made here. */
  const takeNewest = async (find: NonNullable<typeof newest>) => {
    edit.takeNewest(await find());
    root.current?.scrollIntoView();
  };

  const refused = (reason: unknown) => {
    if (newest && isApiError(reason, 'CHANGED_MEANWHILE')) {
      takeNewest(newest).catch(reportError);
      return;
    }
    const next = reason instanceof ApiError ? faultsOf(reason, draft, fieldOf) : {};
    if (Object.keys(next).length > 0) showFaults(next);
    else reportError(reason);
  };

  const saved = (result: R) => {
    // The form may stay on screen for a moment.
    edit.markSaved();
    onSaved(result);
  };

  const reset = (next: D, nextVersion: number) => {
    edit.reset({ draft: next, version: nextVersion });
    setFaults({});
  };

  return {
    draft,
    errors: wordsOf(faults),
    conflict,
    isDirty: changed.length > 0,
    isSaving: save.isPending,
    change: (part) => {
      setDraft((now) => ({ ...now, ...part }));
      setFaults((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !(field in part))) as Faults<D>);
    },
    submit: () => {
      const found = Object.keys(check(draft)) as (keyof D)[];
      if (found.length > 0)
        showFaults(Object.fromEntries(found.map((field) => [field, () => check(draft)[field] ?? ''])) as Faults<D>);
      else save.mutate(undefined, { onSuccess: saved, onError: refused });
    },
    reset,
    undo: () => reset(base, version),
    root,
  };
}

function wordsOf<D>(faults: Faults<D>): FieldErrors<D> {
  const entries = Object.entries<Words | undefined>(faults).map(([field, words]) => [field, words?.()]);
  return Object.fromEntries(entries) as FieldErrors<D>;
}

type TextField<D> = { [K in keyof D]: D[K] extends string ? K : never }[keyof D];

/** Props that bind a text input to a field of a form. */
export function textInput<D extends object>(
  { draft, change }: Pick<Form<D>, 'draft' | 'change'>,
  field: TextField<D>,
  maxLength: number,
  testId: string,
) {
  return {
    value: draft[field] as string,
    maxLength,
    autoComplete: 'off',
    'data-testid': testId,
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value } as Partial<D>),
  };
}

/** The fields that a rejection concerns, with the server's message. */
function faultsOf<D extends object>(error: ApiError, draft: D, fieldOf: Readonly<Record<string, keyof D>>): Faults<D> {
  const { code, fields } = error;
  const field = fieldOf[code];
  if (field !== undefined) return { [field]: () => error.message } as Faults<D>;
  // Field names are paths such as `roleIds.0`.
  const named = Object.entries(fields).map(([path, sentence]) => {
    const known = fieldOf[path] ?? path.split('.').find((part) => part in draft);
    return [known, () => sentence] as const;
  });
  return Object.fromEntries(named.filter(([known]) => known !== undefined)) as Faults<D>;
}
