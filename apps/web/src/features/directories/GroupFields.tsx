import { Input, Select } from 'antd';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import type { Form } from '../../ui/admin/useForm.ts';
import { Button } from '../../ui/Button.tsx';
import { FormField } from '../../ui/FormField.tsx';
import type { DirectoryDraft } from './draft.ts';
import { useRoles } from './queries.ts';

const GROUPS_MAX = 50;

/** Which groups of the directory give which roles. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of a list of fields
export function GroupFields({ form: { draft, errors, change } }: { form: Form<DirectoryDraft> }) {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const language = useLanguage();
  const roles = useRoles();
  const { groups } = draft;
  const options = (roles.data ?? []).map(({ id, name, nameEn }) => ({
    value: id,
    label: language === 'en' && nameEn !== '' ? nameEn : name,
  }));
  const set = (at: number, values: Partial<(typeof groups)[number]>): void =>
    change({ groups: groups.map((group, n) => (n === at ? { ...group, ...values } : group)) });
  return (
    <fieldset>
      <legend>{t('form.groups')}</legend>
      <p className="admin-form-hint">{t('form.groupsHint')}</p>
      {groups.map(({ dn, roleId }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the rows have no other name
        <div key={at} className="directory-group">
          <FormField label={t('form.groupDn')}>
            {(control) => (
              <Input
                {...control}
                value={dn}
                maxLength={1_000}
                spellCheck={false}
                data-testid="directory-group-dn"
                onChange={({ target }) => set(at, { dn: target.value })}
              />
            )}
          </FormField>
          <FormField label={t('form.role')}>
            {(control) => (
              <Select
                {...control}
                value={roleId === '' ? null : roleId}
                options={options}
                loading={roles.isPending}
                data-testid="directory-group-role"
                onChange={(value) => set(at, { roleId: value })}
              />
            )}
          </FormField>
          <Button onClick={() => change({ groups: groups.filter((_, n) => n !== at) })}>
            {admin('action.delete')}
          </Button>
        </div>
      ))}
      {errors.groups !== undefined && (
        <p className="form-field-error" role="alert">
          {errors.groups}
        </p>
      )}
      {groups.length < GROUPS_MAX && (
        <div>
          <Button
            data-testid="directory-group-add"
            onClick={() => change({ groups: [...groups, { dn: '', roleId: '' }] })}
          >
            {t('form.groupAdd')}
          </Button>
        </div>
      )}
      <SwitchField
        label={t('form.nested')}
        checked={draft.nested}
        testId="directory-nested"
        onChange={(nested) => change({ nested })}
      />
    </fieldset>
  );
}
