import type { Building, Room } from '@rmeet/contract';
import { ApiError, reportError } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { useRemove } from './queries.ts';

/** Deleting rooms and buildings, each after asking. */
export function useRoomActions() {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  const common = useTexts('common');
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
      // A refusal says what is still there; that takes longer to read than a toast stays.
      onError: (error) =>
        error instanceof ApiError && error.httpStatus === 406
          ? void ask({ title: t('remove.refused', { name }), text: error.message, okText: common('ok') })
          : reportError(error),
    });
  };
  return {
    removeRoom: (room: Room) => remove(room, 'room'),
    removeBuilding: (building: Building) => remove(building, 'building'),
  };
}
