import type { MeetingResource } from '@rmeet/contract';
import { Input, Select } from 'antd';
import { ApiError, api } from '../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { zoneOptions, type ZoneOption } from '../../lib/rooms/zones.ts';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { drawOption } from '../../ui/admin/drawOption.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { textInput, useForm, type Form } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { AssigneeFields } from './AssigneeFields.tsx';
import { assigneesOf, draftOf, newResource, resourceBody, resourceFaults, type ResourceDraft } from './draft.ts';
import { findResource, useRefreshResources } from './queries.ts';

interface ResourceDrawerProps {
  /** Null for a new one. */
  resource: MeetingResource | null;
  open: boolean;
  onClose: () => void;
}

/** Adds a media resource, or changes one and its assignments. */
export function ResourceDrawer({ resource, open, onClose }: ResourceDrawerProps) {
  const t = useTexts('resources');
  const language = useLanguage();

  const form = useResourceForm({ resource, open, onClose });
  const describe = useDescribe();
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={resource ? t('form.titleEdit', { name: resource.name }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      {...(resource ? {} : { submitText: t('form.submitNew') })}
      testId="resource-drawer"
    >
      <div className="admin-form-row">
        <FormField label={t('column.name')} required error={errors.name}>
          {(control) => <Input {...control} {...textInput(form, 'name', 60, 'field-name')} autoFocus />}
        </FormField>
        <FormField label={t('column.zone')} error={errors.zone} hint={t('form.zoneHint')}>
          {(control) => <Input {...control} {...textInput(form, 'zone', 60, 'field-zone')} spellCheck={false} />}
        </FormField>
      </div>
      <LimitFields {...form} />
      <FormField label={t('column.timeZone')} error={errors.timeZone} hint={t('form.timeZoneHint')}>
        {(control) => (
          <Select<string, ZoneOption>
            {...control}
            value={draft.timeZone}
            options={[...zoneOptions(language)]}
            showSearch={{ optionFilterProp: 'found' }}
            optionRender={drawOption}
            data-testid="resource-zone"
            onChange={(timeZone) => change({ timeZone })}
          />
        )}
      </FormField>
      <AssigneeFields draft={draft} error={errors.accounts} onChange={change} />
      <SwitchField
        label={t('form.enabled')}
        hint={t('form.enabledHint')}
        checked={draft.enabled}
        testId="resource-enabled"
        onChange={(enabled) => change({ enabled })}
      />
    </FormDrawer>
  );
}

/** The form of a resource. */
function useResourceForm({ resource, onClose }: ResourceDrawerProps) {
  const t = useTexts('resources');
  const admin = useTexts('admin');
  const refresh = useRefreshResources();
  return useForm<ResourceDraft, MeetingResource>({
    initial: resource ? draftOf(resource) : newResource(),
    version: resource?.version ?? 0,
    keepAs: `resource:${resource?.id ?? 'new'}`,
    check: (draft) => resourceFaults(draft, t, admin),
    send: (draft, version) =>
      resource
        ? api.resources.update({ body: { ...resourceBody(draft), id: resource.id, version } })
        : api.resources.create({ body: resourceBody(draft) }),
    fieldOf: { NAME_TAKEN: 'name', RESOURCE_ASSIGNEE_UNKNOWN: 'accounts', 'assignedTo.userIds': 'accounts' },
    newest: async () => {
      const now = resource && (await findResource(resource));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: () => {
      void refresh();
      toast('success', () => (resource ? admin('saved') : t('form.created')));
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(): Describe<ResourceDraft> {
  const t = useTexts('resources');
  const admin = useTexts('admin');
  return (field, of) => {
    const limit = (value: number | null): string => (value === null ? t('form.unlimited') : String(value));
    const assignees = assigneesOf({ ...of, accounts: [...of.accounts], departments: [...of.departments] }, t);
    const words: Record<keyof ResourceDraft, [string, string]> = {
      name: [t('column.name'), of.name],
      zone: [t('column.zone'), of.zone],
      ports: [t('form.ports'), limit(of.ports)],
      hours: [t('form.hours'), limit(of.hours)],
      timeZone: [t('column.timeZone'), of.timeZone],
      everybody: [t('column.assignedTo'), assignees],
      accounts: [admin('audience.people'), of.accounts.map(({ name }) => name).join(t('comma'))],
      departments: [admin('audience.departments'), of.departments.join(t('comma'))],
      enabled: [t('form.enabled'), admin(of.enabled ? 'yes' : 'no')],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}

function LimitFields({ draft, errors, change }: Pick<Form<ResourceDraft>, 'draft' | 'errors' | 'change'>) {
  const t = useTexts('resources');
  return (
    <div className="admin-form-row">
      <NumberField
        label={t('form.ports')}
        value={draft.ports}
        error={errors.ports}
        hint={t('form.portsHint')}
        placeholder={t('form.unlimited')}
        testId="field-ports"
        onChange={(ports) => change({ ports })}
      />
      <NumberField
        label={t('form.hours')}
        value={draft.hours}
        error={errors.hours}
        hint={t('form.hoursHint')}
        placeholder={t('form.unlimited')}
        testId="field-hours"
        onChange={(hours) => change({ hours })}
      />
    </div>
  );
}
