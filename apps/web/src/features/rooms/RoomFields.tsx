import { LIMITS, ROOM_EQUIPMENT, type Building } from '@rmeet/contract';
import { Checkbox, Input, Select } from 'antd';
import { useTexts } from '../../lib/i18n/index.ts';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { textInput, type FieldErrors } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { Icon } from '../../ui/icons.tsx';
import { inOrder, type RoomDraft } from './draft.ts';

export interface RoomSectionProps {
  draft: RoomDraft;
  errors: FieldErrors<RoomDraft>;
  onChange: (part: Partial<RoomDraft>) => void;
}

interface PlaceFieldsProps extends RoomSectionProps {
  buildings: readonly Building[];
  onAddBuilding: () => void;
}

/** Name, location and capacity of a room. */
export function PlaceFields({ draft, errors, onChange, buildings, onAddBuilding }: PlaceFieldsProps) {
  const t = useTexts('rooms');
  return (
    <>
      <FormField label={t('column.name')} required error={errors.name}>
        {(control) => (
          <Input
            {...control}
            {...textInput({ draft, change: onChange }, 'name', LIMITS.roomName, 'field-name')}
            autoFocus
          />
        )}
      </FormField>
      <FormField label={t('column.building')} required error={errors.buildingId}>
        {(control) => (
          <div className="room-building">
            <Select
              {...control}
              value={draft.buildingId === '' ? null : draft.buildingId}
              options={buildings.map(({ id, name }) => ({ value: id, label: name }))}
              showSearch={{ optionFilterProp: 'label' }}
              placeholder={t('form.buildingPlaceholder')}
              notFoundContent={t('building.empty')}
              data-testid="room-building"
              onChange={(buildingId: string) => onChange({ buildingId })}
            />
            <Button data-testid="room-building-new" onClick={onAddBuilding}>
              <Icon name="plus" />
              {t('building.new')}
            </Button>
          </div>
        )}
      </FormField>
      <div className="admin-form-row">
        <FormField label={t('column.floor')} error={errors.floor} hint={t('form.floorHint')}>
          {(control) => (
            <Input
              {...control}
              value={draft.floor}
              maxLength={20}
              autoComplete="off"
              data-testid="room-floor"
              onChange={({ target }) => onChange({ floor: target.value })}
            />
          )}
        </FormField>
        <NumberField
          label={t('column.capacity')}
          required
          value={draft.capacity}
          error={errors.capacity}
          hint={t('form.capacityHint')}
          testId="room-capacity"
          onChange={(capacity) => onChange({ capacity })}
        />
      </div>
    </>
  );
}

/** Equipment of a room. */
export function EquipmentFields({ draft, onChange }: RoomSectionProps) {
  const t = useTexts('rooms');
  return (
    <fieldset>
      <legend>{t('column.equipment')}</legend>
      <div className="room-choices">
        {ROOM_EQUIPMENT.map((one) => (
          <Checkbox
            key={one}
            checked={draft.equipment.includes(one)}
            data-testid={`equipment-${one}`}
            onChange={({ target }) =>
              onChange({
                equipment: inOrder(
                  ROOM_EQUIPMENT,
                  target.checked ? [...draft.equipment, one] : draft.equipment.filter((other) => other !== one),
                ),
              })
            }
          >
            {t(`equipment.${one}`)}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

/** Automatic release of bookings, notes, and whether the room can be booked at all. */
export function RuleFields({ draft, errors, onChange }: RoomSectionProps) {
  const t = useTexts('rooms');
  return (
    <fieldset>
      <legend>{t('form.rules')}</legend>
      <NumberField
        label={t('form.release')}
        value={draft.releaseMinutes}
        error={errors.releaseMinutes}
        hint={t('form.releaseHint')}
        unit={t('form.minutesUnit')}
        placeholder={t('release.never')}
        testId="room-release"
        onChange={(releaseMinutes) => onChange({ releaseMinutes })}
      />
      <FormField label={t('column.note')} error={errors.note}>
        {(control) => (
          <Input.TextArea
            {...control}
            value={draft.note}
            maxLength={500}
            autoSize={{ minRows: 2, maxRows: 6 }}
            placeholder={t('form.notePlaceholder')}
            data-testid="room-note"
            onChange={({ target }) => onChange({ note: target.value })}
          />
        )}
      </FormField>
      <SwitchField
        label={t('form.enabled')}
        hint={t('form.enabledHint')}
        checked={draft.enabled}
        testId="room-enabled"
        onChange={(enabled) => onChange({ enabled })}
      />
    </fieldset>
  );
}
