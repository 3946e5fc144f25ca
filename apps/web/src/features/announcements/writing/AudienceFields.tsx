import { ANNOUNCEMENT_LIMITS, localName } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { system } from '../../../lib/browser.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { DepartmentsField, PeopleField } from '../../../ui/admin/AudienceFields.tsx';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import type { AnnouncementDraft } from './draft.ts';
import { rolesQuery } from './queries.ts';

interface AudienceProps {
  draft: AnnouncementDraft;
  error: string | undefined;
  onChange: (part: Partial<AnnouncementDraft>) => void;
}

/** Whom an announcement is for. The platform, which has no departments and people of its own, can choose roles only. */
export function AudienceFields({ draft, error, onChange }: AudienceProps) {
  const t = useTexts('writing');
  const isPlatform = system === 'admin';
  // A change of the audience also removes the error, which is at the switch.
  const change = (part: Partial<AnnouncementDraft>) => onChange({ wholeTenant: draft.wholeTenant, ...part });
  return (
    <>
      <SwitchField
        label={t(isPlatform ? 'wholePlatform' : 'wholeTenant')}
        hint={t(draft.wholeTenant ? 'form.wholeHint' : 'form.someHint')}
        error={error}
        checked={draft.wholeTenant}
        testId="field-whole"
        onChange={(wholeTenant) => change({ wholeTenant })}
      />
      {!draft.wholeTenant && (
        <>
          {!isPlatform && (
            <DepartmentsField
              departments={draft.departments}
              max={ANNOUNCEMENT_LIMITS.departments}
              testId="field-departments"
              onChange={(departments) => change({ departments })}
            />
          )}
          <RolesField draft={draft} onChange={change} />
          {!isPlatform && (
            <PeopleField
              accounts={draft.accounts}
              max={ANNOUNCEMENT_LIMITS.accounts}
              testId="field-people"
              onChange={(accounts) => change({ accounts })}
            />
          )}
        </>
      )}
    </>
  );
}

function RolesField({ draft, onChange }: Omit<AudienceProps, 'error'>) {
  const t = useTexts('writing');
  const language = useLanguage();
  const roles = useQuery(rolesQuery);
  return (
    <FormField label={t('form.roles')}>
      {(control) => (
        <Select<string[]>
          {...control}
          mode="multiple"
          value={[...draft.roleIds]}
          maxCount={ANNOUNCEMENT_LIMITS.roles}
          loading={roles.isFetching}
          options={(roles.data ?? []).map((role) => ({ value: role.id, label: localName(role, language) }))}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('form.rolesPlaceholder')}
          data-testid="field-roles"
          onChange={(next) => onChange({ roleIds: next })}
        />
      )}
    </FormField>
  );
}
