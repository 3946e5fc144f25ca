import type { Page } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { RECORDS_SIZE } from './queries.ts';

interface RecordListProps<T> {
  list: { data: Page<T> | undefined; isPending: boolean; isError: boolean; refetch: () => unknown };
  current: number;
  onPage: (current: number) => void;
  empty: { title: string; hint: string };
  render: (row: T) => ReactNode;
}

/** One page of a list in the drawer. */
export function RecordList<T extends { id: string }>({ list, current, onPage, empty, render }: RecordListProps<T>) {
  const t = useTexts('apiRecords');
  if (list.isError && !list.data) return <ErrorState retry={() => void list.refetch()} />;
  if (list.isPending || !list.data) return <Loading />;
  const { records, total } = list.data;
  if (total === 0) return <EmptyState picture="list" {...empty} />;
  const last = Math.max(1, Math.ceil(total / RECORDS_SIZE));
  return (
    <>
      <ul className="api-rows">
        {records.map((row) => (
          <li key={row.id}>{render(row)}</li>
        ))}
      </ul>
      {last > 1 && (
        <nav className="api-pages" aria-label={t('records.pages')}>
          <Button disabled={current <= 1} data-testid="records-previous" onClick={() => onPage(current - 1)}>
            {t('records.newer')}
          </Button>
          <span>{t('records.page', { current, last })}</span>
          <Button disabled={current >= last} data-testid="records-next" onClick={() => onPage(current + 1)}>
            {t('records.older')}
          </Button>
        </nav>
      )}
    </>
  );
}
