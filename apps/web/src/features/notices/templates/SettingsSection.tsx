import { REMINDER_MINUTES, type NoticeSettings } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { useState } from 'react';
import { api, ApiError, reportError } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { ConflictNotice } from '../../../ui/admin/ConflictNotice.tsx';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { useForm, type FieldErrors } from '../../../ui/admin/useForm.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import '../../../ui/select.css';
import {
  PROVIDER_FIELDS,
  serviceDraft,
  settingsBody,
  settingsDraftOf,
  settingsFaults,
  type SettingsDraft,
} from './settings.ts';

const KEY = ['notice-settings'];

/** Reminder times, and the gateway for text messages. */
export function SettingsSection() {
  const t = useTexts('notices');
  const found = useQuery({ queryKey: KEY, queryFn: () => api.notices.settings(), meta: { quiet: true } });
  return (
    <section className="notice-settings" aria-labelledby="notice-settings-title">
      <h2 id="notice-settings-title">{t('settings.title')}</h2>
      {found.data && <SettingsForm settings={found.data} />}
      {found.isPending && <Loading />}
      {found.isError && !found.data && <ErrorState retry={() => void found.refetch()} />}
    </section>
  );
}

function SettingsForm({ settings }: { settings: NoticeSettings }) {
  const t = useTexts('notices');
  const common = useTexts('common');
  const form = useSettingsForm(settings);
  const { root, draft, errors, change, conflict, isDirty, isSaving, submit, undo } = form;
  const describe = useDescribe();
  return (
    <form ref={root} className="admin-form" noValidate onSubmit={(event) => event.preventDefault()}>
      {conflict && <ConflictNotice conflict={conflict} describe={describe} />}
      {!settings.hasMail && <p className="notice-warning">{t('settings.noMail')}</p>}
      <ReminderField value={draft.reminderMinutes} onChange={(reminderMinutes) => change({ reminderMinutes })} />
      <SwitchField
        label={t('settings.hasGateway')}
        hint={t(`settings.source.${settings.smsSource}`)}
        checked={draft.hasGateway}
        onChange={(hasGateway) => change({ hasGateway })}
        testId="notice-gateway"
      />
      {draft.hasGateway && (
        <GatewayFields
          draft={draft}
          errors={errors}
          hasSecret={settings.gateway?.hasSecret === true}
          onChange={change}
        />
      )}
      <div className="notice-buttons">
        <Button disabled={!isDirty} data-testid="settings-undo" onClick={undo}>
          {t('settings.undo')}
        </Button>
        <Button kind="primary" busy={isSaving} data-testid="settings-save" onClick={submit}>
          {common('save')}
        </Button>
      </div>
      {settings.gateway !== null && <TestMessage canSend={!isDirty} />}
    </form>
  );
}

/** The form of the settings. */
function useSettingsForm(settings: NoticeSettings) {
  const t = useTexts('notices');
  const client = useQueryClient();
  const form = useForm<SettingsDraft, NoticeSettings>({
    initial: settingsDraftOf(settings),
    version: settings.version,
    keepAs: 'notice-settings',
    keepOnLeaving: true,
    unkept: ['secret'],
    check: (draft) => settingsFaults(draft, t),
    send: (draft, version) => api.notices.saveSettings({ body: { ...settingsBody(draft), version } }),
    fieldOf: {
      SMS_SECRET_NEEDED: 'secret',
      SMS_GATEWAY_FORBIDDEN: 'url',
      'gateway.url': 'url',
      'gateway.headers': 'headers',
      'gateway.body': 'body',
      'gateway.successPath': 'successPath',
      'gateway.provider.accessKey': 'accessKey',
      'gateway.provider.signName': 'signName',
      'gateway.provider.codeTemplate': 'codeTemplate',
      'gateway.provider.textTemplate': 'textTemplate',
      'gateway.provider.appId': 'appId',
      'gateway.provider.region': 'region',
    },
    newest: async () => {
      const now = await api.notices.settings();
      return { draft: settingsDraftOf(now), version: now.version };
    },
    onSaved: (saved) => {
      client.setQueryData(KEY, saved);
      toast('success', () => t('settings.saved'));
      form.reset(settingsDraftOf(saved), saved.version);
    },
  });
  return form;
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe() {
  const t = useTexts('notices');
  return (field: keyof SettingsDraft, of: SettingsDraft) => ({
    label: t(`settings.${field}`),
    value:
      field === 'hasGateway'
        ? t(of.hasGateway ? 'settings.source.tenant' : 'settings.source.none')
        : field === 'secret'
          ? ''
          : String(of[field]),
  });
}

interface ReminderFieldProps {
  value: SettingsDraft['reminderMinutes'];
  onChange: (minutes: SettingsDraft['reminderMinutes']) => void;
}

function ReminderField({ value, onChange }: ReminderFieldProps) {
  const t = useTexts('notices');
  return (
    <FormField label={t('settings.reminderMinutes')} hint={t('settings.reminderHint')}>
      {({ id, ...control }) => (
        <select
          id={id}
          className="select"
          aria-describedby={control['aria-describedby']}
          value={value}
          data-testid="notice-reminder"
          onChange={({ target }) => onChange(REMINDER_MINUTES.find((minutes) => String(minutes) === target.value) ?? 0)}
        >
          {REMINDER_MINUTES.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes === 0 ? t('settings.never') : t('settings.before', { count: minutes })}
            </option>
          ))}
        </select>
      )}
    </FormField>
  );
}

