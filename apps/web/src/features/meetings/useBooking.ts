import type { ErrorCode, Meeting } from '@rmeet/contract';
import { useState } from 'react';
import { api, ApiError, isApiError, reportError } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { keptDraft, useKeepDraft } from '../../lib/draft.ts';
import { toast } from '../../lib/notify.ts';
import { bodyOf, changedFields, draftOf, faultsOf, newDraft, rebase, type Draft, type DraftField, type Preset } from './draft.ts';
import { useSaveMeeting } from './queries.ts';

export type FieldErrors = Partial<Record<DraftField, string>>;

/** Somebody else's edit that came in between: which fields it changed, from what to what. */
export interface Conflict {
  fields: readonly DraftField[];
  before: Draft;
  now: Draft;
}

interface BookingEvents {
  onSaved: (meeting: Meeting) => void;
  /** Some field is wrong and says so. */
  onFaults: () => void;
}

/** The state of the booking form; `meeting` is the one being edited, null for a new one, which starts from `preset`. */
export function useBooking(meeting: Meeting | null, preset: Preset | null, { onSaved, onFaults }: BookingEvents) {
  const t = useTexts('meetings');
  const save = useSaveMeeting();
  const [base, setBase] = useState<Draft>(() => (meeting ? draftOf(meeting) : newDraft(new Date(), preset ?? {})));
  const [version, setVersion] = useState(meeting?.version ?? 0);
  const formKey = `meeting:${meeting?.meetId ?? 'new'}`;
  const [draft, setDraft] = useState(() => (keptDraft(formKey) as Draft | undefined) ?? base);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const showErrors = (next: FieldErrors) => {
    setErrors(next);
    onFaults();
  };

  const change = (part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    const touched = Object.keys(part);
    // Turning the waiting room on answers a missing password too, another time a room that was taken.
    if ('waitingRoom' in part) touched.push('password');
    if ('startTime' in part || 'duration' in part) touched.push('roomIds');
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !touched.includes(field))));
  };

  /** Takes over the newest version, keeping what was typed here. */
  const takeNewest = async (meetId: string) => {
    const newest = await api.meetings.detail({ params: { id: meetId } });
    const now = draftOf(newest);
    const { draft: merged, theirs } = rebase(base, draft, now);
    setConflict({ fields: theirs, before: base, now });
    setDraft(merged);
    setBase(now);
    setVersion(newest.version);
  };

  const refused = (reason: unknown) => {
    if (meeting && isApiError(reason, 'MEETING_CONFLICT')) {
      takeNewest(meeting.meetId).catch(reportError);
      return;
    }
    const next = reason instanceof ApiError ? fieldErrorsOf(reason) : {};
    if (Object.keys(next).length > 0) showErrors(next);
    else reportError(reason);
  };

  const submit = () => {
    const faults = Object.entries(faultsOf(draft, new Date(), meeting ? base.startTime ?? undefined : undefined));
    if (faults.length > 0) {
      showErrors(Object.fromEntries(faults.map(([field, fault]) => [field, t(`invalid.${fault.key}`, fault.values ?? {})])));
      return;
    }
    save.mutate(
      { body: bodyOf(draft), edited: meeting ? { meetId: meeting.meetId, version } : undefined },
      {
        onSuccess: (saved) => {
          toast('success', t(meeting ? 'form.saved' : 'form.booked'));
          onSaved(saved);
        },
        onError: refused,
      },
    );
  };

  const isSaved = save.isSuccess;
  const isDirty = !isSaved && changedFields(base, draft).length > 0;
  useKeepDraft(formKey, isDirty ? draft : null);
  return { draft, errors, conflict, change, submit, isSaving: save.isPending, isSaved, isDirty };
}

/** Refusals that are about one field, whatever else was sent. */
const FIELD_OF: Partial<Record<string, DraftField>> = {
  MEETING_IN_PAST: 'startTime',
  PASSWORD_OR_WAITING_ROOM: 'password',
  PARTICIPANT_UNKNOWN: 'participants',
  ROOM_UNKNOWN: 'roomIds',
  ROOM_TAKEN: 'roomIds',
  ROOM_CLOSED: 'roomIds',
} satisfies Partial<Record<ErrorCode, DraftField>>;

const NAMED_FIELDS: readonly string[] = ['subject', 'startTime', 'duration', 'password', 'participants', 'roomIds', 'agenda'] satisfies DraftField[];

/** The fields a refusal is about, with the server's sentence. */
function fieldErrorsOf({ code, message, fields }: ApiError): FieldErrors {
  const field = FIELD_OF[code];
  if (field) return { [field]: message };
  // Names of fields are paths, as `participants.0.email`.
  const named = Object.entries(fields).map(([path, sentence]) => [path.split('.').find((part) => NAMED_FIELDS.includes(part)), sentence] as const);
  return Object.fromEntries(named.filter(([name]) => name !== undefined));
}
