import { FILE_SORTS, type FileSort } from '@rmeet/contract';
import { useState } from 'react';
import { useAddressParams } from '../../lib/addressParams.ts';

export const PAGE_SIZES = [50, 100, 200] as const;

/** What the list of files shows. */
export interface Place {
  /** Null: outside of all folders. */
  folderId: string | null;
  keyword: string;
  sort: FileSort;
  current: number;
  size: number;
}
export type ChangePlace = (change: Partial<Place>) => void;

const START: Place = { folderId: null, keyword: '', sort: 'name', current: 1, size: PAGE_SIZES[0] };

/** Every change except paging returns to the first page; another folder is not searched for the same word. */
function changed(place: Place, change: Partial<Place>): Place {
  return { ...place, current: 1, ...('folderId' in change ? { keyword: '' } : {}), ...change };
}

/** The place in the state of a component, for the meeting room, whose URL is that of the meeting. */
export function usePlace(): [Place, ChangePlace] {
  const [place, setPlace] = useState(START);
  return [place, (change) => setPlace((now) => changed(now, change))];
}

/** Names in the URL; those of the list behind the dialog are different ones. */
const NAMES = { open: 'files', folderId: 'folder', keyword: 'fq', sort: 'fsort', current: 'fpage', size: 'fsize' };

function read(params: URLSearchParams): Place {
  const current = Number(params.get(NAMES.current));
  return {
    folderId: params.get(NAMES.folderId),
    keyword: (params.get(NAMES.keyword) ?? '').slice(0, 100),
    sort: FILE_SORTS.find((known) => known === params.get(NAMES.sort)) ?? START.sort,
    current: Number.isInteger(current) && current >= 1 ? current : 1,
    size: PAGE_SIZES.find((known) => String(known) === params.get(NAMES.size)) ?? START.size,
  };
}

function write(params: URLSearchParams, place: Place): URLSearchParams {
  const result = new URLSearchParams(params);
  for (const key of ['folderId', 'keyword', 'sort', 'current', 'size'] as const) {
    if (place[key] === START[key]) result.delete(NAMES[key]);
    else result.set(NAMES[key], String(place[key]));
  }
  return result;
}

/** The place in the URL. Typing in the search field replaces the history entry. */
export function usePlaceInAddress(): [Place, ChangePlace] {
  const [params, setParams] = useAddressParams();
  const change: ChangePlace = (part) =>
    setParams((now) => write(now, changed(read(now), part)), { replace: 'keyword' in part });
  return [read(params), change];
}

/** Whether the dialog with the files of a meeting is open, in the URL; closing it forgets the place. */
export function useOpenInAddress(meetId: string): [boolean, (isOpen: boolean) => void] {
  const [params, setParams] = useAddressParams();
  const setOpen = (isOpen: boolean) =>
    setParams((now) => {
      const result = write(now, START);
      if (isOpen) result.set(NAMES.open, meetId);
      else result.delete(NAMES.open);
      return result;
    });
  return [params.get(NAMES.open) === meetId, setOpen];
}
