import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Select } from 'antd';
import { useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { NumberField } from '../../../ui/admin/NumberField.tsx';
import type { Form } from '../../../ui/admin/useForm.ts';
import { FormField } from '../../../ui/FormField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import type { PackageDraft } from './draft.ts';

interface RolloutFieldsProps {
  form: Form<PackageDraft>;
  /** The tenants that a published package has. */
  known: readonly { id: string; name: string }[];
}

const TEXTS = { all: 'form.rolloutAll', percent: 'form.rolloutPercent', tenants: 'form.rolloutTenants' } as const;

/** Who is offered a package. */
export function RolloutFields({ form, known }: RolloutFieldsProps) {
  const t = useTexts('clientPackages');
  const { draft, errors, change } = form;
  return (
    <fieldset>
      <legend>{t('form.rollout')}</legend>
      <Segments
        label={t('form.rollout')}
        values={['all', 'percent', 'tenants'] as const}
        chosen={draft.rolloutKind}
        textOf={(kind) => t(TEXTS[kind])}
        onChoose={(rolloutKind) => change({ rolloutKind })}
        testId="package-rollout"
      />
      {draft.rolloutKind === 'percent' && (
        <NumberField
          label={t('form.percent')}
          hint={t('form.percentHint')}
          value={draft.percent}
          error={errors.percent}
          unit="%"
          required
          testId="package-percent"
          onChange={(percent) => change({ percent })}
        />
      )}
      {draft.rolloutKind === 'tenants' && (
        <TenantsField
          tenantIds={draft.tenantIds}
          known={known}
          error={errors.tenantIds}
          onChange={(tenantIds) => change({ tenantIds })}
        />
      )}
    </fieldset>
  );
}

interface TenantsFieldProps {
  tenantIds: readonly string[];
  known: readonly { id: string; name: string }[];
  error: string | undefined;
  onChange: (tenantIds: string[]) => void;
}

/** Tenants, found by their names; multiple selection. */
function TenantsField({ tenantIds, known, error, onChange }: TenantsFieldProps) {
  const t = useTexts('clientPackages');
  const [typed, setTyped] = useState('');
  /** Names of those that were chosen, which a later search may not find. */
  const [names, setNames] = useState(() => new Map(known.map(({ id, name }) => [id, name])));
  const keyword = useDebouncedValue(typed);
  const found = useQuery({
    queryKey: ['tenant-options', keyword],
    queryFn: () => api.tenants.options({ query: { keyword } }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  const offered = found.data ?? [];
  const missing = tenantIds.filter((id) => !offered.some((one) => one.id === id));
  return (
    <FormField label={t('form.tenants')} required error={error} hint={t('form.tenantsHint')}>
      {(control) => (
        <Select<string[]>
          {...control}
          mode="multiple"
          value={[...tenantIds]}
          loading={found.isFetching}
          showSearch={{ optionFilterProp: 'label', searchValue: typed, onSearch: setTyped }}
          placeholder={t('form.tenantsPlaceholder')}
          notFoundContent={t('form.tenantsNone')}
          options={[
            ...missing.map((id) => ({ value: id, label: names.get(id) ?? id })),
            ...offered.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          data-testid="package-tenants"
          onChange={(ids) => {
            setNames((before) => new Map([...before, ...offered.map(({ id, name }): [string, string] => [id, name])]));
            onChange(ids);
          }}
        />
      )}
    </FormField>
  );
}
