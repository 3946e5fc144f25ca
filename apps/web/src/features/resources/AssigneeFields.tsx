import { RESOURCE_LIMITS } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { DepartmentsField, PeopleField } from '../../ui/admin/AudienceFields.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import type { ResourceDraft } from './draft.ts';

interface AssigneeFieldsProps {
  draft: ResourceDraft;
  error: string | undefined;
  onChange: (part: Partial<ResourceDraft>) => void;
}

/** Who may book a resource: everyone, or certain departments and people. */
export function AssigneeFields({ draft, error, onChange }: AssigneeFieldsProps) {
  const t = useTexts('resources');
  // A change of the assignment also removes the error, which is at the people.
  const change = (part: Partial<ResourceDraft>) => onChange({ accounts: draft.accounts, ...part });
  return (
    <>
      <SwitchField
        label={t('form.everybody')}
        hint={t(draft.everybody ? 'form.everybodyHint' : 'form.someHint')}
        checked={draft.everybody}
        testId="resource-everybody"
        onChange={(everybody) => change({ everybody })}
      />
      {!draft.everybody && (
        <>
          <DepartmentsField
            departments={draft.departments}
            max={RESOURCE_LIMITS.departments}
            testId="resource-departments"
            onChange={(departments) => change({ departments })}
          />
          <PeopleField
            accounts={draft.accounts}
            max={RESOURCE_LIMITS.accounts}
            error={error}
            testId="resource-people"
            onChange={(accounts) => onChange({ accounts })}
          />
        </>
      )}
    </>
  );
}
