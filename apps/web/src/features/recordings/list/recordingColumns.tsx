import type { FoundRecording } from '@rmeet/contract';
import { Link } from 'react-router';
import { recordingPath } from '../../../lib/paths.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { formatDay, formatTime } from '../../../lib/time.ts';
import type { AdminColumn } from '../../../ui/admin/columns.ts';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';

type Column = AdminColumn<FoundRecording, 'startTime' | 'duration' | 'bytes' | 'subject'>;

/** The columns of the list; on a phone there is only one, with all of them as a card. */
export function useRecordingColumns(isPhone: boolean): Column[] {
  const t = useT();
  const duration = ({ duration: ms, state }: FoundRecording) => (state === 'failed' && ms === 0 ? '' : clockWords(ms));
  if (isPhone)
    return [
      {
        key: 'subject',
        label: t('column.subject'),
        width: 230,
        always: true,
        render: (row) => (
          <span className="recording-card">
            <Subject row={row} />
            <small>{[formatTime(row.startTime), duration(row)].filter(Boolean).join(' · ')}</small>
            <small>{[row.host.name, sizeWords(row.bytes)].join(' · ')}</small>
            <State row={row} />
          </span>
        ),
      },
    ];
  return [
    {
      key: 'subject',
      label: t('column.subject'),
      width: 300,
      sort: 'subject',
      always: true,
      render: (row) => <Subject row={row} />,
    },
    {
      key: 'startTime',
      label: t('column.startTime'),
      width: 160,
      sort: 'startTime',
      render: ({ startTime }) => formatTime(startTime),
    },
    { key: 'state', label: t('column.state'), width: 130, render: (row) => <State row={row} always /> },
    { key: 'duration', label: t('column.duration'), width: 100, sort: 'duration', render: duration },
    { key: 'host', label: t('column.host'), width: 130, render: ({ host }) => host.name },
    { key: 'bytes', label: t('column.bytes'), width: 110, sort: 'bytes', render: ({ bytes }) => sizeWords(bytes) },
  ];
}

/** Its name, which opens it, and what the search found in it, each leading to its second. */
function Subject({ row: { id, subject, found, deletedAt } }: { row: FoundRecording }) {
  const t = useT();
  return (
    <span className="recording-subject">
      {deletedAt === null ? (
        <Link className="row-link" to={recordingPath(id)} data-testid="recording-open">
          {subject}
        </Link>
      ) : (
        <span>{subject}</span>
      )}
      {found.map(({ in: where, text, at }, index) => (
        <Link
          // oxlint-disable-next-line react/no-array-index-key -- the same may be found twice
          key={index}
          className="recording-found"
          to={recordingPath(id, at)}
          data-testid="recording-found"
        >
          <b>{t(`foundIn.${where}`)}</b>
          {at !== null && <time>{clockWords(at)}</time>}
          <span>{text}</span>
        </Link>
      ))}
    </span>
  );
}

/** How far it is, if it is not ready, or when it will be deleted. */
function State({ row: { state, deletedAt, expiresAt }, always = false }: { row: FoundRecording; always?: boolean }) {
  const t = useT();
  if (deletedAt !== null && expiresAt !== null)
    return <span className="recording-expires">{t('expires', { day: formatDay(expiresAt) })}</span>;
  if (state === 'ready' && !always) return null;
  return (
    <span className={`recording-state recording-state-${state}`} data-testid="recording-state">
      {t(`state.${state}`)}
    </span>
  );
}
