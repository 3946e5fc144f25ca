import { isLinkable, type Announcement, type AnnouncementBody } from '@rmeet/contract';
import type { useTexts } from '../../../lib/i18n/index.ts';
import type { FieldErrors } from '../../../ui/admin/useForm.ts';

type Person = Announcement['aimedAt']['accounts'][number];

/** An announcement in the form. */
export interface AnnouncementDraft {
  title: string;
  body: string;
  url: string;
  important: boolean;
  wholeTenant: boolean;
  departments: readonly string[];
  roleIds: readonly string[];
  accounts: readonly Person[];
  /** ISO 8601; null: from its publication, until it is withdrawn. */
  from: string | null;
  until: string | null;
  /** Publish it with the same click. */
  publishNow: boolean;
}

export const newAnnouncement: AnnouncementDraft = {
  title: '',
  body: '',
  url: '',
  important: false,
  wholeTenant: true,
  departments: [],
  roleIds: [],
  accounts: [],
  from: null,
  until: null,
  publishNow: true,
};

export function draftOf({
  title,
  body,
  url,
  important,
  from,
  until,
  aimedAt: { wholeTenant, departments, roles, accounts },
}: Announcement): AnnouncementDraft {
  const roleIds = roles.map(({ id }) => id);
  return {
    title,
    body,
    url,
    important,
    wholeTenant,
    departments,
    roleIds,
    accounts,
    from,
    until,
    publishNow: false,
  };
}

/** The request body; for a draft without faults. */
export function bodyOf({
  title,
  body,
  url,
  important,
  wholeTenant,
  departments,
  roleIds,
  accounts,
  from,
  until,
}: AnnouncementDraft): AnnouncementBody {
  const aimedAt = wholeTenant
    ? { wholeTenant }
    : {
        wholeTenant,
        departments: [...departments],
        roleIds: [...roleIds],
        userIds: accounts.map(({ userId }) => userId),
      };
  return { title: title.trim(), body, url: url.trim(), important, aimedAt, from, until };
}

type Texts = ReturnType<typeof useTexts<'writing'>>;
type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

/** The errors of an announcement found before anything is sent. */
export function draftFaults(draft: AnnouncementDraft, t: Texts, admin: AdminTexts): FieldErrors<AnnouncementDraft> {
  const { title, body, url, wholeTenant, departments, roleIds, accounts, from, until, publishNow } = draft;
  const faults: FieldErrors<AnnouncementDraft> = {};
  if (title.trim() === '') faults.title = admin('invalid.required');
  if (body.trim() === '') faults.body = admin('invalid.required');
  if (url.trim() !== '' && !isLinkable(url.trim())) faults.url = t('form.urlInvalid');
  if (!wholeTenant && departments.length + roleIds.length + accounts.length === 0)
    faults.wholeTenant = t('form.noAudience');
  const end = until === null ? Infinity : Date.parse(until);
  if (from !== null && end <= Date.parse(from)) faults.until = t('form.untilBeforeFrom');
  else if (publishNow && end <= Date.now()) faults.until = t('form.untilPast');
  return faults;
}
