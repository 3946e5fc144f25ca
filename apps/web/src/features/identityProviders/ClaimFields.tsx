import { localName, SSO_FIELDS, type SsoField } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { useRoleOptions } from '../../ui/admin/RolePicker.tsx';
import type { Form } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import type { ProviderDraft } from './draft.ts';

type Props = Pick<Form<ProviderDraft>, 'draft' | 'errors' | 'change'>;

/** What the provider says about people, and what of it is taken over. */
export function ClaimFields(props: Props) {
  const t = useTexts('identityProviders');
  const { draft, change } = props;
  const claims = [...SSO_FIELDS, 'roles'] as const;
  return (
    <fieldset>
      <legend>{t('form.claims')}</legend>
      <p className="admin-form-hint">{t('form.claimsHint')}</p>
      <div className="provider-claims">
        {claims.map((field) => (
          <FormField key={field} label={t(`field.${field}`)}>
            {(control) => (
              <Input
                {...control}
                value={draft.claims[field]}
                maxLength={100}
                spellCheck={false}
                autoComplete="off"
                data-testid={`claim-${field}`}
                onChange={({ target }) => change({ claims: { ...draft.claims, [field]: target.value } })}
              />
            )}
          </FormField>
        ))}
      </div>
      <FormField label={t('form.owned')} hint={t('form.ownedHint')}>
        {(control) => (
          <Select<SsoField[]>
            {...control}
            mode="multiple"
            value={[...draft.owned]}
            options={SSO_FIELDS.map((value) => ({ value, label: t(`field.${value}`) }))}
            placeholder={t('form.ownedNone')}
            data-testid="field-owned"
            onChange={(owned) => change({ owned })}
          />
        )}
      </FormField>
      {draft.claims.roles.trim() !== '' && <RoleFields {...props} />}
    </fieldset>
  );
}

/** Roles by values of the claim. */
function RoleFields({ draft: { roles }, errors, change }: Props) {
  const t = useTexts('identityProviders');
  const language = useLanguage();
  const offered = useRoleOptions('user');
  const options = (offered.data ?? []).map((role) => ({ value: role.id, label: localName(role, language) }));
  const set = (at: number, part: Partial<(typeof roles)[number]>): void =>
    change({ roles: roles.map((one, n) => (n === at ? { ...one, ...part } : one)) });
  return (
    <div className="provider-roles">
      <p className="form-field-label">{t('form.roles')}</p>
      <p className="admin-form-hint">{t('form.rolesHint')}</p>
      {roles.map(({ value, roleId }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity, and are not moved
        <div key={at} className="provider-role">
          <Input
            value={value}
            maxLength={200}
            aria-label={t('form.roleValue')}
            placeholder={t('form.roleValue')}
            data-testid="role-value"
            onChange={({ target }) => set(at, { value: target.value })}
          />
          <Select<string>
            value={roleId === '' ? null : roleId}
            options={options}
            loading={offered.isPending}
            aria-label={t('form.role')}
            placeholder={t('form.role')}
            data-testid="role-choice"
            onChange={(chosen) => set(at, { roleId: chosen })}
          />
          <IconButton
            icon="close"
            label={t('form.roleRemove', { value })}
            onClick={() => change({ roles: roles.filter((_, n) => n !== at) })}
          />
        </div>
      ))}
      {errors.roles !== undefined && (
        <p className="form-field-error" role="alert">
          {errors.roles}
        </p>
      )}
      <Button data-testid="role-add" onClick={() => change({ roles: [...roles, { value: '', roleId: '' }] })}>
        {t('form.roleAdd')}
      </Button>
    </div>
  );
}
