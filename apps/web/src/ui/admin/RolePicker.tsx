import { localName } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { api } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { FormField } from '../FormField.tsx';
import './texts.ts';
import './form.css';

/** The roles that can be granted to accounts of a kind. */
export function useRoleOptions(kind: 'user' | 'operator', enabled = true) {
  return useQuery({
    queryKey: ['role-options', kind],
    queryFn: () => api.roles.options({ query: { kind } }),
    staleTime: 60_000,
    enabled,
  });
}

interface RolePickerProps {
  kind: 'user' | 'operator';
  roleIds: readonly string[];
  error?: string | undefined;
  /** Names of granted roles, for those that can no longer be chosen. */
  known: readonly { id: string; name: string }[];
  onChange: (roleIds: string[]) => void;
}

interface Option {
  value: string;
  label: string;
  description: string;
}

function drawOption({ data: { label, description } }: { data: Option }) {
  return (
    <span className="role-option">
      {label}
      {description !== '' && <small>{description}</small>}
    </span>
  );
}

/** Roles to grant; multiple selection. */
export function RolePicker({ kind, roleIds, error, known, onChange }: RolePickerProps) {
  const t = useTexts('admin');
  const language = useLanguage();
  const roles = useRoleOptions(kind);
  const offered = roles.data ?? [];
  const options = [
    ...offered.map((role) => ({ value: role.id, label: localName(role, language), description: role.description })),
    ...known
      .filter(({ id }) => !offered.some((role) => role.id === id))
      .map(({ id, name }) => ({ value: id, label: name, description: '' })),
  ];
  return (
    <FormField label={t('roles.label')} error={error} hint={t('roles.hint')}>
      {(control) => (
        <Select<string[], Option>
          {...control}
          mode="multiple"
          value={[...roleIds]}
          loading={roles.isPending}
          options={options}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('roles.placeholder')}
          notFoundContent={t('roles.none')}
          data-testid="role-picker"
          optionRender={drawOption}
          onChange={onChange}
        />
      )}
    </FormField>
  );
}
