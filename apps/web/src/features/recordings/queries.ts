import {
  history,
  pathOf,
  recordings,
  type RecordingDetail,
  type RecordingSetting,
  type RecordingEdit,
} from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../lib/api/index.ts';
import { session } from '../../lib/browser.ts';
import { download } from '../../lib/download.ts';
import { fileSource } from '../../lib/files.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { queryOf, type RecordingsState } from './list/listShape.ts';
import { Signer } from './player/signer.ts';

/** Refetch intervals while something runs; ms. */
const RUNNING = 5_000;
const EXPORTING = 1_000;

const KEY = 'recordings';

/** A page of the list. The states of recordings that run are kept up to date. */
export function useRecordingList(state: RecordingsState) {
  return useListQuery([KEY, 'list', state], () => api.recordings.queryRecord({ query: queryOf(state) }), {
    refetchInterval: ({ state: { data } }) => (data?.records.some(isRunning) ? RUNNING : false),
  });
}

const isRunning = ({ state }: { state: string }): boolean => state === 'recording' || state === 'processing';

/** The space that the organisation's recordings take. */
export function useUsage() {
  return useQuery({ queryKey: [KEY, 'usage'], queryFn: () => api.recordings.usage({}), meta: { quiet: true } });
}

/** One recording; fetched again until it is ready. */
export function useRecording(id: string) {
  return useQuery({
    queryKey: [KEY, 'detail', id],
    queryFn: () => api.recordings.detail({ params: { id } }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? RUNNING : false),
    meta: { quiet: 'unloaded' },
  });
}

/** What happened in it. */
export function useTimeline(id: string, isReady: boolean) {
  return useQuery({
    queryKey: [KEY, 'timeline', id],
    queryFn: () => api.recordings.timeline({ params: { id } }),
    enabled: isReady,
    staleTime: Infinity,
    meta: { quiet: true },
  });
}

/** Signs the media of a recording for the signed-in user. */
export function useSigner(id: string): Signer {
  return useMemo(() => new Signer(() => api.recordings.playback({ params: { id } })), [id]);
}

/** The watermark that this user sees; null: none. */
export function useWatermark(signer: Signer, isReady: boolean) {
  return useQuery({
    queryKey: [KEY, 'watermark', signer],
    queryFn: async () => (await signer.playback()).watermark,
    enabled: isReady,
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  });
}

/** Everything of recordings is fetched again. */
export function useRefreshRecordings(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

interface RecordingChange {
  subject?: string;
  setting?: RecordingSetting;
  edit?: RecordingEdit | null;
}

/** Renames a recording, changes its settings, or how it is cut. */
export function useRecordingChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RecordingChange) => api.recordings.change({ params: { id }, body }),
    onSuccess: (detail: RecordingDetail) => {
      client.setQueryData([KEY, 'detail', id], detail);
      return client.invalidateQueries({ queryKey: [KEY, 'list'] });
    },
  });
}

/** Says anew who may watch the recordings of a meeting. */
export function useGrant(meetId: string) {
  const refresh = useRefreshRecordings();
  return useMutation({
    mutationFn: (userIds: string[]) => api.recordings.grantRecordIds({ query: { meetId }, body: { userIds } }),
    onSettled: refresh,
  });
}

/** The links of a recording that work. */
export function useShares(id: string) {
  return useQuery({
    queryKey: [KEY, 'shares', id],
    queryFn: () => api.recordings.shares({ params: { id } }),
    meta: { quiet: 'unloaded' },
  });
}

export function useShareChanges(id: string) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: [KEY, 'shares', id] });
  type Body = NonNullable<Parameters<typeof api.recordings.share>[0]['body']>;
  return {
    create: useMutation({
      mutationFn: (body: Body) => api.recordings.share({ params: { id }, body }),
      onSettled,
    }),
    revoke: useMutation({
      mutationFn: (shareId: string) => api.recordings.unshare({ params: { id: shareId } }),
      onSettled,
    }),
  };
}

/** The MP4 files of a recording; fetched again while one is made. */
export function useExports(id: string) {
  return useQuery({
    queryKey: [KEY, 'exports', id],
    queryFn: () => api.recordings.exports({ params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.records.some(({ state }) => state === 'waiting' || state === 'running') ? EXPORTING : false,
    meta: { quiet: 'unloaded' },
  });
}

export function useExportChanges(id: string) {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: [KEY, 'exports', id] });
  return {
    start: useMutation({
      mutationFn: (body: { track: string; whole: boolean }) => api.recordings.startExport({ params: { id }, body }),
      onSettled,
    }),
    cancel: useMutation({
      mutationFn: (exportId: string) => api.recordings.cancelExport({ params: { id: exportId } }),
      onSettled,
    }),
    save: useMutation({
      mutationFn: (exportId: string) => download(pathOf(recordings.exportFile, { params: { id: exportId } })),
    }),
  };
}

/** The files of the meeting's chat. */
export const recordingFiles = fileSource({
  token: () => session.token,
  pathOf: (id, preview) => pathOf(history.file, { params: { id }, query: preview ? { preview } : {} }),
  ticket: async (path) => (await api.downloads.ticket({ body: { path } })).ticket,
});
