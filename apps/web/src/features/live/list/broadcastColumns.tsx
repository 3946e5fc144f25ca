import type { Broadcast } from '@rmeet/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { watchPath } from '../../../lib/paths.ts';
import { formatTime } from '../../../lib/time.ts';
import type { AdminColumn } from '../../../ui/admin/columns.ts';
import { StateBadge } from '../../../ui/broadcast/StateBadge.tsx';
import { useT as useBroadcastTexts } from '../../../ui/broadcast/texts.ts';
import { useT } from '../texts.ts';

export type BroadcastSort = 'startTime' | 'subject' | 'viewers';
type Column<Row> = AdminColumn<Row, BroadcastSort>;

/** What a list shows that others do not. */
interface Particular<Row> {
  /** In place of the badge. */
  renderState: (row: Row) => ReactNode;
  stateWidth: number;
  /** In place of who may watch. */
  column: Column<Row>;
}

/** The columns of a list; on a phone there is only one, with all of them as a card. */
export function useBroadcastColumns<Row extends Broadcast = Broadcast>(
  isPhone: boolean,
  particular?: Particular<Row>,
): Column<Row>[] {
  const t = useT();
  const settings = useBroadcastTexts();
  const viewers = (row: Row): string => viewersWords(row, t);
  const stateOf = particular?.renderState ?? (({ state }: Row) => <StateBadge state={state} />);
  if (isPhone)
    return [
      {
        key: 'subject',
        label: t('column.subject'),
        width: 220,
        always: true,
        render: (row) => (
          <span className="broadcast-card">
            <Subject row={row} />
            <small>{[formatTime(row.startTime), row.host.name].join(' · ')}</small>
            <span className="broadcast-card-line">
              {stateOf(row)}
              <small>{viewers(row)}</small>
            </span>
          </span>
        ),
      },
    ];
  return [
    {
      key: 'subject',
      label: t('column.subject'),
      width: 280,
      sort: 'subject',
      always: true,
      render: (row) => <Subject row={row} />,
    },
    { key: 'state', label: t('column.state'), width: particular?.stateWidth ?? 110, render: stateOf },
    {
      key: 'startTime',
      label: t('column.startTime'),
      width: 160,
      sort: 'startTime',
      render: ({ startTime }) => formatTime(startTime),
    },
    { key: 'host', label: t('column.host'), width: 120, render: ({ host }) => host.name },
    particular?.column ?? {
      key: 'access',
      label: t('column.access'),
      width: 130,
      render: ({ setting }) => settings(`access.${setting.access}`),
    },
    { key: 'viewers', label: t('column.viewers'), width: 140, sort: 'viewers', render: viewers },
  ];
}

/** Those who watch now, or the most at one time. */
function viewersWords({ state, viewers, peak }: Broadcast, t: ReturnType<typeof useT>): string {
  if (state === 'scheduled') return viewers === 0 ? '' : t('waiting', { count: viewers });
  return state === 'ended' ? t('peak', { count: peak }) : t('watching', { count: viewers });
}

function Subject({ row: { id, subject } }: { row: Broadcast }) {
  return (
    <Link className="row-link broadcast-subject" to={watchPath(id)} data-testid="broadcast-open">
      {subject}
    </Link>
  );
}
