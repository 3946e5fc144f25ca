import { localName, type Role } from '@rmeet/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { api } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { textInput, useForm } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { GrantsField } from './GrantsField.tsx';
import { useEntries, useSaveRole } from './queries.ts';
import { draftOf, NEW_ROLE, type RoleDraft } from './role.ts';

interface RoleDrawerProps {
  /** Null for a new one. */
  role: Role | null;
  open: boolean;
  onClose: () => void;
}

const KINDS = ['user', 'operator'] as const;

/** The form of a role: its name, its kind of account, its grants. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one form
export function RoleDrawer({ role, open, onClose }: RoleDrawerProps) {
  const t = useTexts('roles');
  const language = useLanguage();
  const entries = useEntries();
  const form = useRoleForm({ role, open, onClose });
  const words = useWords(entries.data ?? []);
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={role ? t('form.titleEdit', { name: localName(role, language) }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={words}
      {...(role ? {} : { submitText: t('form.submitNew') })}
      testId="role-form"
    >
      <div className="admin-form-row">
        <FormField label={t('form.name')} required error={errors.name}>
          {(control) => <Input {...control} {...textInput(form, 'name', 60, 'role-name')} autoFocus />}
        </FormField>
        <FormField label={t('form.nameEn')} error={errors.nameEn} hint={t('form.nameEnHint')}>
          {(control) => <Input {...control} {...textInput(form, 'nameEn', 60, 'role-nameEn')} />}
        </FormField>
      </div>
      <FormField label={t('form.kind')} error={errors.kind} hint={t('form.kindHint')}>
        {(control) => (
          <Select
            {...control}
            value={draft.kind}
            disabled={role !== null}
            options={KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
            data-testid="role-kind"
            // A choice for one kind of account does not fit the other.
            onChange={(kind: Role['kind']) => change({ kind, permissionIds: [] })}
          />
        )}
      </FormField>
      <FormField label={t('form.description')} error={errors.description}>
        {(control) => (
          <Input.TextArea
            {...control}
            {...textInput(form, 'description', 300, 'role-description')}
            autoSize={{ minRows: 2, maxRows: 6 }}
          />
        )}
      </FormField>
      <SwitchField
        label={t('form.isDefault')}
        hint={t('form.isDefaultHint')}
        checked={draft.isDefault}
        testId="role-isDefault"
        onChange={(isDefault) => change({ isDefault })}
      />
      <GrantsField
        entries={entries}
        kind={draft.kind}
        chosen={draft.permissionIds}
        error={errors.permissionIds}
        onChange={(permissionIds) => change({ permissionIds })}
      />
    </FormDrawer>
  );
}

/** Field labels and values of a role as readable text. */
function useWords(entries: readonly { id: string; name: string; nameEn: string }[]) {
  const t = useTexts('roles');
  const language = useLanguage();
  return (field: keyof RoleDraft, draft: RoleDraft): { label: string; value: string } => {
    const label = t(`form.${field}`);
    switch (field) {
      case 'kind':
        return { label, value: t(`kind.${draft.kind}`) };
      case 'isDefault':
        return { label, value: t(draft.isDefault ? 'yes' : 'no') };
      case 'permissionIds':
        return {
          label,
          value: entries
            .filter(({ id }) => draft.permissionIds.includes(id))
            .map((entry) => localName(entry, language))
            .join(t('separator')),
        };
      case 'name':
      case 'nameEn':
      case 'description':
        return { label, value: draft[field] };
    }
  };
}

/** The form of a role. */
function useRoleForm({ role, onClose }: RoleDrawerProps) {
  const t = useTexts('roles');
  const client = useQueryClient();
  const save = useSaveRole();
  return useForm<RoleDraft, Role>({
    initial: role ? draftOf(role) : NEW_ROLE,
    version: role?.version ?? 0,
    check: ({ name }) => (name.trim() === '' ? { name: t('invalid.name') } : {}),
    send: (draft, version) => save.mutateAsync({ draft, edited: role && { id: role.id, version } }),
    newest: async () => {
      const now = await client.fetchQuery({
        queryKey: ['roles', 'newest'],
        queryFn: () => api.roles.list({ query: { id: role?.id } }),
        staleTime: 0,
      });
      const found = now.records[0] ?? role;
      if (!found) throw new Error('A new role cannot have been changed.');
      return { draft: draftOf(found), version: found.version };
    },
    fieldOf: { NAME_TAKEN: 'name', PERMISSION_UNKNOWN: 'permissionIds', NOT_GRANTABLE: 'permissionIds' },
    onSaved: () => {
      toast('success', () => t(role ? 'form.saved' : 'form.created'));
      onClose();
    },
  });
}
