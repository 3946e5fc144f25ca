import { EMPTY_CONTACT, type Meeting } from '@rmeet/contract';
import { useState } from 'react';
import { session } from '../../../lib/browser.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { elsewhereTime, formatDuration, formatNumber, formatTime } from '../format.ts';
import { MeetingBadges } from '../status/MeetingBadges.tsx';
import { roomWords } from '../rooms/roomNames.ts';
import { RowActions } from './RowActions.tsx';
import { StatusBadge } from '../status/StatusBadge.tsx';
import type { MeetingActions } from '../useMeetingActions.ts';
import type { ListState, SortKey } from './useMeetingListState.ts';

/** Shown instead of a password, of the same length for every password. */
const HIDDEN = '••••••';

interface MeetingTableProps {
  rows: readonly Meeting[];
  state: ListState;
  onState: (change: Partial<ListState>) => void;
  actions: MeetingActions;
  onOpen: (id: string) => void;
  onEdit: (id: string) => void;
  skeletonRows?: number;
  stale?: boolean;
}

// oxlint-disable-next-line max-lines-per-function -- one flat list of columns
export function MeetingTable({ rows, state, onState, actions, onOpen, onEdit, ...loading }: MeetingTableProps) {
  const t = useTexts('meetings');
  const first = (state.current - 1) * state.size + 1;
  const columns: Column<Meeting>[] = [
    { key: 'order', label: t('column.order'), width: '48px', wideOnly: true, render: (_, index) => first + index },
    { key: 'type', label: t('column.type'), width: '86px', wideOnly: true, render: ({ type }) => t(`type.${type}`) },
    {
      key: 'subject',
      label: t('column.name'),
      sortable: true,
      heading: true,
      render: (meeting) => <NameCell meeting={meeting} onOpen={onOpen} />,
    },
    {
      key: 'numericId',
      notOnTablet: true,
      label: t('column.number'),
      width: '104px',
      sortable: true,
      testId: 'meeting-number',
      render: ({ numericId }) => formatNumber(numericId),
    },
    {
      key: 'password',
      notOnTablet: true,
      label: t('column.password'),
      width: '136px',
      testId: 'meeting-password',
      render: (meeting) => <PasswordCell {...meeting} />,
    },
    {
      key: 'startTime',
      label: t('column.startTime'),
      width: '134px',
      sortable: true,
      render: (meeting) => <TimeCell {...meeting} />,
    },
    {
      key: 'duration',
      notOnTablet: true,
      label: t('column.duration'),
      width: '98px',
      sortable: true,
      render: ({ duration }) => formatDuration(duration),
    },
    {
      key: 'room',
      label: t('column.room'),
      width: '120px',
      wideOnly: true,
      testId: 'meeting-room',
      render: ({ rooms }) => <RoomCell rooms={rooms} />,
    },
    {
      key: 'status',
      label: t('column.status'),
      width: '96px',
      lead: true,
      render: (meeting) => <StatusBadge meeting={meeting} />,
    },
    {
      key: 'actions',
      label: t('column.actions'),
      width: '206px',
      unlabelled: true,
      render: (meeting) => <RowActions meeting={meeting} actions={actions} onEdit={onEdit} />,
    },
  ];
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={rows}
      rowKey={({ meetId }) => meetId}
      rowTestId="meeting-row"
      sorting={{
        key: state.sort,
        ascending: state.order === 'ASC',
        label: (column) => t('sortBy', { column }),
        onSort: (key, ascending) => onState({ sort: key as SortKey, order: ascending ? 'ASC' : 'DESC' }),
      }}
      {...loading}
    />
  );
}

/** A password that is hidden until the user shows it: others may see the screen. */
function PasswordCell({ subject, password }: Pick<Meeting, 'subject' | 'password'>) {
  const t = useTexts('meetings');
  const [isShown, setIsShown] = useState(false);
  if (password === '') return EMPTY_CONTACT;
  return (
    <span className="meeting-password">
      {isShown ? (
        <span className="meeting-password-text">{password}</span>
      ) : (
        <span className="meeting-password-text">
          <span className="meeting-password-dots" aria-hidden="true">
            {HIDDEN}
          </span>
          <span className="visually-hidden">{t('password.hidden')}</span>
        </span>
      )}
      <IconButton
        icon={isShown ? 'eyeOff' : 'eye'}
        label={t('action.of', { action: t(isShown ? 'password.hide' : 'password.show'), subject })}
        title={t(isShown ? 'password.hide' : 'password.show')}
        data-testid="password-show"
        onClick={() => setIsShown((now) => !now)}
      />
      <IconButton
        icon="copy"
        label={t('action.of', { action: t('password.copy'), subject })}
        title={t('password.copy')}
        data-testid="password-copy"
        onClick={() => void copyText(password, () => t('password.copied'))}
      />
    </span>
  );
}

/** The start in local time, and in the zone where it was booked. */
function TimeCell({ startTime, timeZone }: Pick<Meeting, 'startTime' | 'timeZone'>) {
  const elsewhere = elsewhereTime(startTime, timeZone);
  return (
    <>
      {formatTime(startTime)}
      {elsewhere !== null && (
        <small className="meeting-elsewhere" title={timeZone} data-testid="meeting-elsewhere">
          {elsewhere}
        </small>
      )}
    </>
  );
}

function NameCell({
  meeting,
  meeting: { meetId, subject, host },
  onOpen,
}: {
  meeting: Meeting;
  onOpen: (id: string) => void;
}) {
  const t = useTexts('meetings');
  return (
    <>
      <button
        type="button"
        className="meeting-name"
        title={subject}
        aria-label={t('action.details', { subject })}
        data-testid="meeting-name"
        onClick={() => onOpen(meetId)}
      >
        {subject}
      </button>
      <MeetingBadges meeting={meeting} />
      {host.userId !== session.user?.id && (
        <span className="meeting-host" title={host.name}>
          {t('hostedBy', { name: host.name })}
        </span>
      )}
    </>
  );
}

/** The names of a meeting's rooms; their location is in the tooltip and in the details. */
function RoomCell({ rooms }: Pick<Meeting, 'rooms'>) {
  const t = useTexts('meetings');
  if (rooms.length === 0) return EMPTY_CONTACT;
  return (
    <span className="meeting-rooms" title={rooms.map((room) => roomWords(room, t)).join('\n')}>
      {rooms.map(({ name }) => name).join(', ')}
    </span>
  );
}
