import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, useState } from 'react';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useDebouncedValue } from '../useDebouncedValue.ts';
import './texts.ts';
import './admin.css';

interface TenantPickerProps {
  /** The tenant's id; empty while none is chosen. */
  value: string;
  onChange: (tenantId: string) => void;
  /** Where none means all of them: what that is called. It can then be gone back to. */
  allText?: string;
}

/** Operators choose the tenant whose content they look at. */
export function TenantPicker({ value, onChange, allText }: TenantPickerProps) {
  const t = useTexts('admin');
  const id = useId();
  const [typed, setTyped] = useState('');
  const keyword = useDebouncedValue(typed);
  const options = useQuery({
    queryKey: ['tenant-options', keyword],
    queryFn: () => api.tenants.options({ query: { keyword } }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  // The address keeps the id alone.
  const chosen = useQuery({
    queryKey: ['tenant-options', { id: value }],
    queryFn: () => api.tenants.options({ query: { id: value } }),
    staleTime: 60_000,
    enabled: value !== '',
  });

  const named = [...(chosen.data ?? []), ...(options.data ?? []).filter((tenant) => tenant.id !== value)];
  return (
    <div className="tenant-picker">
      <label htmlFor={id}>{t('tenant.label')}</label>
      <Select
        id={id}
        data-testid="tenant-picker"
        size="medium"
        // The server's answer may still be that to less than what is typed; Enter takes the first tenant shown.
        showSearch={{ optionFilterProp: 'name', searchValue: typed, onSearch: setTyped }}
        placeholder={allText ?? t('tenant.placeholder')}
        allowClear={allText !== undefined}
        notFoundContent={t('tenant.none')}
        loading={options.isFetching}
        value={value === '' ? null : value}
        options={named.map(({ id: tenantId, name, enabled }) => ({
          value: tenantId,
          name,
          label: enabled ? name : t('tenant.disabled', { name }),
        }))}
        onChange={(tenantId: string | null) => onChange(tenantId ?? '')}
      />
    </div>
  );
}
