import { isAppAddress, type StartApp, type StartAppBody } from '@rmeet/contract';
import type { useTexts } from '../../../lib/i18n/index.ts';
import type { FieldErrors } from '../../../ui/admin/useForm.ts';

/** An app in the form. */
export interface AppDraft {
  name: string;
  nameEn: string;
  icon: string;
  url: string;
  roleIds: readonly string[];
}

export const newApp: AppDraft = { name: '', nameEn: '', icon: 'globe', url: '', roleIds: [] };

export const draftOf = ({ name, nameEn, icon, url, roles }: StartApp): AppDraft => ({
  name,
  nameEn,
  icon,
  url,
  roleIds: roles.map(({ id }) => id),
});

/** The request body; for a draft without faults. */
export const bodyOf = ({ name, nameEn, icon, url, roleIds }: AppDraft): StartAppBody => ({
  name: name.trim(),
  nameEn: nameEn.trim(),
  icon,
  url: url.trim(),
  roleIds: [...roleIds],
});

/** The errors of an app found before anything is sent. */
export function draftFaults(
  { name, url }: AppDraft,
  t: ReturnType<typeof useTexts<'arranging'>>,
  admin: ReturnType<typeof useTexts<'admin'>>,
): FieldErrors<AppDraft> {
  const faults: FieldErrors<AppDraft> = {};
  if (name.trim() === '') faults.name = admin('invalid.required');
  if (url.trim() === '') faults.url = admin('invalid.required');
  else if (!isAppAddress(url.trim())) faults.url = t('form.urlInvalid');
  return faults;
}
