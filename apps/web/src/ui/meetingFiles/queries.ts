import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../lib/api/index.ts';
import type { Place } from './place.ts';
import { uploads } from './uploads.ts';

/** How often the list is read while its page is visible: others add files, too. */
const EVERY = 10_000;
const CONVERSION_EVERY = 2_000;

const KEY = 'meetingFiles';

/** The files in a folder of a meeting. */
export function useFiles(meetId: string, { folderId, keyword, sort, current, size }: Place) {
  const client = useQueryClient();
  useEffect(() => {
    uploads.onDone = (id) => void client.invalidateQueries({ queryKey: [KEY, id] });
  }, [client]);
  return useQuery({
    queryKey: [KEY, meetId, folderId, keyword, sort, current, size],
    queryFn: () =>
      api.meetingFiles.list({
        query: {
          meetId,
          current,
          size,
          sort,
          order: sort === 'name' ? 'ASC' : 'DESC',
          ...(folderId === null ? {} : { folderId }),
          ...(keyword === '' ? {} : { keyword }),
        },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY,
  });
}

/** A change of files of a meeting, after which the list is read again. */
export function useFileChange<T>(meetId: string, work: (input: T) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSettled: () => client.invalidateQueries({ queryKey: [KEY, meetId] }),
  });
}

export function useVersions(id: string) {
  return useQuery({ queryKey: [KEY, 'versions', id], queryFn: () => api.meetingFiles.versions({ params: { id } }) });
}

/** How a file is shown; asked again while the server prepares it. */
export function usePreview(id: string) {
  return useQuery({
    queryKey: [KEY, 'preview', id],
    queryFn: () => api.meetingFiles.preview({ params: { id } }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (state.data?.state === 'converting' ? CONVERSION_EVERY : false),
  });
}

/** The beginning of a text. */
export function useShownText(url: string) {
  return useQuery({
    queryKey: [KEY, 'text', url],
    queryFn: async () => {
      const response = await fetch(url);
      if (!response.ok) throw new Error('The text was not sent.');
      return response.text();
    },
    gcTime: 0,
    retry: false,
  });
}
