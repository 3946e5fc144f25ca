import type { Meeting, MeetingBody } from '@rmeet/contract';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { useEffect, useRef } from 'react';
import { api } from '../../lib/api/index.ts';
import { system } from '../../lib/browser.ts';
import { usePushTopic } from '../../lib/push/index.ts';
import type { ListState } from './useListState.ts';

const KEY = 'meetings';
/** Milliseconds within which changes of many meetings lead to one fetch. */
const GATHER = 250;

/** One page of the list; of the whole tenant in the manage app. The page before stays while the next one comes. */
export function useMeetingList(state: ListState) {
  return useQuery({
    queryKey: [KEY, 'list', state],
    queryFn: () => {
      const today = dayjs().startOf('day');
      const day = { dayStart: today.toISOString(), dayEnd: today.add(1, 'day').toISOString() };
      // The contract reads the flag from text, as queries carry it.
      return api.meetings.list({ query: { ...state, ...day, tenantWide: system === 'manage' ? 'true' : 'false' } });
    },
    placeholderData: keepPreviousData,
  });
}

/** One meeting, kept up to date while it is shown. */
export function useMeeting(id: string, shown: boolean) {
  return useQuery({
    queryKey: [KEY, 'detail', id],
    queryFn: () => api.meetings.detail({ params: { id } }),
    enabled: shown,
  });
}

/** One meeting as it stands when its form opens, and no newer: an edit starts from what the person saw. Null asks for none. */
export function useMeetingToEdit(id: string | null, opening: number) {
  return useQuery({
    queryKey: ['meeting-edit', id, opening],
    queryFn: () => api.meetings.detail({ params: { id: id ?? '' } }),
    enabled: id !== null,
    staleTime: Infinity,
    gcTime: 0,
  });
}

/** Fetches the lists again when the server says that they are stale. */
export function useLiveMeetings(): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: [KEY] });
    }, GATHER);
  };
  usePushTopic('activity', { event: refresh, stale: refresh });
  useEffect(() => () => clearTimeout(timer.current), []);
}

/** Books (`edited` missing) or changes a meeting. Its form shows the failures. */
export function useSaveMeeting() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ body, edited }: { body: MeetingBody; edited?: Pick<Meeting, 'meetId' | 'version'> | undefined }) =>
      edited
        ? api.meetings.update({ params: { id: edited.meetId }, body: { ...body, version: edited.version } })
        : api.meetings.createNetwork({ body }),
    onSuccess: refresh,
    meta: { quiet: true },
  });
}

export function useCancelMeeting() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => api.meetings.cancel({ params: { id }, query: {} }), onSettled: refresh });
}

/** Opens the conference of a booked meeting before its time. */
export function useStartMeeting() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (id: string) => api.meetings.start({ params: { id } }), onSettled: refresh });
}

/** Books a meeting for this moment. */
export function useMeetNow() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (body: MeetingBody) => api.meetings.createNetwork({ body }), onSuccess: refresh });
}

/** Says that a meeting is in its room. */
export function useCheckIn() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (body: { meetId: string; roomId: string }) => api.rooms.checkIn({ body }), onSettled: refresh });
}

/** Gives a room back for the rest of a meeting. */
export function useReleaseRoom() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (body: { meetId: string; roomId: string }) => api.rooms.release({ body }), onSettled: refresh });
}

function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}
