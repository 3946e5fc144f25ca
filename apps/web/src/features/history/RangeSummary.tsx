import { HISTORY_ALL } from '@rmeet/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dayjs from 'dayjs';
import { api } from '../../lib/api/index.ts';
import { language, useTexts } from '../../lib/i18n/index.ts';
import { queryOf, type HistoryState } from './listShape.ts';
import { durationWords } from './words.ts';

/** Totals for the days of the filter, over all pages; the search does not narrow them. */
export function RangeSummary({ state }: { state: HistoryState }) {
  const t = useTexts('history');
  const { from, until } = queryOf(state);
  const isRange =
    from !== undefined &&
    until !== undefined &&
    dayjs(until).diff(from, 'day', true) <= HISTORY_ALL.days &&
    state.keyword === '';
  const found = useQuery({
    queryKey: ['history', 'all', from, until, state.type],
    queryFn: () =>
      api.history.all({
        query: { startDate: from ?? '', endDate: until ?? '', ...(state.type === '' ? {} : { type: state.type }) },
      }),
    enabled: isRange,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  const records = found.data?.records ?? [];
  const sum = (of: 'duration' | 'people'): number => records.reduce((total, one) => total + one[of], 0);
  return (
    <p className="history-summary" role="status" data-testid="history-summary">
      {isRange &&
        found.data &&
        records.length > 0 &&
        t(found.data.isCut ? 'summary.atLeast' : 'summary.all', {
          count: records.length,
          time: durationWords(sum('duration'), t),
          people: sum('people').toLocaleString(language()),
        })}
    </p>
  );
}
