import type { Building, Room } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { showRefusal } from '../../ui/admin/showRefusal.ts';
import { useRemove } from './queries.ts';

/** Deletes rooms and buildings, after confirmation. */
export function useRoomActions() {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  const rooms = useRemove('room');
  const buildings = useRemove('building');

  const remove = async ({ id, name }: Pick<Room, 'id' | 'name'>, kind: 'room' | 'building'): Promise<void> => {
    const sure = await ask({
      title: t(`remove.${kind}Title`),
      text: t(`remove.${kind}Text`, { name }),
      okText: admin('action.delete'),
      cancelText: admin('action.cancel'),
      danger: true,
    });
    if (!sure) return;
    (kind === 'room' ? rooms : buildings).mutate(id, {
      onSuccess: () => toast('success', () => t(`remove.${kind}Done`)),
      onError: (error) => showRefusal(error, t('remove.refused', { name })),
    });
  };
  return {
    removeRoom: (room: Room) => remove(room, 'room'),
    removeBuilding: (building: Building) => remove(building, 'building'),
  };
}
