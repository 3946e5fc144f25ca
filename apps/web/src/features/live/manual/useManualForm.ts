import type { ErrorCode, ManualLive } from '@rmeet/contract';
import { useState } from 'react';
import { ApiError, reportError } from '../../../lib/api/index.ts';
import { keptDraft, useKeepDraft } from '../../../lib/keptDrafts.ts';
import { toast } from '../../../lib/notify.ts';
import {
  changeBody,
  createBody,
  faultsOf,
  isChanged,
  manualDraftOf,
  newManual,
  type ManualDraft,
  type ManualField,
} from './draft.ts';
import { useChangeManual, useCreateManual } from './queries.ts';
import { useT } from './texts.ts';

type ManualErrors = Partial<Record<ManualField, string>>;

/** Error codes that concern one field. */
const FIELD_OF: Partial<Record<string, ManualField>> = {
  MEETING_IN_PAST: 'startTime',
  QUOTA_DURATION: 'duration',
  PLAY_ADDRESS_REQUIRED: 'playAddress',
  PLAY_ADDRESS_REFUSED: 'playAddress',
  BROADCAST_PASSWORD_REQUIRED: 'live',
} satisfies Partial<Record<ErrorCode, ManualField>>;

const FIELDS: readonly string[] = ['subject', 'startTime', 'duration', 'playAddress'] satisfies ManualField[];

interface FormEvents {
  onSaved: (broadcast: ManualLive) => void;
  /** Called if a field is invalid; the field shows its error. */
  onFaults: () => void;
}

/** The state of the form of a broadcast; `broadcast`: the edited one, null for a new one. */
export function useManualForm(broadcast: ManualLive | null, { onSaved, onFaults }: FormEvents) {
  const t = useT();
  const [creating, changing] = [useCreateManual(), useChangeManual()];
  const formKey = `manualLive:${broadcast?.id ?? 'new'}`;
  const [before] = useState(() => (broadcast ? manualDraftOf(broadcast) : newManual(new Date())));
  const [draft, setDraft] = useState<ManualDraft>(() => ({
    ...before,
    ...(keptDraft(formKey) as ManualDraft | undefined),
  }));
  const [errors, setErrors] = useState<ManualErrors>({});
  const showErrors = (next: ManualErrors) => {
    setErrors(next);
    onFaults();
  };
  const change = (part: Partial<ManualDraft>) => {
    setDraft((now) => ({ ...now, ...part }));
    const touched = Object.keys(part);
    // Another source needs no address, or another one.
    if ('source' in part) touched.push('playAddress');
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !touched.includes(field))));
  };
  const refused = (reason: unknown) => {
    const next = reason instanceof ApiError ? fieldErrorsOf(reason) : {};
    if (Object.keys(next).length > 0) showErrors(next);
    else reportError(reason);
  };
  const events = (done: 'booked' | 'saved') => ({
    onSuccess: (saved: ManualLive) => {
      toast('success', () => t(`form.${done}`));
      onSaved(saved);
    },
    onError: refused,
  });
  const submit = () => {
    const faults = Object.entries(faultsOf(draft));
    if (faults.length > 0)
      showErrors(Object.fromEntries(faults.map(([field, fault]) => [field, t(`invalid.${fault}`)])));
    else if (broadcast) changing.mutate({ id: broadcast.id, ...changeBody(before, draft) }, events('saved'));
    else creating.mutate(createBody(draft), events('booked'));
  };
  const isSaved = creating.isSuccess || changing.isSuccess;
  const isDirty = !isSaved && isChanged(before, draft);
  useKeepDraft(formKey, isDirty ? draft : null);
  return { draft, errors, change, submit, isDirty, isSaving: creating.isPending || changing.isPending || isSaved };
}

export type ManualForm = ReturnType<typeof useManualForm>;

/** The fields that a rejection concerns, with the server's sentence. */
function fieldErrorsOf({ code, message, fields }: ApiError): ManualErrors {
  const field = FIELD_OF[code];
  if (field) return { [field]: message };
  return Object.fromEntries(Object.entries(fields).filter(([path]) => FIELDS.includes(path)));
}
