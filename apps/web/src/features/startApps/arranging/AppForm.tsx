import { localName, START_APP_LIMITS, type StartApp } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { api, ApiError } from '../../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import type { Describe } from '../../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../../ui/admin/FormDrawer.tsx';
import { textInput, useForm } from '../../../ui/admin/useForm.ts';
import { FormField } from '../../../ui/FormField.tsx';
import { bodyOf, draftFaults, draftOf, newApp, type AppDraft } from './draft.ts';
import { IconChoice } from './IconChoice.tsx';
import { useRefreshApps } from './queries.ts';

interface AppFormProps {
  /** Null for a new one. */
  app: StartApp | null;
  roles: readonly StartApp['roles'][number][];
  open: boolean;
  onClose: () => void;
}

/** Adds an app of the start page, or changes one. */
export function AppForm({ app, roles, open, onClose }: AppFormProps) {
  const t = useTexts('arranging');
  const language = useLanguage();
  const form = useAppForm({ app, onClose });
  const describe = useDescribe(roles);
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={app ? t('form.titleEdit', { name: localName(app, language) }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      testId="start-app-form"
    >
      <div className="admin-form-row">
        <FormField label={t('form.name')} required error={errors.name}>
          {(control) => (
            <Input {...control} {...textInput(form, 'name', START_APP_LIMITS.name, 'field-name')} autoFocus />
          )}
        </FormField>
        <FormField label={t('form.nameEn')} error={errors.nameEn} hint={t('form.nameEnHint')}>
          {(control) => <Input {...control} {...textInput(form, 'nameEn', START_APP_LIMITS.name, 'field-nameEn')} />}
        </FormField>
      </div>
      <FormField label={t('form.url')} required error={errors.url} hint={t('form.urlHint')}>
        {(control) => (
          <Input
            {...control}
            {...textInput(form, 'url', START_APP_LIMITS.url, 'field-url')}
            placeholder="https://www.example.org/"
            spellCheck={false}
          />
        )}
      </FormField>
      <IconChoice value={draft.icon} onChange={(icon) => change({ icon })} />
      <FormField label={t('form.roles')} error={errors.roleIds} hint={t('form.rolesHint')}>
        {(control) => (
          <Select<string[]>
            {...control}
            mode="multiple"
            value={[...draft.roleIds]}
            maxCount={START_APP_LIMITS.roles}
            options={roles.map((role) => ({ value: role.id, label: localName(role, language) }))}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={t('everyone')}
            data-testid="field-roles"
            onChange={(roleIds) => change({ roleIds })}
          />
        )}
      </FormField>
    </FormDrawer>
  );
}

function useAppForm({ app, onClose }: Pick<AppFormProps, 'app' | 'onClose'>) {
  const t = useTexts('arranging');
  const admin = useTexts('admin');
  const refresh = useRefreshApps();
  return useForm<AppDraft, StartApp>({
    initial: app ? draftOf(app) : newApp,
    version: app?.version ?? 0,
    keepAs: `startApp:${app?.id ?? 'new'}`,
    check: (draft) => draftFaults(draft, t, admin),
    send: (draft, version) =>
      app
        ? api.startApps.update({ params: { id: app.id }, body: { ...bodyOf(draft), version } })
        : api.startApps.create({ body: bodyOf(draft) }),
    fieldOf: { START_APP_ADDRESS_REFUSED: 'url', START_APP_ROLE_UNKNOWN: 'roleIds' },
    newest: async () => {
      const now = (await api.startApps.list()).records.find(({ id }) => id === app?.id);
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => (app ? admin('saved') : t('form.created')));
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(roles: AppFormProps['roles']): Describe<AppDraft> {
  const t = useTexts('arranging');
  const language = useLanguage();
  return (field, of) => {
    const names = roles.filter(({ id }) => of.roleIds.includes(id)).map((role) => localName(role, language));
    const words: Record<keyof AppDraft, [string, string]> = {
      name: [t('form.name'), of.name],
      nameEn: [t('form.nameEn'), of.nameEn],
      icon: [t('form.icon'), of.icon],
      url: [t('form.url'), of.url],
      roleIds: [t('form.roles'), names.join(t('comma')) || t('everyone')],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}
