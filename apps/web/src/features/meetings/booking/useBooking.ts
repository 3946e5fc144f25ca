import type { ErrorCode, Meeting, SeriesScope } from '@rmeet/contract';
import { useRef, useState } from 'react';
import { api, ApiError, isApiError, reportError } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { keptDraft, useKeepDraft } from '../../../lib/keptDrafts.ts';
import { keepMeetingKey, meetingKey, newMeetingKey } from '../../../lib/meetingKeys.ts';
import { toast } from '../../../lib/notify.ts';
import type { AddedFile, FileFault } from './FileField.tsx';
import { bodyOf, comparedOf, draftOf, faultsOf, newDraft, type Draft, type DraftField, type Preset } from './draft.ts';
import { useDraft } from '../../../ui/admin/useDraft.ts';
import { settingBody } from '../../../ui/broadcast/setting.ts';
import { useSaveMeeting, type Saving } from '../queries.ts';
import { ruleOf, writeRule } from '../series/rule.ts';
import { askScope } from '../series/askScope.ts';
import type { BookableType } from '../types.ts';

export type FieldErrors = Partial<Record<DraftField, string>>;

interface BookingEvents {
  onSaved: (meeting: Meeting) => void;
  /** Called if a field is invalid; the field shows its error. */
  onFaults: () => void;
}

interface Start {
  /** The edited meeting; null for a new one, which starts from `preset`. */
  meeting: Meeting | null;
  preset: Preset | null;
  /** The default type of a new meeting. */
  type: BookableType;
}

/** The state of the booking form. */
// oxlint-disable-next-line max-lines-per-function -- one form: its state and what changes it belong together
export function useBooking({ meeting, preset, type }: Start, { onSaved, onFaults }: BookingEvents) {
  const t = useTexts('meetings');
  const saving = useSaveMeeting();
  const formKey = `meeting:${meeting?.meetId ?? 'new'}`;
  const { base, version, draft, setDraft, conflict, changed, takeNewest } = useDraft<Draft>(
    () => ({
      draft: meeting ? draftOf(meeting) : newDraft(new Date(), type, preset ?? {}),
      version: meeting?.version ?? 0,
    }),
    { restore: (saved) => ({ ...saved, ...(keptDraft(formKey) as Draft | undefined) }), compared: comparedOf },
  );
  const [errors, setErrors] = useState<FieldErrors>({});
  const files = useAddedFiles();

  const showErrors = (next: FieldErrors) => {
    setErrors(next);
    onFaults();
  };

  const change = (part: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...part }));
    const fields = Object.keys(part) as DraftField[];
    const touched = new Set<string>(fields.concat(fields.flatMap((field) => ANSWERED[field] ?? [])));
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([field]) => !touched.has(field))));
  };

  const merge = async (meetId: string) => {
    const newest = await api.meetings.detail({ params: { id: meetId } });
    takeNewest({ draft: draftOf(newest), version: newest.version });
  };

  const refused = (reason: unknown) => {
    if (meeting && isApiError(reason, 'MEETING_CONFLICT')) {
      merge(meeting.meetId).catch(reportError);
      return;
    }
    if (isApiError(reason, 'FILE_TOO_LARGE', 'FILES_TOO_MANY', 'FILE_UNKNOWN')) {
      files.refuse(reason.message);
      onFaults();
      return;
    }
    const next = reason instanceof ApiError ? fieldErrorsOf(reason) : {};
    if (Object.keys(next).length > 0) showErrors(next);
    else reportError(reason);
  };

  const send = (scope: SeriesScope) => {
    const hasOtherFiles = draft.type === 'LOCAL_MEETING' && (files.added.length > 0 || changed.includes('files'));
    const call: Saving = {
      type: draft.type,
      body: bookingBody(draft),
      live: draft.type === 'LIVE_MEETING' ? settingBody(draft.live) : null,
      edited: meeting ? { meetId: meeting.meetId, version, scope } : null,
      files: hasOtherFiles
        ? { added: files.added.map(({ file }) => file), keepIds: draft.files.map(({ id }) => id) }
        : null,
      onProgress: files.setProgress,
    };
    saving.mutate(call, {
      onSuccess: (saved) => {
        if (saved.e2ee && meetingKey(saved.numericId) === null && meeting?.e2ee !== true)
          keepMeetingKey(saved.numericId, newMeetingKey());
        toast('success', () => t(meeting ? 'form.saved' : 'form.booked'));
        onSaved(saved);
      },
      onError: refused,
      onSettled: () => files.setProgress(null),
    });
  };

  const submit = async () => {
    const faults = Object.entries(faultsOf(draft, new Date(), meeting ? (base.startTime ?? undefined) : undefined));
    if (faults.length > 0) {
      showErrors(
        Object.fromEntries(faults.map(([field, fault]) => [field, t(`invalid.${fault.key}`, fault.values ?? {})])),
      );
      return;
    }
    // The scope of a new rule is chosen beside the rule, with a preview of the result.
    const chosen = meeting?.series ? draft.repeat?.scope : undefined;
    const scope = chosen ?? (meeting ? await askScope(meeting, 'edit', t) : 'one');
    if (scope !== null) send(scope);
  };

  const isSaved = saving.isSuccess;
  const isDirty = !isSaved && (changed.some((field) => meeting !== null || field !== 'type') || files.added.length > 0);
  useKeepDraft(formKey, isDirty ? draft : null);
  return { draft, errors, conflict, files, change, submit, isSaving: saving.isPending, isSaved, isDirty };
}

