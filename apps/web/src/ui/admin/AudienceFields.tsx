import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useInvitees } from '../../lib/invitees.ts';
import { FormField } from '../FormField.tsx';
import { useDebouncedValue } from '../useDebouncedValue.ts';
import { drawOption } from './drawOption.tsx';
import './texts.ts';

interface DepartmentsFieldProps {
  departments: readonly string[];
  max: number;
  testId: string;
  onChange: (departments: string[]) => void;
}

/** Departments of the organisation, each with all below it. */
export function DepartmentsField({ departments, max, testId, onChange }: DepartmentsFieldProps) {
  const t = useTexts('admin');
  const found = useQuery({
    queryKey: ['departments', 'all'],
    queryFn: () => api.booking.departments(),
    staleTime: 60_000,
  });
  return (
    <FormField label={t('audience.departments')} hint={t('audience.departmentsHint')}>
      {(control) => (
        <Select<string[]>
          {...control}
          mode="multiple"
          value={[...departments]}
          maxCount={max}
          loading={found.isFetching}
          options={(found.data ?? []).map(({ path }) => ({ value: path, label: path }))}
          notFoundContent={t('audience.noDepartment')}
          placeholder={t('audience.departmentsPlaceholder')}
          data-testid={testId}
          onChange={onChange}
        />
      )}
    </FormField>
  );
}

interface Person {
  userId: string;
  name: string;
}

interface PersonOption {
  value: string;
  label: string;
  /** Account and department, which distinguish people of the same name. */
  words: string;
}

interface PeopleFieldProps {
  accounts: readonly Person[];
  max: number;
  error?: string | undefined;
  testId: string;
  onChange: (accounts: Person[]) => void;
}

/** People of the organisation, found by name or account. */
export function PeopleField({ accounts, max, error, testId, onChange }: PeopleFieldProps) {
  const t = useTexts('admin');
  const [typed, setTyped] = useState('');
  const keyword = useDebouncedValue(typed.trim());
  const found = useInvitees(keyword);
  const names = new Map(accounts.map(({ userId, name }) => [userId, name]));
  const options: PersonOption[] =
    keyword === ''
      ? []
      : (found.data ?? []).map(({ userId, name, account, department }) => ({
          value: userId,
          label: name,
          words: [account, department].filter((part) => part !== '').join(' · '),
        }));
  return (
    <FormField label={t('audience.people')} error={error} hint={t('audience.peopleHint')}>
      {(control) => (
        <Select<{ value: string; label: string }[], PersonOption>
          {...control}
          mode="multiple"
          labelInValue
          value={accounts.map(({ userId, name }) => ({ value: userId, label: name }))}
          maxCount={max}
          loading={found.isFetching}
          options={options}
          showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
          optionRender={drawOption}
          notFoundContent={keyword === '' || found.isFetching ? null : t('audience.noPerson')}
          placeholder={t('audience.peoplePlaceholder')}
          data-testid={testId}
          onChange={(next) => {
            setTyped('');
            onChange(
              next.map(({ value }) => ({
                userId: value,
                name: names.get(value) ?? options.find((option) => option.value === value)?.label ?? '',
              })),
            );
          }}
        />
      )}
    </FormField>
  );
}
