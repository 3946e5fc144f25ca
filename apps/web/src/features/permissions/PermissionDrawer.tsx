import { localName, type ManagedEntry } from '@rmeet/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Input, Select } from 'antd';
import { useRef } from 'react';
import { api } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { textInput, useForm } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { draftOf, faultsOf, NEW_PERMISSION, type PermissionDraft } from './permission.ts';
import { useSavePermission } from './queries.ts';

interface PermissionDrawerProps {
  /** Null for a new one. */
  entry: ManagedEntry | null;
  open: boolean;
  onClose: () => void;
}

export function PermissionDrawer({ entry, open, onClose }: PermissionDrawerProps) {
  const t = useTexts('permissions');
  const language = useLanguage();
  const form = usePermissionForm({ entry, open, onClose });
  const { draft, errors, change } = form;
  const isFixed = entry?.builtIn === true;
  const words = (field: keyof PermissionDraft, { isAdmin, ...texts }: PermissionDraft) => ({
    label: t(`form.${field}`),
    value: field === 'isAdmin' ? t(`system.${isAdmin}`) : texts[field],
  });
  return (
    <FormDrawer
      title={entry ? t('form.titleEdit', { name: localName(entry, language) }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={words}
      {...(entry ? {} : { submitText: t('form.submitNew') })}
      testId="permission-form"
    >
      <FormField
        label={t('form.code')}
        required={!isFixed}
        error={errors.code}
        hint={t(isFixed ? 'form.codeFixed' : 'form.codeHint')}
      >
        {(control) => (
          <Input
            {...control}
            {...textInput(form, 'code', 60, 'permission-code')}
            disabled={isFixed}
            autoFocus={!isFixed}
            spellCheck={false}
          />
        )}
      </FormField>
      <div className="admin-form-row">
        <FormField label={t('form.name')} required error={errors.name}>
          {(control) => <Input {...control} {...textInput(form, 'name', 60, 'permission-name')} autoFocus={isFixed} />}
        </FormField>
        <FormField label={t('form.nameEn')} error={errors.nameEn} hint={t('form.nameEnHint')}>
          {(control) => <Input {...control} {...textInput(form, 'nameEn', 60, 'permission-nameEn')} />}
        </FormField>
      </div>
      <FormField label={t('form.isAdmin')} error={errors.isAdmin} hint={t('form.menusElsewhere')}>
        {(control) => (
          <Select
            {...control}
            value={draft.isAdmin}
            disabled={isFixed}
            options={([0, 1] as const).map((value) => ({ value, label: t(`system.${value}`) }))}
            data-testid="permission-isAdmin"
            onChange={(isAdmin: 0 | 1) => change({ isAdmin })}
          />
        )}
      </FormField>
    </FormDrawer>
  );
}

/** The form of a permission. */
function usePermissionForm({ entry, onClose }: PermissionDrawerProps) {
  const t = useTexts('permissions');
  const client = useQueryClient();
  const save = useSavePermission();
  // The last version read: fields that the form does not show are sent back unchanged.
  const latest = useRef(entry);
  return useForm<PermissionDraft, ManagedEntry>({
    initial: entry ? draftOf(entry) : NEW_PERMISSION,
    version: entry?.version ?? 0,
    check: (draft) =>
      Object.fromEntries(Object.entries(faultsOf(draft)).map(([field, key]) => [field, t(`invalid.${key}`)])),
    send: (draft) => save.mutateAsync({ draft, edited: latest.current }),
    newest: async () => {
      const all = await client.fetchQuery({
        queryKey: ['permissions', 'tree'],
        queryFn: () => api.permissions.tree(),
        staleTime: 0,
      });
      latest.current = all.find(({ id }) => id === entry?.id) ?? entry;
      if (!latest.current) throw new Error('A new permission cannot have been changed.');
      return { draft: draftOf(latest.current), version: latest.current.version };
    },
    fieldOf: { CODE_TAKEN: 'code', PARENT_UNFIT: 'isAdmin', PERMISSION_GRANTED: 'isAdmin' },
    onSaved: () => {
      toast('success', () => t(entry ? 'form.saved' : 'form.created'));
      onClose();
    },
  });
}
