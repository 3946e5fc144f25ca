import { pathOf, statistics } from '@rmeet/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { useListQuery } from '../../lib/useListQuery.ts';
import { cutOf, dimensionOf, unitOf, type StatisticsState } from './state.ts';

const shared = { placeholderData: keepPreviousData, meta: { quiet: 'unloaded' } } as const;

/** The figures of the period. The previous ones stay until the new ones have arrived. */
export function useFigures(state: StatisticsState) {
  const query = { ...cutOf(state), unit: unitOf(state) };
  return useQuery({
    queryKey: ['statistics', 'query', query],
    queryFn: () => api.statistics.query({ query }),
    ...shared,
  });
}

/** The parts of the period. */
export function useBreakdown(state: StatisticsState) {
  const query = { ...cutOf(state), by: dimensionOf(state) };
  return useQuery({
    queryKey: ['statistics', 'breakdown', query],
    queryFn: async () => ({ by: query.by, ...(await api.statistics.breakdown({ query })) }),
    ...shared,
  });
}

/** One page of the meetings behind the figures. */
export function useMeetingsBehind(state: StatisticsState) {
  const { keyword, current, size, sort, order } = state;
  const query = { ...cutOf(state), ...(keyword === '' ? {} : { keyword }), current, size, sort, order };
  return useListQuery(['statistics', 'meetings', query], () => api.statistics.meetings({ query }));
}

export function useSettings() {
  return useQuery({ queryKey: ['statistics', 'settings'], queryFn: () => api.statistics.settings(), ...shared });
}

/** Loads everything of the page again. */
export function useRefreshStatistics() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['statistics'] });
}

/** URLs of the files with the figures of the page. */
export function filePaths(state: StatisticsState) {
  const cut = cutOf(state);
  const query = { ...cut, unit: unitOf(state) };
  return {
    workbook: pathOf(statistics.export, { query }),
    report: pathOf(statistics.report, { query: cut }),
    text: pathOf(statistics.text, { query }),
  };
}
