import type { contract, Input, NoticeSettings, REMINDER_MINUTES, SmsGateway } from '@rmeet/contract';
import type { useTexts } from '../../../lib/i18n/index.ts';
import { isUrl } from '../../../lib/isUrl.ts';

/** The settings in the form. */
export interface SettingsDraft extends Omit<SmsGateway, 'headers'> {
  reminderMinutes: (typeof REMINDER_MINUTES)[number];
  hasGateway: boolean;
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

export function settingsDraftOf({ reminderMinutes, gateway }: NoticeSettings): SettingsDraft {
  const { url, method, body, successPath, successValue } = gateway ?? NEW_GATEWAY;
  const headers = (gateway?.headers ?? [{ name: 'Content-Type', value: 'application/json' }])
    .map(({ name, value }) => `${name}: ${value}`)
    .join('\n');
  return {
    reminderMinutes,
    hasGateway: gateway !== null,
    url,
    method,
    headers,
    body,
    successPath,
    successValue,
    secret: '',
  };
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

export function settingsBody({
  reminderMinutes,
  hasGateway,
  headers,
  secret,
  url,
  method,
  body,
  successPath,
  successValue,
}: SettingsDraft): Body {
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
      ...(secret === '' ? {} : { secret }),
    },
  };
}

/** The errors found before anything is sent. */
export function settingsFaults(
  { hasGateway, url, headers }: SettingsDraft,
  t: ReturnType<typeof useTexts<'notices'>>,
): Partial<Record<keyof SettingsDraft, string>> {
  if (!hasGateway) return {};
  const isWebAddress = isUrl(url.trim()) && /^https?:/.test(url.trim());
  const areHeaders = headersOf(headers).every(({ name }) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
  return {
    ...(isWebAddress ? {} : { url: t('invalid.url') }),
    ...(areHeaders ? {} : { headers: t('invalid.headers') }),
  };
}