interface GatewayFieldsProps {
  draft: SettingsDraft;
  errors: FieldErrors<SettingsDraft>;
  /** The server has a secret, which it does not reveal. */
  hasSecret: boolean;
  onChange: (part: Partial<SettingsDraft>) => void;
}

/** The gateway for text messages: a service, or one with its own interface. */
function GatewayFields(fields: GatewayFieldsProps) {
  const t = useTexts('notices');
  const { service } = fields.draft;
  return (
    <>
      <FormField label={t('gateway.service')} hint={t(`gateway.serviceHint.${service}`)}>
        {({ id, ...control }) => (
          <select
            id={id}
            className="select"
            aria-describedby={control['aria-describedby']}
            value={service}
            data-testid="gateway-service"
            onChange={({ target }) => fields.onChange(serviceDraft(target.value as SettingsDraft['service']))}
          >
            {(['http', 'aliyun', 'tencent'] as const).map((one) => (
              <option key={one} value={one}>
                {t(`gateway.services.${one}`)}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {service === 'http' ? (
        <HttpFields {...fields} />
      ) : (
        <>
          {(['accessKey', 'secret'] as const).map((field) => (
            <GatewayField key={field} field={field} {...fields} />
          ))}
          {[...PROVIDER_FIELDS[service].slice(1), 'textTemplate' as const].map((field) => (
            <GatewayField key={field} field={field} {...fields} />
          ))}
          <GatewayField field="url" {...fields} />
        </>
      )}
    </>
  );
}

/** A gateway by its own interface. */
function HttpFields(fields: GatewayFieldsProps) {
  const t = useTexts('notices');
  return (
    <>
      <GatewayField field="url" {...fields} />
      <FormField label={t('gateway.method')}>
        {({ id }) => (
          <select
            id={id}
            className="select"
            value={fields.draft.method}
            data-testid="gateway-method"
            onChange={({ target }) => fields.onChange({ method: target.value as SettingsDraft['method'] })}
          >
            {(['POST', 'PUT', 'GET'] as const).map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        )}
      </FormField>
      <GatewayField field="headers" lines={2} {...fields} />
      <GatewayField field="body" lines={3} {...fields} />
      <GatewayField field="secret" {...fields} />
      <div className="admin-form-row">
        <GatewayField field="successPath" {...fields} />
        <GatewayField field="successValue" {...fields} />
      </div>
    </>
  );
}

interface GatewayFieldProps extends GatewayFieldsProps {
  field:
    | 'url'
    | 'headers'
    | 'body'
    | 'successPath'
    | 'successValue'
    | 'secret'
    | 'accessKey'
    | 'signName'
    | 'codeTemplate'
    | 'textTemplate'
    | 'appId'
    | 'region';
  lines?: number;
}

const REQUIRED: ReadonlySet<string> = new Set(Object.values(PROVIDER_FIELDS).flat());

function GatewayField({ field, lines = 1, draft, errors, hasSecret, onChange }: GatewayFieldProps) {
  const t = useTexts('notices');
  return (
    <FormField
      label={t(`gateway.${field}`)}
      required={field === 'url' || REQUIRED.has(field)}
      error={errors[field]}
      hint={field === 'secret' && hasSecret ? t('gateway.secretKept') : t(`gateway.${field}Hint`)}
    >
      {(control) =>
        field === 'secret' ? (
          <Input.Password
            {...control}
            value={draft.secret}
            autoComplete="off"
            data-testid="gateway-secret"
            onChange={({ target }) => onChange({ secret: target.value })}
          />
        ) : lines > 1 ? (
          <Input.TextArea
            {...control}
            value={draft[field]}
            autoSize={{ minRows: lines, maxRows: 8 }}
            data-testid={`gateway-${field}`}
            onChange={({ target }) => onChange({ [field]: target.value })}
          />
        ) : (
          <Input
            {...control}
            value={draft[field]}
            data-testid={`gateway-${field}`}
            onChange={({ target }) => onChange({ [field]: target.value })}
          />
        )
      }
    </FormField>
  );
}

/** The server's message; undefined if there is none. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.message !== '' ? error.message : undefined;
}

/** Sends a text message through the stored gateway settings, and shows the result. */
function TestMessage({ canSend }: { canSend: boolean }) {
  const t = useTexts('notices');
  const [phone, setPhone] = useState('');
  const test = useMutation({
    mutationFn: () => api.notices.testSms({ body: { phone: phone.trim() } }),
    onSuccess: () => toast('success', () => t('test.sent')),
    onError: (error) => {
      if (sentenceOf(error) === undefined) reportError(error);
    },
    meta: { quiet: true },
  });
  return (
    <div className="notice-test">
      <FormField
        label={t('test.phone')}
        error={sentenceOf(test.error)}
        hint={t(canSend ? 'test.hint' : 'test.saveFirst')}
      >
        {(control) => (
          <Input
            {...control}
            value={phone}
            inputMode="tel"
            data-testid="sms-test-phone"
            onChange={({ target }) => setPhone(target.value)}
          />
        )}
      </FormField>
      <Button
        busy={test.isPending}
        disabled={!canSend || phone.trim() === ''}
        data-testid="sms-test"
        onClick={() => test.mutate()}
      >
        {t('test.send')}
      </Button>
    </div>
  );
}
