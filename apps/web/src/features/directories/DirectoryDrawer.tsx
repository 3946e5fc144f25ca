import { DIRECTORY_KINDS, DIRECTORY_LOCKS, type Directory } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { textInput, useForm, type Form } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { bodyOf, draftOf, faultsOf, FIELDS, newDirectory, usualOf, type DirectoryDraft } from './draft.ts';
import { GroupFields } from './GroupFields.tsx';
import { useRefreshDirectories } from './queries.ts';
import { Trial } from './Trial.tsx';

interface DirectoryDrawerProps {
  /** Null for a new one. */
  directory: Directory | null;
  open: boolean;
  onClose: () => void;
}

/** Adds a directory, or changes one. */
export function DirectoryDrawer({ directory, open, onClose }: DirectoryDrawerProps) {
  const t = useTexts('directories');
  const form = useDirectoryForm(directory, onClose);
  return (
    <FormDrawer
      title={directory ? t('form.titleEdit', { name: directory.name }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={(field, draft) => ({ label: t(`form.${field}`), value: valueText(draft, field) })}
      testId="directory-drawer"
    >
      <ConnectionFields form={form} isNew={directory === null} />
      <PeopleFields form={form} />
      <GroupFields form={form} />
      <RuleFields form={form} />
      <Trial draft={form.draft} id={directory?.id} />
    </FormDrawer>
  );
}

/** A value as the notice about other changes shows it. */
function valueText({ groups, ...draft }: DirectoryDraft, field: keyof DirectoryDraft): string {
  return field === 'groups' ? groups.map(({ dn }) => dn).join('\n') : String(draft[field]);
}

function useDirectoryForm(directory: Directory | null, onClose: () => void): Form<DirectoryDraft> {
  const t = useTexts('directories');
  const admin = useTexts('admin');
  const refresh = useRefreshDirectories();
  return useForm<DirectoryDraft, Directory>({
    initial: directory ? draftOf(directory) : newDirectory(),
    version: directory?.version ?? 0,
    unkept: ['password'],
    check: (draft) => faultsOf(draft, directory === null, t, admin),
    send: (draft, version) =>
      directory
        ? api.directories.update({ params: { id: directory.id }, body: { ...bodyOf(draft), version } })
        : api.directories.create({ body: bodyOf(draft) }),
    fieldOf: FIELDS,
    newest: async () => {
      const now = (await api.directories.list()).find(({ id }) => id === directory?.id);
      return now ? { draft: draftOf(now), version: now.version } : { draft: newDirectory(), version: 0 };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => admin('saved'));
      onClose();
    },
  });
}

interface FieldsProps {
  form: Form<DirectoryDraft>;
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX of fields
function ConnectionFields({ form, isNew }: FieldsProps & { isNew: boolean }) {
  const t = useTexts('directories');
  const { draft, errors, change } = form;
  return (
    <fieldset>
      <legend>{t('form.connection')}</legend>
      <div className="admin-form-row">
        <FormField label={t('form.name')} required error={errors.name}>
          {(control) => <Input {...control} {...textInput(form, 'name', 60, 'directory-name')} autoFocus />}
        </FormField>
        <FormField label={t('form.kind')}>
          {(control) => (
            <Select
              {...control}
              value={draft.kind}
              options={DIRECTORY_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
              data-testid="directory-kind"
              onChange={(kind) => change(isNew ? { kind, ...usualOf(kind) } : { kind })}
            />
          )}
        </FormField>
      </div>
      <FormField label={t('form.address')} required error={errors.address} hint={t('form.addressHint')}>
        {(control) => (
          <Input {...control} {...textInput(form, 'address', 300, 'directory-address')} spellCheck={false} />
        )}
      </FormField>
      {draft.address.toLowerCase().startsWith('ldap:') && (
        <SwitchField
          label={t('form.startTls')}
          hint={t('form.startTlsHint')}
          checked={draft.startTls}
          testId="directory-start-tls"
          onChange={(startTls) => change({ startTls })}
        />
      )}
      <FormField label={t('form.certificates')} error={errors.certificates} hint={t('form.certificatesHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            {...textInput(form, 'certificates', 40_000, 'directory-certificates')}
            rows={3}
            spellCheck={false}
          />
        )}
      </FormField>
      <FormField label={t('form.bindDn')} required error={errors.bindDn} hint={t('form.bindDnHint')}>
        {(control) => <Input {...control} {...textInput(form, 'bindDn', 1_000, 'directory-bind')} spellCheck={false} />}
      </FormField>
      <FormField
        label={t('form.password')}
        required={isNew}
        error={errors.password}
        hint={isNew ? undefined : t('form.passwordHint')}
      >
        {(control) => (
          <Input.Password
            {...control}
            {...textInput(form, 'password', 500, 'directory-password')}
            autoComplete="new-password"
          />
        )}
      </FormField>
    </fieldset>
  );
}

const ATTRIBUTES = ['account', 'fullName', 'email', 'phone', 'uniqueId'] as const;

// oxlint-disable-next-line max-lines-per-function -- plain JSX of fields
function PeopleFields({ form }: FieldsProps) {
  const t = useTexts('directories');
  const { draft, errors, change } = form;
  return (
    <fieldset>
      <legend>{t('form.people')}</legend>
      <FormField label={t('form.bases')} required error={errors.bases} hint={t('form.basesHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            {...textInput(form, 'bases', 5_000, 'directory-bases')}
            rows={2}
            spellCheck={false}
          />
        )}
      </FormField>
      <FormField label={t('form.filter')} required error={errors.filter}>
        {(control) => (
          <Input {...control} {...textInput(form, 'filter', 1_000, 'directory-filter')} spellCheck={false} />
        )}
      </FormField>
      <p className="admin-form-hint">{t('form.attributesHint')}</p>
      <div className="admin-form-row">
        {ATTRIBUTES.map((field) => (
          <FormField
            key={field}
            label={t(`form.${field}`)}
            required={field !== 'email' && field !== 'phone'}
            error={errors[field]}
          >
            {(control) => (
              <Input {...control} {...textInput(form, field, 100, `directory-${field}`)} spellCheck={false} />
            )}
          </FormField>
        ))}
        <FormField label={t('form.lockedBy')}>
          {(control) => (
            <Select
              {...control}
              value={draft.lockedBy}
              options={DIRECTORY_LOCKS.map((value) => ({ value, label: value === 'none' ? t('form.none') : value }))}
              data-testid="directory-locked-by"
              onChange={(lockedBy) => change({ lockedBy })}
            />
          )}
        </FormField>
        <FormField label={t('form.departmentFrom')}>
          {(control) => (
            <Select
              {...control}
              value={draft.departmentFrom}
              options={(['none', 'attribute', 'tree'] as const).map((value) => ({
                value,
                label: t(`departmentFrom.${value}`),
              }))}
              data-testid="directory-department-from"
              onChange={(departmentFrom) => change({ departmentFrom })}
            />
          )}
        </FormField>
        {draft.departmentFrom === 'attribute' && (
          <FormField label={t('form.department')} error={errors.department}>
            {(control) => (
              <Input {...control} {...textInput(form, 'department', 100, 'directory-department')} spellCheck={false} />
            )}
          </FormField>
        )}
      </div>
    </fieldset>
  );
}

function RuleFields({ form }: FieldsProps) {
  const t = useTexts('directories');
  const { draft, errors, change } = form;
  return (
    <fieldset>
      <legend>{t('form.rules')}</legend>
      <SwitchField
        label={t('form.enabled')}
        hint={t('form.enabledHint')}
        checked={draft.enabled}
        testId="directory-enabled"
        onChange={(enabled) => change({ enabled })}
      />
      <SwitchField
        label={t('form.makesAccounts')}
        hint={t('form.makesAccountsHint')}
        checked={draft.makesAccounts}
        testId="directory-makes-accounts"
        onChange={(makesAccounts) => change({ makesAccounts })}
      />
      <SwitchField
        label={t('form.changesPasswords')}
        hint={t('form.changesPasswordsHint')}
        checked={draft.changesPasswords}
        testId="directory-changes-passwords"
        onChange={(changesPasswords) => change({ changesPasswords })}
      />
      <div className="admin-form-row">
        <NumberField
          label={t('form.everyMinutes')}
          value={draft.everyMinutes}
          error={errors.everyMinutes}
          hint={t('form.everyMinutesHint')}
          unit={t('form.minutes')}
          testId="directory-every"
          onChange={(everyMinutes) => change({ everyMinutes })}
        />
        <NumberField
          label={t('form.disableLimit')}
          value={draft.disableLimit}
          error={errors.disableLimit}
          hint={t('form.disableLimitHint')}
          unit="%"
          testId="directory-limit"
          onChange={(disableLimit) => change({ disableLimit })}
        />
      </div>
    </fieldset>
  );
}
