import type { RegisteredTerminal } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { formatTime } from '../../lib/time.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { StatusMark } from '../../ui/admin/StatusMark.tsx';
import { placeOf } from './draft.ts';
import type { TerminalListState } from './listShape.ts';

/** The columns of the list of terminals. `onOpen` opens a terminal for editing. */
export function useTerminalColumns(
  onOpen: (terminal: RegisteredTerminal) => void,
): AdminColumn<RegisteredTerminal, TerminalListState['sort']>[] {
  const t = useTexts('terminals');
  const admin = useTexts('admin');
  return [
    {
      key: 'name',
      label: t('column.name'),
      width: 150,
      sort: 'name',
      always: true,
      render: (terminal) => <RowLink name={terminal.name} testId="terminal-name" onClick={() => onOpen(terminal)} />,
    },
    {
      key: 'status',
      label: admin('status.label'),
      width: 90,
      render: ({ enabled }) => <StatusMark status={enabled ? 'enabled' : 'disabled'} />,
    },
    {
      key: 'lastSeenAt',
      label: t('lastSeen'),
      width: 150,
      sort: 'lastSeenAt',
      render: ({ lastSeenAt }) => formatTime(lastSeenAt) || t('neverSeen'),
    },
    { key: 'room', label: t('column.room'), width: 180, render: ({ room }) => placeOf(room) },
    { key: 'address', label: t('column.address'), width: 200, sort: 'address', render: ({ address }) => address },
    { key: 'kind', label: t('column.kind'), width: 120, sort: 'kind', render: ({ kind }) => t(`kind.${kind}`) },
    { key: 'department', label: t('column.department'), width: 120, render: ({ department }) => department },
    { key: 'zone', label: t('column.zone'), width: 110, optional: true, render: ({ zone }) => zone },
    { key: 'note', label: t('column.note'), width: 180, optional: true, render: ({ note }) => note },
  ];
}