export type Booking = ReturnType<typeof useBooking>;

/** The request body of a draft, with its recurrence rule. */
function bookingBody(draft: Draft): Saving['body'] {
  const { repeat, startTime, timeZone } = draft;
  const rule = repeat && startTime !== null ? ruleOf(repeat, startTime, timeZone) : null;
  return {
    ...bodyOf(draft),
    ...(repeat && rule ? { recurrence: { rule: writeRule(rule), except: [...repeat.except] } } : {}),
  };
}

/** Files chosen in the form, and their errors. */
function useAddedFiles() {
  const [added, setAdded] = useState<readonly AddedFile[]>([]);
  const [fault, setFault] = useState<FileFault | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const nextKey = useRef(1);
  return {
    added,
    fault,
    progress,
    setProgress,
    add: (files: readonly File[]) => {
      setFault(null);
      setAdded((now) => [...now, ...files.map((file) => ({ key: nextKey.current++, file }))]);
    },
    remove: (key: number) => {
      setFault(null);
      setAdded((now) => now.filter((one) => one.key !== key));
    },
    clearFault: () => setFault(null),
    /** The server's message names the file it concerns, if any. */
    refuse: (text: string) =>
      setFault({ name: added.find(({ file }) => text.includes(file.name))?.file.name ?? null, text }),
  };
}

/** Other fields whose error a change of one field may resolve, as a new time does for an occupied room. */
const ANSWERED: Partial<Record<DraftField, readonly DraftField[]>> = {
  waitingRoom: ['password'],
  template: ['password'],
  startTime: ['roomIds', 'repeat'],
  duration: ['roomIds', 'repeat'],
  timeZone: ['startTime', 'roomIds', 'repeat'],
  repeat: ['roomIds'],
  roomIds: ['repeat'],
  type: ['roomIds', 'phones', 'terminals', 'password', 'e2ee', 'live'],
  terminals: ['e2ee'],
  phones: ['e2ee'],
  autoRecord: ['e2ee'],
};

/** Error codes that concern one field, whatever else was sent. */
const FIELD_OF: Partial<Record<string, DraftField>> = {
  MEETING_IN_PAST: 'startTime',
  QUOTA_DURATION: 'duration',
  PASSWORD_OR_WAITING_ROOM: 'password',
  PARTICIPANT_UNKNOWN: 'participants',
  ROOM_UNKNOWN: 'roomIds',
  ROOM_TAKEN: 'roomIds',
  RESOURCE_UNKNOWN: 'resource',
  RESOURCE_FULL: 'resource',
  RESOURCE_HOURS: 'resource',
  ROOM_CLOSED: 'roomIds',
  ROOM_REQUIRED: 'roomIds',
  TERMINAL_UNKNOWN: 'terminals',
  TERMINALS_VIDEO_ONLY: 'terminals',
  PHONE_PARTY_REQUIRED: 'phones',
  VIP_NOT_ALLOWED: 'vip',
  E2EE_UNSUPPORTED: 'e2ee',
  BROADCAST_PASSWORD_REQUIRED: 'live',
  RECURRENCE_INVALID: 'repeat',
  SERIES_ENDLESS: 'repeat',
  SERIES_TOO_LONG: 'repeat',
  SERIES_EMPTY: 'repeat',
  SERIES_OVERLAPS: 'repeat',
  SERIES_RULE_NEEDED: 'repeat',
  SERIES_ROOMS_TAKEN: 'roomIds',
} satisfies Partial<Record<ErrorCode, DraftField>>;

/** Maps fields of the request body to fields of the form. */
const NAMED_FIELDS: Partial<Record<string, DraftField>> = {
  subject: 'subject',
  startTime: 'startTime',
  duration: 'duration',
  timeZone: 'timeZone',
  recurrence: 'repeat',
  roomIds: 'roomIds',
  terminalIds: 'terminals',
  participants: 'participants',
  password: 'password',
  agenda: 'agenda',
};

/** The fields that a rejection concerns, with the server's message. */
function fieldErrorsOf({ code, message, fields }: ApiError): FieldErrors {
  const field = FIELD_OF[code];
  if (field) return { [field]: message };
  // Field names are paths such as `participants.0.email`.
  const named = Object.entries(fields).map(
    ([path, sentence]) =>
      [
        path
          .split('.')
          .map((part) => NAMED_FIELDS[part])
          .find(Boolean),
        sentence,
      ] as const,
  );
  return Object.fromEntries(named.filter(([name]) => name !== undefined));
}
