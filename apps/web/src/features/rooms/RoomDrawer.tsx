import type { Room } from '@rmeet/contract';
import { ApiError, api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { useForm } from '../../ui/admin/useForm.ts';
import { useDrawer } from '../../ui/admin/useDrawer.ts';
import { BuildingDrawer } from './BuildingDrawer.tsx';
import { draftOf, newRoom, roomBody, roomFaults, type RoomDraft } from './draft.ts';
import { formatDays, formatRelease } from './format.ts';
import { OpeningFields } from './OpeningFields.tsx';
import { findRoom, useBuildings, useRefreshRooms } from './queries.ts';
import { EquipmentFields, PlaceFields, RuleFields } from './RoomFields.tsx';

interface RoomDrawerProps {
  /** Null for a new one. */
  room: Room | null;
  /** The building filter of the list, empty for all: the default building of a new room. */
  chosen: string;
  open: boolean;
  onClose: () => void;
}

/** Adds or changes a room. */
export function RoomDrawer({ room, chosen, open, onClose }: RoomDrawerProps) {
  const t = useTexts('rooms');
  const buildings = useBuildings();
  const adding = useDrawer<null>();

  const form = useRoomForm({ room, chosen, open, onClose });
  const describe = useDescribe();
  const { draft, errors, change } = form;
  const section = { draft, errors, onChange: change };
  return (
    <>
      <FormDrawer
        title={room ? t('form.titleEdit', { name: room.name }) : t('form.titleNew')}
        open={open}
        onClose={onClose}
        form={form}
        describe={describe}
        {...(room ? {} : { submitText: t('form.submitNew') })}
        testId="room-drawer"
      >
        <PlaceFields {...section} buildings={buildings.data ?? []} onAddBuilding={() => adding.show(null)} />
        <EquipmentFields {...section} />
        <OpeningFields {...section} />
        <RuleFields {...section} />
      </FormDrawer>
      {adding.last && (
        <BuildingDrawer
          key={adding.last.opening}
          building={null}
          open={adding.open}
          onClose={adding.hide}
          onSaved={({ id }) => change({ buildingId: id })}
        />
      )}
    </>
  );
}

/** The form of a room. */
function useRoomForm({ room, chosen, onClose }: RoomDrawerProps) {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  const refresh = useRefreshRooms();
  const buildings = useBuildings();
  return useForm<RoomDraft, Room>({
    initial: room ? draftOf(room) : newRoom(buildings.data ?? [], chosen),
    version: room?.version ?? 0,
    keepAs: `room:${room?.id ?? 'new'}`,
    check: (draft) => roomFaults(draft, t, admin),
    send: (draft, version) =>
      room
        ? api.rooms.update({ params: { id: room.id }, body: { ...roomBody(draft), version } })
        : api.rooms.create({ body: roomBody(draft) }),
    fieldOf: { NAME_TAKEN: 'name', BUILDING_UNKNOWN: 'buildingId', opening: 'until' },
    newest: async () => {
      const now = room && (await findRoom(room.id));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => (room ? admin('saved') : t('form.created')));
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(): Describe<RoomDraft> {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  const buildings = useBuildings();
  return (field, of) => {
    const words: Record<keyof RoomDraft, [string, string]> = {
      name: [t('column.name'), of.name],
      buildingId: [t('column.building'), buildings.data?.find(({ id }) => id === of.buildingId)?.name ?? ''],
      floor: [t('column.floor'), of.floor],
      capacity: [t('column.capacity'), String(of.capacity ?? '')],
      equipment: [t('column.equipment'), of.equipment.map((one) => t(`equipment.${one}`)).join(t('separator'))],
      always: [t('opening.always'), admin(of.always ? 'yes' : 'no')],
      days: [t('form.days'), formatDays(of.days, t)],
      from: [t('form.from'), of.from],
      until: [t('form.until'), of.until],
      releaseMinutes: [t('column.release'), formatRelease(of.releaseMinutes, t)],
      note: [t('column.note'), of.note],
      enabled: [t('form.enabled'), admin(of.enabled ? 'yes' : 'no')],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}
