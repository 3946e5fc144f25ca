import { SECOND_FACTOR_FOR, SENT_WAYS } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { FormField } from '../../ui/FormField.tsx';
import type { OwnSectionProps } from './LookSection.tsx';
import { useRoleOptions } from './queries.ts';

/** When the tenant's people are asked for a second factor. */
export function SecondFactorSection(props: OwnSectionProps) {
  const t = useTexts('tenants');
  const { draft, onChange } = props;
  const { secondFactor } = draft;
  const set = (part: Partial<typeof secondFactor>): void => onChange({ secondFactor: { ...secondFactor, ...part } });
  return (
    <fieldset data-testid="second-factor-settings">
      <legend>{t('factor.title')}</legend>
      <p className="admin-form-hint">{t('factor.hint')}</p>
      <FormField label={t('factor.askedOf')} hint={t(`factor.askedOfHint.${secondFactor.askedOf}`)}>
        {(control) => (
          <Select
            {...control}
            value={secondFactor.askedOf}
            options={SECOND_FACTOR_FOR.map((value) => ({ value, label: t(`factor.for.${value}`) }))}
            data-testid="factor-asked-of"
            onChange={(askedOf) => set({ askedOf })}
          />
        )}
      </FormField>
      {secondFactor.askedOf === 'roles' && <RolesField {...props} />}
      {SENT_WAYS.map((way) => (
        <SwitchField
          key={way}
          label={t(`factor.codes.${way}`)}
          hint={t(`factor.codesHint.${way}`)}
          checked={secondFactor.codes.includes(way)}
          testId={`factor-codes-${way}`}
          onChange={(isOn) =>
            set({ codes: SENT_WAYS.filter((one) => (one === way ? isOn : secondFactor.codes.includes(one))) })
          }
        />
      ))}
      <SwitchField
        label={t('factor.passkeyAlone')}
        hint={t('factor.passkeyAloneHint')}
        checked={secondFactor.passkeyAlone}
        testId="factor-passkey-alone"
        onChange={(passkeyAlone) => set({ passkeyAlone })}
      />
      <SwitchField
        label={t('factor.onNewDevice')}
        hint={t('factor.onNewDeviceHint')}
        checked={secondFactor.onNewDevice}
        testId="factor-new-device"
        onChange={(onNewDevice) => set({ onNewDevice })}
      />
      <SwitchField
        label={t('factor.onNewPlace')}
        hint={t('factor.onNewPlaceHint')}
        checked={secondFactor.onNewPlace}
        testId="factor-new-place"
        onChange={(onNewPlace) => set({ onNewPlace })}
      />
      <NetworkFields {...props} />
    </fieldset>
  );
}

function RolesField({ draft: { secondFactor }, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  const language = useLanguage();
  const roles = useRoleOptions();
  return (
    <FormField label={t('factor.roles')} required error={errors.secondFactor}>
      {(control) => (
        <Select<string[]>
          {...control}
          mode="multiple"
          loading={roles.isPending}
          value={[...secondFactor.roleIds]}
          options={(roles.data ?? []).map(({ id, name, nameEn }) => ({
            value: id,
            label: language === 'en' && nameEn !== '' ? nameEn : name,
          }))}
          data-testid="factor-roles"
          onChange={(roleIds) => onChange({ secondFactor: { ...secondFactor, roleIds } })}
        />
      )}
    </FormField>
  );
}

function NetworkFields({ draft, errors, onChange }: OwnSectionProps) {
  const t = useTexts('tenants');
  return (
    <>
      <FormField label={t('factor.networks')} error={errors.factorNetworks} hint={t('factor.networksHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            value={draft.factorNetworks}
            autoSize={{ minRows: 2, maxRows: 8 }}
            placeholder="10.20.0.0/16"
            data-testid="factor-networks"
            onChange={({ target }) => onChange({ factorNetworks: target.value })}
          />
        )}
      </FormField>
      <FormField label={t('factor.places')} error={errors.factorPlaces} hint={t('factor.placesHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            value={draft.factorPlaces}
            autoSize={{ minRows: 2, maxRows: 12 }}
            placeholder={t('factor.placesExample')}
            data-testid="factor-places"
            onChange={({ target }) => onChange({ factorPlaces: target.value })}
          />
        )}
      </FormField>
    </>
  );
}
