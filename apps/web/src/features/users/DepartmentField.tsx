import { AutoComplete } from 'antd';
import { useTexts } from '../../lib/i18n/index.ts';
import { FormField } from '../../ui/FormField.tsx';
import { useDepartments } from './queries.ts';

interface DepartmentFieldProps {
  tenant: string;
  value: string;
  error?: string | undefined;
  onChange: (department: string) => void;
}

/** A department by its path; those that exist are offered. */
export function DepartmentField({ tenant, value, error, onChange }: DepartmentFieldProps) {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const departments = useDepartments(tenant, true);
  return (
    <FormField label={admin('account.department')} error={error} hint={t('departments.hint')}>
      {(control) => (
        <AutoComplete
          {...control}
          value={value}
          options={(departments.data ?? []).map(({ path }) => ({ value: path }))}
          showSearch={{
            filterOption: (typed, option) =>
              option?.value.toLocaleLowerCase().includes(typed.toLocaleLowerCase()) ?? false,
          }}
          placeholder={t('departments.placeholder')}
          maxLength={300}
          data-testid="user-department"
          onChange={onChange}
        />
      )}
    </FormField>
  );
}
