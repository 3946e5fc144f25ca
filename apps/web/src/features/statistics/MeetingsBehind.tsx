import type { CountedMeeting } from '@rmeet/contract';
import { Link } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { recordPath } from '../../lib/paths.ts';
import { formatTime } from '../../lib/time.ts';
import { AdminTable } from '../../ui/admin/AdminTable.tsx';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { ListToolbar } from '../../ui/admin/ListToolbar.tsx';
import { useMeetingsBehind } from './queries.ts';
import type { StatisticsState } from './state.ts';
import { useStatisticWords } from './words.ts';

interface MeetingsBehindProps {
  state: StatisticsState;
  onState: (change: Partial<StatisticsState>) => void;
}

/** The meetings behind the figures. Tenant administrators open their records in the history. */
export function MeetingsBehind({ state, onState }: MeetingsBehindProps) {
  const t = useTexts('statistics');
  const list = useMeetingsBehind(state);
  const columns = useMeetingColumns();
  return (
    <section className="statistics-panel" aria-labelledby="statistics-meetings">
      <header>
        <h2 id="statistics-meetings">{t('meetings.title')}</h2>
      </header>
      <AdminTable
        name="statistics"
        label={t('meetings.title')}
        columns={columns}
        list={list}
        state={state}
        onState={onState}
        nameOf={({ subject }) => subject}
        toolbar={
          <ListToolbar
            keyword={state.keyword}
            onSearch={(keyword) => onState({ keyword })}
            placeholder={t('meetings.search')}
          />
        }
        empty={
          state.keyword === ''
            ? { title: t('meetings.empty'), hint: t('meetings.emptyHint') }
            : { title: t('meetings.noMatch'), hint: t('meetings.noMatchHint') }
        }
      />
    </section>
  );
}

function useMeetingColumns(): AdminColumn<CountedMeeting, StatisticsState['sort']>[] {
  const t = useTexts('statistics');
  const words = useStatisticWords();
  const columns: AdminColumn<CountedMeeting, StatisticsState['sort']>[] = [
    {
      key: 'subject',
      label: t('meetings.subject'),
      width: 240,
      always: true,
      render: ({ id, subject }) =>
        system === 'manage' ? (
          <Link className="row-link" to={recordPath(id)} title={subject} data-testid="statistics-record">
            {subject}
          </Link>
        ) : (
          subject
        ),
    },
    {
      key: 'startedAt',
      label: t('meetings.startedAt'),
      width: 160,
      sort: 'startedAt',
      render: ({ startedAt }) => formatTime(startedAt),
    },
    { key: 'type', label: t('meetings.type'), width: 130, render: ({ type }) => t(`part.type.${type}`) },
    { key: 'host', label: t('meetings.host'), width: 130, render: ({ host }) => host },
    { key: 'department', label: t('meetings.department'), width: 180, render: ({ department }) => department },
    { key: 'tenant', label: t('dimension.tenant'), width: 150, render: ({ tenantName }) => tenantName },
    {
      key: 'minutes',
      label: t('meetings.minutes'),
      width: 110,
      sort: 'minutes',
      render: (row) => words.value('minutes', row.minutes),
    },
    {
      key: 'terminals',
      label: t('meetings.terminals'),
      width: 100,
      render: (row) => words.value('terminals', row.terminals),
    },
    {
      key: 'badMinutes',
      label: t('meetings.badMinutes'),
      width: 120,
      render: (row) => words.value('badMinutes', row.badMinutes),
    },
  ];
  return columns.filter(({ key }) => key !== 'tenant' || system === 'admin');
}
