import { LIMITS, type Building } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { ApiError, api } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { textInput, useForm } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { buildingDraftOf, type BuildingDraft } from './draft.ts';
import { findBuilding, useRefreshRooms } from './queries.ts';
import { firstZone, zoneOptions, type ZoneOption } from '../../lib/rooms/zones.ts';

interface BuildingDrawerProps {
  /** Null for a new one. */
  building: Building | null;
  open: boolean;
  onClose: () => void;
  onSaved?: (building: Building) => void;
}

function drawZone({ data: { label, words } }: { data: ZoneOption }) {
  return (
    <span className="zone-option">
      {label}
      <small>{words}</small>
    </span>
  );
}

/** Adds or changes a building. */
export function BuildingDrawer({ building, open, onClose, onSaved }: BuildingDrawerProps) {
  const t = useTexts('rooms');
  const language = useLanguage();

  const form = useBuildingForm({ building, onClose, ...(onSaved ? { onSaved } : {}) });
  const { draft, errors, change } = form;

  const describe: Describe<BuildingDraft> = (field, of) => ({ label: t(`building.${field}`), value: of[field] });

  return (
    <FormDrawer
      title={building ? t('building.titleEdit', { name: building.name }) : t('building.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      {...(building ? {} : { submitText: t('building.submitNew') })}
      testId="building-drawer"
    >
      <FormField label={t('building.name')} required error={errors.name}>
        {(control) => <Input {...control} {...textInput(form, 'name', LIMITS.roomName, 'building-name')} autoFocus />}
      </FormField>
      <FormField label={t('building.address')} error={errors.address}>
        {(control) => <Input {...control} {...textInput(form, 'address', 300, 'building-address')} />}
      </FormField>
      <FormField label={t('building.timeZone')} required error={errors.timeZone} hint={t('building.timeZoneHint')}>
        {(control) => (
          <Select<string, ZoneOption>
            {...control}
            value={draft.timeZone === '' ? null : draft.timeZone}
            options={[...zoneOptions(language)]}
            showSearch={{ optionFilterProp: 'found' }}
            optionRender={drawZone}
            placeholder={t('building.timeZonePlaceholder')}
            notFoundContent={t('building.timeZoneNone')}
            data-testid="building-zone"
            onChange={(timeZone) => change({ timeZone })}
          />
        )}
      </FormField>
    </FormDrawer>
  );
}

/** The form of a building. */
function useBuildingForm({ building, onClose, onSaved }: Omit<BuildingDrawerProps, 'open'>) {
  const t = useTexts('rooms');
  const admin = useTexts('admin');
  const refresh = useRefreshRooms();
  return useForm<BuildingDraft, Building>({
    initial: building ? buildingDraftOf(building) : { name: '', address: '', timeZone: firstZone() },
    version: building?.version ?? 0,
    keepAs: `building:${building?.id ?? 'new'}`,
    check: ({ name, timeZone }) => ({
      ...(name.trim() === '' ? { name: admin('invalid.required') } : {}),
      ...(timeZone === '' ? { timeZone: admin('invalid.required') } : {}),
    }),
    send: ({ name, address, timeZone }, version) => {
      const body = { name: name.trim(), address: address.trim(), timeZone };
      return building
        ? api.rooms.updateBuilding({ params: { id: building.id }, body: { ...body, version } })
        : api.rooms.createBuilding({ body });
    },
    fieldOf: { NAME_TAKEN: 'name' },
    newest: async () => {
      const now = building && (await findBuilding(building.id));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('building.gone'));
      return { draft: buildingDraftOf(now), version: now.version };
    },
    onSaved: (saved) => {
      // After the refresh, the list contains the building.
      void refresh().then(() => onSaved?.(saved));
      toast('success', () => (building ? admin('saved') : t('building.created')));
      onClose();
    },
  });
}
