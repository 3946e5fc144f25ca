import { SECOND_FACTOR_FOR, SENT_WAYS } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { FormField } from '../../FormField.tsx';
import { useRoleOptions } from '../RolePicker.tsx';
import { SwitchField } from '../SwitchField.tsx';
import type { FieldErrors } from '../useForm.ts';
import type { SecondFactorDraft } from './draft.ts';
import './texts.ts';

interface SecondFactorFieldsProps {
  draft: SecondFactorDraft;
  errors: FieldErrors<SecondFactorDraft>;
  onChange: (part: Partial<SecondFactorDraft>) => void;
  /** Whose setting it is: that of an organisation, or of the platform's staff. */
  of: 'tenant' | 'platform';
}

const SWITCHES = [
  { field: 'passkeyAlone', testId: 'factor-passkey-alone' },
  { field: 'onNewDevice', testId: 'factor-new-device' },
  { field: 'onNewPlace', testId: 'factor-new-place' },
] as const;

/** When people are asked for a second factor. */
export function SecondFactorFields(props: SecondFactorFieldsProps) {
  const t = useTexts('secondFactor');
  const { draft, onChange, of } = props;
  const isPlatform = of === 'platform';
  const { secondFactor } = draft;
  const set = (part: Partial<typeof secondFactor>): void => onChange({ secondFactor: { ...secondFactor, ...part } });
  return (
    <fieldset data-testid="second-factor-settings">
      <legend>{t(isPlatform ? 'platform.title' : 'title')}</legend>
      <p className="admin-form-hint">{t(isPlatform ? 'platform.hint' : 'hint')}</p>
      <FormField label={t('askedOf')} hint={t(`askedOfHint.${secondFactor.askedOf}`)}>
        {(control) => (
          <Select
            {...control}
            value={secondFactor.askedOf}
            options={SECOND_FACTOR_FOR.map((value) => ({
              value,
              label: t(isPlatform && value === 'admins' ? 'platform.admins' : `for.${value}`),
            }))}
            data-testid="factor-asked-of"
            onChange={(askedOf) => set({ askedOf })}
          />
        )}
      </FormField>
      {secondFactor.askedOf === 'roles' && <RolesField {...props} />}
      {SENT_WAYS.map((way) => (
        <SwitchField
          key={way}
          label={t(`codes.${way}`)}
          hint={t(`codesHint.${way}`)}
          checked={secondFactor.codes.includes(way)}
          testId={`factor-codes-${way}`}
          onChange={(isOn) =>
            set({ codes: SENT_WAYS.filter((one) => (one === way ? isOn : secondFactor.codes.includes(one))) })
          }
        />
      ))}
      {SWITCHES.map(({ field, testId }) => (
        <SwitchField
          key={field}
          label={t(field)}
          hint={t(`${field}Hint`)}
          checked={secondFactor[field]}
          testId={testId}
          onChange={(isOn) => set({ [field]: isOn })}
        />
      ))}
      <NetworkFields {...props} />
    </fieldset>
  );
}

function RolesField({ draft: { secondFactor }, errors, onChange, of }: SecondFactorFieldsProps) {
  const t = useTexts('secondFactor');
  const language = useLanguage();
  const roles = useRoleOptions(of === 'platform' ? 'operator' : 'user');
  return (
    <FormField label={t('roles')} required error={errors.secondFactor}>
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

function NetworkFields({ draft, errors, onChange }: SecondFactorFieldsProps) {
  const t = useTexts('secondFactor');
  return (
    <>
      <FormField label={t('networks')} error={errors.factorNetworks} hint={t('networksHint')}>
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
      <FormField label={t('places')} error={errors.factorPlaces} hint={t('placesHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            value={draft.factorPlaces}
            autoSize={{ minRows: 2, maxRows: 12 }}
            placeholder={t('placesExample')}
            data-testid="factor-places"
            onChange={({ target }) => onChange({ factorPlaces: target.value })}
          />
        )}
      </FormField>
    </>
  );
}
