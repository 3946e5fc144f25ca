import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, useState } from 'react';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useDebouncedValue } from '../useDebouncedValue.ts';
import './texts.ts';
import './admin.css';

interface TenantPickerProps {
  /** The tenant's id; empty if none is chosen. */
  value: string;
  onChange: (tenantId: string) => void;
  /** Label of the empty choice if it means all tenants. It can then be chosen again. */
  allText?: string;
}

/** Operators choose the tenant whose data they view. */
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
  // The URL only contains the id.
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
        // The server's result may still belong to a shorter input; Enter takes the first tenant shown.
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
