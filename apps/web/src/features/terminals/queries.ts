import { pathOf, REQUEST_TIMEOUT, terminals, type RegisteredTerminal, type Room } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, terminalsApiWithTimeout } from '../../lib/api/index.ts';
import { withoutEmpty } from '../../lib/listState.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { findRow } from '../../lib/findRow.ts';
import { language } from '../../lib/i18n/index.ts';
import type { TerminalListState } from './listShape.ts';

const KEY = 'terminals';
/** Storing thousands of rows takes a long time. */
const IMPORT_TIMEOUT = 4 * REQUEST_TIMEOUT;
/** Maximum page size for rooms. */
const PAGE = 200;

function filterOf({ keyword, kind, room, status, sort, order }: TerminalListState) {
  return {
    keyword,
    sort,
    order,
    ...withoutEmpty({ kind, roomId: room, status }),
  };
}

/** The language of a workbook's header. */
const workbookLanguage = () => (language() === 'en' ? { en: '1' } : {});

export function useTerminalList(state: TerminalListState) {
  return useListQuery([KEY, 'list', state], () =>
    api.terminals.list({ query: { ...filterOf(state), current: state.current, size: state.size } }),
  );
}

/** URL of the workbook with the whole list; without a state, with all terminals. */
export function exportPath(state?: TerminalListState): string {
  return pathOf(terminals.export, { query: { ...(state ? filterOf(state) : {}), ...workbookLanguage() } });
}

/** All rooms of the tenant by building, including those that cannot be booked. */
export function useRooms() {
  return useQuery({
    queryKey: ['rooms', 'all'],
    queryFn: async () => {
      const rooms: Room[] = [];
      for (let current = 1; ; current++) {
        const { records } = await api.rooms.list({ query: { sort: 'building', current, size: PAGE } });
        rooms.push(...records);
        if (records.length < PAGE) return rooms;
      }
    },
    staleTime: 60_000,
  });
}

export function useRefreshTerminals(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: [KEY] });
}

/**
 * The current version of a terminal; there is no call for a single one. Its address seldom changes, so it is searched
 * first.
 */
export async function findTerminal({
  id,
  address,
}: Pick<RegisteredTerminal, 'id' | 'address'>): Promise<RegisteredTerminal | undefined> {
  const found = await findRow(
    (paging) => api.terminals.list({ query: { keyword: address.slice(0, 100), ...paging } }),
    id,
  );
  return found ?? findRow((paging) => api.terminals.list({ query: paging }), id);
}

export function useRemoveTerminals() {
  const refresh = useRefreshTerminals();
  return useMutation({ mutationFn: (ids: string[]) => api.terminals.remove({ body: { ids } }), onSettled: refresh });
}

/** Uploads a worksheet (base64); `signal` stops waiting for the answer. */
export function sendSheet(file: string, dryRun: boolean, signal: AbortSignal) {
  return terminalsApiWithTimeout({ signal, timeout: IMPORT_TIMEOUT }).import({ body: { file, dryRun } });
}
