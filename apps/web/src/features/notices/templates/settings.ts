import {
  SMS_PROVIDERS,
  type contract,
  type Input,
  type NoticeSettings,
  type REMINDER_MINUTES,
  type SmsGateway,
  type SmsProvider,
  type SmsProviderKind,
} from '@rmeet/contract';
import type { useTexts } from '../../../lib/i18n/index.ts';
import { isUrl } from '../../../lib/isUrl.ts';

/** The settings in the form. */
export interface SettingsDraft extends Omit<SmsGateway, 'headers' | 'provider'>, Omit<SmsProvider, 'kind'> {
  reminderMinutes: (typeof REMINDER_MINUTES)[number];
  hasGateway: boolean;
  /** `http`: a gateway by its own interface. */
  service: 'http' | SmsProviderKind;
  /** One per line, as `Name: value`. */
  headers: string;
  /** Empty: unchanged. */
  secret: string;
}

const NEW_GATEWAY = {
  url: '',
  method: 'POST',
  body: '{"to":"{phone}","message":"{text}"}',
  successPath: '',
  successValue: '',
} as const;

const NO_PROVIDER = {
  accessKey: '',
  signName: '',
  codeTemplate: '',
  textTemplate: '',
  appId: '',
  region: 'ap-guangzhou',
};
/** The fields of each service that must not be empty. */
export const PROVIDER_FIELDS = {
  aliyun: ['accessKey', 'signName', 'codeTemplate'],
  tencent: ['accessKey', 'appId', 'region', 'signName', 'codeTemplate'],
} as const satisfies Record<SmsProviderKind, readonly (keyof SmsProvider)[]>;

/** The fields that change with the service. */
export const serviceDraft = (service: SettingsDraft['service']): Pick<SettingsDraft, 'service' | 'url'> => ({
  service,
  url: service === 'http' ? '' : SMS_PROVIDERS[service],
});

export function settingsDraftOf({ reminderMinutes, gateway }: NoticeSettings): SettingsDraft {
  const { url, method, body, successPath, successValue } = gateway ?? NEW_GATEWAY;
  const headers = (gateway?.headers ?? [{ name: 'Content-Type', value: 'application/json' }])
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n');
  return {
    reminderMinutes,
    hasGateway: gateway !== null,
    service: gateway?.provider?.kind ?? 'http',
    ...NO_PROVIDER,
    ...providerDraft(gateway?.provider),
    url,
    method,
    headers,
    body,
    successPath,
    successValue,
    secret: '',
  };
}

function providerDraft(provider: SmsGateway['provider']): Partial<SettingsDraft> {
  if (!provider) return {};
  const { kind: _, ...fields } = provider;
  return fields;
}

function providerOf(draft: SettingsDraft): SmsProvider | null {
  const { service: kind } = draft;
  if (kind === 'http') return null;
  const { accessKey, signName, codeTemplate, textTemplate, appId, region } = draft;
  return { kind, accessKey, signName, codeTemplate, textTemplate, appId, region };
}

function headersOf(lines: string) {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...value] = line.split(':');
      return { name: name.trim(), value: value.join(':').trim() };
    });
}

type Body = Omit<Input<typeof contract.notices.saveSettings>['body'], 'version'>;

export function settingsBody(draft: SettingsDraft): Body {
  const { reminderMinutes, hasGateway, headers, secret, url, method, body, successPath, successValue } = draft;
  if (!hasGateway) return { reminderMinutes, gateway: null };
  return {
    reminderMinutes,
    gateway: {
      url: url.trim(),
      method,
      body,
      successPath: successPath.trim(),
      successValue,
      headers: headersOf(headers),
      provider: providerOf(draft),
      ...(secret === '' ? {} : { secret }),
    },
  };
}

/** The errors found before anything is sent. */
export function settingsFaults(
  draft: SettingsDraft,
  t: ReturnType<typeof useTexts<'notices'>>,
): Partial<Record<keyof SettingsDraft, string>> {
  const { hasGateway, service, url, headers } = draft;
  if (!hasGateway) return {};
  const missing = service === 'http' ? [] : PROVIDER_FIELDS[service].filter((field) => draft[field].trim() === '');
  const isWebAddress = isUrl(url.trim()) && /^https?:/.test(url.trim());
  const areHeaders = headersOf(headers).every(({ name }) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
  return {
    ...(isWebAddress ? {} : { url: t('invalid.url') }),
    ...Object.fromEntries(missing.map((field) => [field, t('invalid.missing')])),
    ...(areHeaders ? {} : { headers: t('invalid.headers') }),
  };
}
