import { Select } from 'antd';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { ownZone } from '../../../lib/rooms/index.ts';
import { zoneOptions, type ZoneOption } from '../../../lib/rooms/zones.ts';
import { FormField } from '../../../ui/FormField.tsx';

/** The meeting's time zone: a series keeps its local time in it, and mails show times in it. */
export function ZoneSelect({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (zone: string) => void;
}) {
  const t = useTexts('meetings');
  const language = useLanguage();
  const known = zoneOptions(language);
  // Browsers may use a different name for a zone than the browser of the person who booked.
  const options = known.some((zone) => zone.value === value)
    ? known
    : [{ value, label: value, words: '', found: value }, ...known];
  return (
    <FormField label={t('zone.title')} error={error} hint={t(value === ownZone() ? 'zone.own' : 'zone.other')}>
      {(control) => (
        <Select<string, ZoneOption>
          {...control}
          value={value}
          options={[...options]}
          showSearch={{ optionFilterProp: 'found' }}
          optionRender={drawZone}
          notFoundContent={t('zone.none')}
          data-testid="meeting-zone"
          onChange={onChange}
        />
      )}
    </FormField>
  );
}

function drawZone({ data: { label, words } }: { data: ZoneOption }) {
  return (
    <span className="booking-person">
      <span>{label}</span>
      <small>{words}</small>
    </span>
  );
}
