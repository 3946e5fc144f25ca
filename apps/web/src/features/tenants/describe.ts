import { permissionDefinition, type PermissionCode } from '@rmeet/contract';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import '../../ui/admin/secondFactor/texts.ts';
import { GIGABYTE, type TenantDraft } from './draft.ts';

/** Field labels and values of a tenant's form as text, for the notice of a conflict. */
export function useDescribe() {
  const t = useTexts('tenants');
  const admin = useTexts('admin');
  const factor = useTexts('secondFactor');
  const language = useLanguage();
  const contact = (who: 'meetingAdmin' | 'serviceDesk', part: 'name' | 'phone') =>
    t(`contacts.${part}`, { who: t(`contacts.${who}`) });
  const number = (value: number | null, empty: string) => (value === null ? empty : String(value));
  const unlimited = t('unlimited');
  const space = (bytes: number | null) =>
    bytes === null ? unlimited : `${Math.round(bytes / GIGABYTE)} ${t('quota.gigabytes')}`;
  return <D extends Partial<TenantDraft>>(field: keyof D, draft: D): { label: string; value: string } => {
    const of = draft as TenantDraft;
    const words: Record<keyof TenantDraft, () => [string, string]> = {
      name: () => [t('form.name'), of.name],
      users: () => [t('quota.users'), number(of.users, unlimited)],
      terminals: () => [t('quota.terminals'), number(of.terminals, unlimited)],
      recordingBytes: () => [t('quota.recording'), space(of.recordingBytes)],
      meetingFileBytes: () => [t('quota.meetingFiles'), space(of.meetingFileBytes)],
      meetingMinutes: () => [t('quota.meeting'), number(of.meetingMinutes, unlimited)],
      deniedFeatures: () => [
        `${t('feature.title')} (${admin('no')})`,
        of.deniedFeatures.map((code) => permissionDefinition(code as PermissionCode)[language]).join(', '),
      ],
      colour: () => [t('look.colour'), of.colour],
      logo: () => [t('look.logo'), of.logo],
      welcomeZh: () => [t('welcome.zh'), of.welcomeZh],
      welcomeEn: () => [t('welcome.en'), of.welcomeEn],
      meetingAdminName: () => [contact('meetingAdmin', 'name'), of.meetingAdminName],
      meetingAdminPhone: () => [contact('meetingAdmin', 'phone'), of.meetingAdminPhone],
      serviceDeskName: () => [contact('serviceDesk', 'name'), of.serviceDeskName],
      serviceDeskPhone: () => [contact('serviceDesk', 'phone'), of.serviceDeskPhone],
      minLength: () => [t('rules.minLength'), number(of.minLength, '')],
      minClasses: () => [t('rules.minClasses'), String(of.minClasses)],
      history: () => [t('rules.history'), number(of.history, '')],
      maxAgeDays: () => [t('rules.maxAgeDays'), number(of.maxAgeDays, t('rules.never'))],
      signInModes: () => [t('signIn.title'), of.signInModes.map((mode) => t(`signIn.mode.${mode}`)).join(', ')],
      secondFactor: () => [factor('askedOf'), factor(`for.${of.secondFactor.askedOf}`)],
      factorNetworks: () => [factor('networks'), of.factorNetworks],
      factorPlaces: () => [factor('places'), of.factorPlaces],
      chatFiles: () => [t('chatFiles.enabled'), admin(of.chatFiles ? 'yes' : 'no')],
      chatFileMegabytes: () => [t('chatFiles.megabytes'), number(of.chatFileMegabytes, '')],
      chatFileKinds: () => [
        t('chatFiles.kinds'),
        of.chatFileKinds.map((kind) => t(`chatFiles.kind.${kind}`)).join(', '),
      ],
      recordings: () => [t('recording.enabled'), admin(of.recordings ? 'yes' : 'no')],
      recordingStartedBy: () => [t('recording.startedBy'), t(`recording.starters.${of.recordingStartedBy}`)],
      recordingWatchedBy: () => [t('recording.watchedBy'), t(`recording.viewers.${of.recordingWatchedBy}`)],
      recordingTracks: () => [t('recording.tracks'), admin(of.recordingTracks ? 'yes' : 'no')],
      recordingDownload: () => [t('recording.download'), admin(of.recordingDownload ? 'yes' : 'no')],
      recordingWatermark: () => [t('recording.watermark'), admin(of.recordingWatermark ? 'yes' : 'no')],
      recordingKeptDays: () => [t('recording.keptDays'), number(of.recordingKeptDays, t('recording.forever'))],
      codec: () => [t('recording.codec'), t(`recording.codecs.${of.codec}`)],
      auditMonths: () => [t('audit.months'), number(of.auditMonths, '')],
    };
    const [label, value] = words[field as keyof TenantDraft]();
    return { label, value };
  };
}
