import { ANNOUNCEMENT_LIMITS, type Announcement } from '@rmeet/contract';
import { DatePicker, Input } from 'antd';
import dayjs from 'dayjs';
import { useRef } from 'react';
import { api, ApiError } from '../../../lib/api/index.ts';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { formatTime } from '../../../lib/time.ts';
import type { Describe } from '../../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../../ui/admin/FormDrawer.tsx';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { textInput, useForm, type Form } from '../../../ui/admin/useForm.ts';
import { FormField } from '../../../ui/FormField.tsx';
import { AudienceFields } from './AudienceFields.tsx';
import { BodyField } from './BodyField.tsx';
import { bodyOf, draftFaults, draftOf, newAnnouncement, type AnnouncementDraft } from './draft.ts';
import { findAnnouncement, useRefreshAnnouncements } from './queries.ts';
import { audienceOf } from './words.ts';

interface AnnouncementFormProps {
  /** Null for a new one. */
  announcement: Announcement | null;
  open: boolean;
  onClose: () => void;
}

const isPublishable = (announcement: Announcement | null): boolean =>
  announcement === null || announcement.status === 'draft' || announcement.status === 'withdrawn';

/** Writes an announcement, or changes one. */
export function AnnouncementForm({ announcement, open, onClose }: AnnouncementFormProps) {
  const t = useTexts('writing');
  const form = useAnnouncementForm({ announcement, onClose });
  const describe = useDescribe(announcement);
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={announcement ? t('form.titleEdit', { title: announcement.title }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      submitText={t(draft.publishNow ? 'form.publish' : 'form.save')}
      testId="announcement-form"
    >
      <FormField label={t('column.title')} required error={errors.title}>
        {(control) => (
          <Input {...control} {...textInput(form, 'title', ANNOUNCEMENT_LIMITS.title, 'field-title')} autoFocus />
        )}
      </FormField>
      <BodyField body={draft.body} error={errors.body} onChange={(body) => change({ body })} />
      <FormField label={t('form.url')} error={errors.url} hint={t('form.urlHint')}>
        {(control) => (
          <Input
            {...control}
            {...textInput(form, 'url', ANNOUNCEMENT_LIMITS.url, 'field-url')}
            placeholder="https://www.example.org/"
            spellCheck={false}
          />
        )}
      </FormField>
      <SwitchField
        label={t('column.important')}
        hint={t('form.importantHint')}
        checked={draft.important}
        testId="field-important"
        onChange={(important) => change({ important })}
      />
      <AudienceFields draft={draft} error={errors.wholeTenant} onChange={change} />
      <div className="admin-form-row">
        <TimeField form={form} field="from" label={t('form.from')} hint={t('form.fromHint')} />
        <TimeField form={form} field="until" label={t('form.until')} hint={t('form.untilHint')} />
      </div>
      {isPublishable(announcement) && (
        <SwitchField
          label={t('form.publishNow')}
          hint={t(draft.publishNow ? 'form.publishNowHint' : 'form.draftHint')}
          checked={draft.publishNow}
          testId="field-publish"
          onChange={(publishNow) => change({ publishNow })}
        />
      )}
    </FormDrawer>
  );
}

function useAnnouncementForm({ announcement, onClose }: Pick<AnnouncementFormProps, 'announcement' | 'onClose'>) {
  const t = useTexts('writing');
  const admin = useTexts('admin');
  const refresh = useRefreshAnnouncements();
  /** A new one that is stored but could not be published: the next attempt must not store it again. */
  const stored = useRef<Announcement | null>(null);

  const send = async (draft: AnnouncementDraft, version: number): Promise<Announcement> => {
    const body = bodyOf(draft);
    const known = stored.current ?? announcement;
    const saved = known
      ? await api.announcements.update({
          params: { id: known.id },
          body: { ...body, version: stored.current?.version ?? version },
        })
      : await api.announcements.create({ body });
    if (!announcement) stored.current = saved;
    if (!draft.publishNow || !isPublishable(saved)) return saved;
    return api.announcements.publish({ params: { id: saved.id }, body: { version: saved.version } });
  };

  return useForm<AnnouncementDraft, Announcement>({
    initial: announcement ? draftOf(announcement) : newAnnouncement,
    version: announcement?.version ?? 0,
    keepAs: `announcement:${announcement?.id ?? 'new'}`,
    check: (draft) => draftFaults(draft, t, admin),
    send,
    fieldOf: {
      ANNOUNCEMENT_EMPTY: 'body',
      ANNOUNCEMENT_LINK_REFUSED: 'url',
      ANNOUNCEMENT_TIMES: 'until',
      ANNOUNCEMENT_AUDIENCE_UNKNOWN: 'wholeTenant',
      aimedAt: 'wholeTenant',
    },
    newest: async () => {
      const now = announcement && (await findAnnouncement(announcement));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: ({ status }) => {
      void refresh();
      toast('success', () => t(status === 'running' || status === 'scheduled' ? 'publish.done' : 'form.saved'));
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(announcement: Announcement | null): Describe<AnnouncementDraft> {
  const t = useTexts('writing');
  const admin = useTexts('admin');
  const language = useLanguage();
  return (field, of) => {
    const roles = announcement?.aimedAt.roles.filter(({ id }) => of.roleIds.includes(id)) ?? [];
    const audience = audienceOf(
      {
        wholeTenant: of.wholeTenant,
        departments: [...of.departments],
        roles,
        accounts: [...of.accounts],
      },
      t,
      language,
    );
    const words: Record<keyof AnnouncementDraft, [string, string]> = {
      title: [t('column.title'), of.title],
      body: [t('form.body'), of.body],
      url: [t('form.url'), of.url],
      important: [t('column.important'), admin(of.important ? 'yes' : 'no')],
      wholeTenant: [t('column.audience'), audience],
      departments: [admin('audience.departments'), of.departments.join(t('comma'))],
      roleIds: [t('form.roles'), roles.map(({ name }) => name).join(t('comma'))],
      accounts: [admin('audience.people'), of.accounts.map(({ name }) => name).join(t('comma'))],
      from: [t('form.from'), formatTime(of.from)],
      until: [t('form.until'), formatTime(of.until)],
      publishNow: [t('form.publishNow'), admin(of.publishNow ? 'yes' : 'no')],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}

interface TimeFieldProps {
  form: Form<AnnouncementDraft>;
  field: 'from' | 'until';
  label: string;
  hint: string;
}

/** A time to the minute; empty for none. */
function TimeField({ form: { draft, errors, change }, field, label, hint }: TimeFieldProps) {
  const t = useTexts('writing');
  const value = draft[field];
  return (
    <FormField label={label} error={errors[field]} hint={hint}>
      {(control) => (
        <DatePicker
          {...control}
          value={value === null ? null : dayjs(value)}
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          needConfirm={false}
          placeholder={t('form.noTime')}
          data-testid={`field-${field}`}
          onChange={(time) => change({ [field]: time ? dayjs(time).second(0).millisecond(0).toISOString() : null })}
        />
      )}
    </FormField>
  );
}
