import type { HeldConference } from '@rmeet/contract';
import { Link } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { recordPath } from '../../lib/paths.ts';
import { formatTime } from '../../lib/time.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { durationWords, numberWords } from './words.ts';

type Column = AdminColumn<HeldConference, 'startedAt' | 'duration'>;

/** The columns of the list; on a phone there is only one column, because a wide table is hard to read there. */
export function useHistoryColumns(isPhone: boolean): Column[] {
  const t = useTexts('history');
  const end = ({ endReason }: HeldConference) =>
    endReason === null ? <span className="record-running">{t('running')}</span> : t(`end.${endReason}`);
  const subject = ({ id, subject: name }: HeldConference) => (
    <Link className="row-link" to={recordPath(id)} data-testid="history-open">
      {name}
    </Link>
  );
  if (isPhone) {
    return [
      {
        key: 'subject',
        label: t('column.subject'),
        width: 280,
        always: true,
        render: (row) => (
          <span className="history-card">
            {subject(row)}
            <span>{[formatTime(row.startedAt), durationWords(row.duration, t)].join(' · ')}</span>
            <span>{[row.host.name, t('peopleCount', { count: row.people })].join(' · ')}</span>
            {row.endedAt === null && end(row)}
          </span>
        ),
      },
    ];
  }
  return [
    { key: 'subject', label: t('column.subject'), width: 240, always: true, render: subject },
    { key: 'type', label: t('column.type'), width: 110, optional: true, render: ({ type }) => t(`type.${type}`) },
    { key: 'number', label: t('column.number'), width: 120, render: ({ numericId }) => numberWords(numericId) },
    { key: 'host', label: t('column.host'), width: 140, render: ({ host }) => host.name },
    {
      key: 'startedAt',
      label: t('column.startedAt'),
      width: 160,
      sort: 'startedAt',
      always: true,
      render: ({ startedAt }) => formatTime(startedAt),
    },
    {
      key: 'duration',
      label: t('column.duration'),
      width: 130,
      sort: 'duration',
      render: ({ duration }) => durationWords(duration, t),
    },
    { key: 'people', label: t('column.people'), width: 90, render: ({ people }) => String(people) },
    { key: 'peak', label: t('column.peak'), width: 120, render: ({ peakTerminals }) => String(peakTerminals) },
    { key: 'end', label: t('column.end'), width: 150, render: end },
  ];
}
