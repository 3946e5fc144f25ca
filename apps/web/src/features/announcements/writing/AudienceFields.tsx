import { ANNOUNCEMENT_LIMITS, localName } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { system } from '../../../lib/browser.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { useInvitees } from '../../../lib/invitees.ts';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import type { AnnouncementDraft } from './draft.ts';
import { departmentsQuery, rolesQuery } from './queries.ts';

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
          {!isPlatform && <DepartmentsField draft={draft} onChange={change} />}
          <RolesField draft={draft} onChange={change} />
          {!isPlatform && <PeopleField draft={draft} onChange={change} />}
        </>
      )}
    </>
  );
}

type FieldProps = Omit<AudienceProps, 'error'>;

function DepartmentsField({ draft, onChange }: FieldProps) {
  const t = useTexts('writing');
  const departments = useQuery(departmentsQuery);
  return (
    <FormField label={t('form.departments')} hint={t('form.departmentsHint')}>
      {(control) => (
        <Select<string[]>
          {...control}
          mode="multiple"
          value={[...draft.departments]}
          maxCount={ANNOUNCEMENT_LIMITS.departments}
          loading={departments.isFetching}
          options={(departments.data ?? []).map(({ path }) => ({ value: path, label: path }))}
          notFoundContent={t('form.noDepartment')}
          placeholder={t('form.departmentsPlaceholder')}
          data-testid="field-departments"
          onChange={(next) => onChange({ departments: next })}
        />
      )}
    </FormField>
  );
}

function RolesField({ draft, onChange }: FieldProps) {
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

/** A person with account and department, which distinguish people of the same name. */
function drawPerson({ data: { label, words } }: { data: { label: string; words: string } }) {
  return (
    <span className="announcement-person">
      <span>{label}</span>
      <small>{words}</small>
    </span>
  );
}

function PeopleField({ draft, onChange }: FieldProps) {
  const t = useTexts('writing');
  const [typed, setTyped] = useState('');
  const keyword = useDebouncedValue(typed.trim());
  const found = useInvitees(keyword);
  const known = new Map(draft.accounts.map(({ userId, name }) => [userId, name]));
  const options =
    keyword === ''
      ? []
      : (found.data ?? []).map(({ userId, name, account, department }) => ({
          value: userId,
          label: name,
          words: [account, department].filter((part) => part !== '').join(' · '),
        }));
  return (
    <FormField label={t('form.people')} hint={t('form.peopleHint')}>
      {(control) => (
        <Select<{ value: string; label: string }[], (typeof options)[number]>
          {...control}
          mode="multiple"
          labelInValue
          value={draft.accounts.map(({ userId, name }) => ({ value: userId, label: name }))}
          maxCount={ANNOUNCEMENT_LIMITS.accounts}
          loading={found.isFetching}
          options={options}
          showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
          optionRender={drawPerson}
          notFoundContent={keyword === '' || found.isFetching ? null : t('form.noPerson')}
          placeholder={t('form.peoplePlaceholder')}
          data-testid="field-people"
          onChange={(next) => {
            setTyped('');
            const nameOf = (id: string): string =>
              known.get(id) ?? options.find((option) => option.value === id)?.label ?? '';
            onChange({ accounts: next.map(({ value }) => ({ userId: value, name: nameOf(value) })) });
          }}
        />
      )}
    </FormField>
  );
}
