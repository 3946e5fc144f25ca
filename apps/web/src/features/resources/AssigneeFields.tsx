import { RESOURCE_LIMITS } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { useInvitees } from '../../lib/invitees.ts';
import { useDebouncedValue } from '../../ui/useDebouncedValue.ts';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { FormField } from '../../ui/FormField.tsx';
import { drawOption } from './drawOption.tsx';
import type { ResourceDraft } from './draft.ts';
import { departmentsQuery } from './queries.ts';
import './resources.css';

interface AssigneeFieldsProps {
  draft: ResourceDraft;
  error: string | undefined;
  onChange: (part: Partial<ResourceDraft>) => void;
}

/** Who may book a resource: everyone, or certain departments and people. */
export function AssigneeFields({ draft, error, onChange }: AssigneeFieldsProps) {
  const t = useTexts('resources');
  const departments = useQuery({ ...departmentsQuery, enabled: !draft.everybody });
  return (
    <>
      <SwitchField
        label={t('form.everybody')}
        hint={t(draft.everybody ? 'form.everybodyHint' : 'form.someHint')}
        checked={draft.everybody}
        testId="resource-everybody"
        onChange={(everybody) => onChange({ everybody, accounts: draft.accounts })}
      />
      {!draft.everybody && (
        <>
          <FormField label={t('form.departments')} hint={t('form.departmentsHint')}>
            {(control) => (
              <Select<string[]>
                {...control}
                mode="multiple"
                value={[...draft.departments]}
                maxCount={RESOURCE_LIMITS.departments}
                loading={departments.isFetching}
                options={(departments.data ?? []).map(({ path }) => ({ value: path, label: path }))}
                notFoundContent={t('form.noDepartment')}
                placeholder={t('form.departmentsPlaceholder')}
                data-testid="resource-departments"
                onChange={(next) => onChange({ departments: next, accounts: draft.accounts })}
              />
            )}
          </FormField>
          <PeopleField draft={draft} error={error} onChange={onChange} />
        </>
      )}
    </>
  );
}

interface PersonOption {
  value: string;
  label: string;
  /** Account and department. */
  words: string;
}

function PeopleField({ draft, error, onChange }: AssigneeFieldsProps) {
  const t = useTexts('resources');
  const [typed, setTyped] = useState('');
  const keyword = useDebouncedValue(typed.trim());
  const found = useInvitees(keyword);
  const names = new Map(draft.accounts.map(({ userId, name }) => [userId, name]));
  const options: PersonOption[] =
    keyword === ''
      ? []
      : (found.data ?? []).map(({ userId, name, account, department }) => ({
          value: userId,
          label: name,
          words: [account, department].filter((part) => part !== '').join(' · '),
        }));
  return (
    <FormField label={t('form.people')} error={error} hint={t('form.peopleHint')}>
      {(control) => (
        <Select<{ value: string; label: string }[], PersonOption>
          {...control}
          mode="multiple"
          labelInValue
          value={draft.accounts.map(({ userId, name }) => ({ value: userId, label: name }))}
          maxCount={RESOURCE_LIMITS.accounts}
          loading={found.isFetching}
          options={options}
          showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
          optionRender={drawOption}
          notFoundContent={keyword === '' || found.isFetching ? null : t('form.noPerson')}
          placeholder={t('form.peoplePlaceholder')}
          data-testid="resource-people"
          onChange={(next) => {
            setTyped('');
            onChange({
              accounts: next.map(({ value }) => ({
                userId: value,
                name: names.get(value) ?? options.find((option) => option.value === value)?.label ?? '',
              })),
            });
          }}
        />
      )}
    </FormField>
  );
}
