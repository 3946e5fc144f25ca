import type { BookingBody, Meeting, MeetingBody, SeriesScope } from '@rmeet/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { api, uploadingMeetingsApi } from '../../lib/api/index.ts';
import { system } from '../../lib/browser.ts';
import { useLiveQueries } from '../../lib/useLiveQueries.ts';
import type { SettingBody } from '../../ui/broadcast/setting.ts';
import type { BookableType } from './types.ts';
import type { ListState } from './list/useMeetingListState.ts';

/** The first part of the key of every query of meetings. */
export const MEETINGS_KEY = 'meetings';

/**
 * One page of the list, while it is shown; of the whole tenant in the manage app. The previous page stays until the
 * next one has arrived.
 */
export function useMeetingList(state: ListState, isShown: boolean) {
  return useQuery({
    queryKey: [MEETINGS_KEY, 'list', state],
    queryFn: () => {
      const today = dayjs().startOf('day');
      const day = { dayStart: today.toISOString(), dayEnd: today.add(1, 'day').toISOString() };
      // The contract parses the flag from text, as in query strings.
      const { type, ...rest } = state;
      return api.meetings.list({
        query: {
          ...rest,
          ...(type === '' ? {} : { type }),
          ...day,
          tenantWide: system === 'manage' ? 'true' : 'false',
        },
      });
    },
    placeholderData: keepPreviousData,
    enabled: isShown,
  });
}

/** One meeting, kept up to date while it is shown. */
export function useMeeting(id: string, shown: boolean) {
  return useQuery({
    queryKey: [MEETINGS_KEY, 'detail', id],
    queryFn: () => api.meetings.detail({ params: { id } }),
    enabled: shown,
  });
}

/**
 * One meeting as it is when its form opens, without later updates: an edit starts from what the user saw. With null,
 * nothing is fetched.
 */
export function useMeetingToEdit(id: string | null, opening: number) {
  return useQuery({
    queryKey: ['meeting-edit', id, opening],
    queryFn: () => api.meetings.detail({ params: { id: id ?? '' } }),
    enabled: id !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Fetches the lists again when the server reports them as stale. */
export function useLiveMeetings(): void {
  useLiveQueries(MEETINGS_KEY);
}

/** The data sent by a booking form. */
export interface Saving {
  type: BookableType;
  body: BookingBody;
  /** Of the broadcast of a new live meeting. */
  live: SettingBody | null;
  /** The edited meeting, and the scope within its series; null for a new one. */
  edited: (Pick<Meeting, 'meetId' | 'version'> & { scope: SeriesScope }) | null;
  /** Files to add, and files to keep; if null, files do not change. */
  files: { added: readonly File[]; keepIds: readonly string[] } | null;
  onProgress: (part: number) => void;
}

/** Books or changes a meeting. The form shows errors. */
export function useSaveMeeting() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: save, onSuccess: refresh, meta: { quiet: true } });
}

function save({ type, body, live, edited, files, onProgress }: Saving): Promise<Meeting> {
  const patient = files === null || files.added.length === 0 ? api.meetings : uploadingMeetingsApi(onProgress);
  const added = files === null ? {} : { files: files.added };
  if (edited) {
    const { meetId, version, scope } = edited;
    const call = { params: { id: meetId }, body: { ...body, version, scope } };
    return files === null
      ? api.meetings.update(call)
      : patient.updateWithFile({ ...call, ...added, body: { ...call.body, keepFileIds: [...files.keepIds] } });
  }
  switch (type) {
    case 'NETWORK_MEETING':
      return api.meetings.createNetwork({ body });
    case 'VIDEO_MEETING':
      return api.meetings.createVideo({ body });
    case 'LIVE_MEETING':
      return api.meetings.createLive({ body: { ...body, live: live ?? {} } });
    case 'PHONE_MEETING':
      return api.meetings.createTelephone({ body });
    case 'LOCAL_MEETING':
      return patient.createLocal({ body, ...added });
  }
}

/**
 * Cancels a meeting, and others of its series depending on the scope. The files of local meetings are deleted with
 * them.
 */
export function useCancelMeeting() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ meetId, type, scope }: Pick<Meeting, 'meetId' | 'type'> & { scope: SeriesScope }) => {
      const call = { params: { id: meetId }, query: { scope } };
      return type === 'LOCAL_MEETING' ? api.meetings.cancelWithFile(call) : api.meetings.cancel(call);
    },
    onSettled: refresh,
  });
}

/** Opens the conference of a booked meeting; `early` confirms a start before its time. The caller shows errors. */
export function useStartMeeting() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ meetId, early }: { meetId: string; early: boolean }) =>
      api.meetings.start({ params: { id: meetId }, body: { early } }),
    onSettled: refresh,
    meta: { quiet: true },
  });
}

/** Books a meeting that starts now. */
export function useMeetNow() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (body: MeetingBody) => api.meetings.createNetwork({ body }), onSuccess: refresh });
}

/** Checks a meeting in to its room. */
export function useCheckIn() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { meetId: string; roomId: string }) => api.rooms.checkIn({ body }),
    onSettled: refresh,
  });
}

/** Releases a room for the rest of a meeting. */
export function useReleaseRoom() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { meetId: string; roomId: string }) => api.rooms.release({ body }),
    onSettled: refresh,
  });
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [MEETINGS_KEY] });
}

/** Whether meetings of the organisation can be recorded; assumed until it is known. */
export function useMayRecord(): boolean {
  const { data } = useQuery({
    queryKey: ['recordings', 'usage'],
    queryFn: () => api.recordings.usage({}),
    meta: { quiet: true },
  });
  return data?.enabled ?? true;
}
