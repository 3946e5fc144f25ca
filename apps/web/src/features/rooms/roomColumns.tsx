import type { Room } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import type { AdminColumn } from '../../ui/admin/columns.ts';
import { RowLink } from '../../ui/admin/RowLink.tsx';
import { StatusMark } from '../../ui/admin/StatusMark.tsx';
import { formatOpening, formatRelease } from './format.ts';
import type { RoomListState } from './listShape.ts';

/** The columns of the list of rooms. `onOpen` opens a room for editing. */
export function useRoomColumns(onOpen: (room: Room) => void): AdminColumn<Room, RoomListState['sort']>[] {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  return [
    {
      key: 'name',
      label: t('column.name'),
      width: 150,
      sort: 'name',
      always: true,
      render: (room) => <RowLink name={room.name} testId="room-name" onClick={() => onOpen(room)} />,
    },
    {
      key: 'status',
      label: admin('status.label'),
      width: 90,
      render: ({ enabled }) => <StatusMark status={enabled ? 'enabled' : 'disabled'} />,
    },
    {
      key: 'building',
      label: t('column.building'),
      width: 140,
      sort: 'building',
      render: ({ building }) => building.name,
    },
    { key: 'floor', label: t('column.floor'), width: 80, render: ({ floor }) => floor },
    {
      key: 'capacity',
      label: t('column.capacity'),
      width: 100,
      sort: 'capacity',
      render: ({ capacity }) => String(capacity),
    },
    {
      key: 'equipment',
      label: t('column.equipment'),
      width: 170,
      render: ({ equipment }) => equipment.map((one) => t(`equipment.${one}`)).join(t('separator')),
    },
    { key: 'opening', label: t('column.opening'), width: 180, render: ({ opening }) => formatOpening(opening, t) },
    {
      key: 'release',
      label: t('column.release'),
      width: 130,
      render: ({ releaseMinutes }) => formatRelease(releaseMinutes, t),
    },
    { key: 'note', label: t('column.note'), width: 180, optional: true, render: ({ note }) => note },
  ];
}
