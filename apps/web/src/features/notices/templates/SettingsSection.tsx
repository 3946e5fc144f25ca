import { REMINDER_MINUTES, type NoticeSettings } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Input } from 'antd';
import { useState } from 'react';
import { api, ApiError, reportError } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { ConflictNotice } from '../../../ui/admin/ConflictNotice.tsx';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { useForm } from '../../../ui/admin/useForm.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import '../../../ui/select.css';
import { settingsBody, settingsDraftOf, settingsFaults, type SettingsDraft } from './settings.ts';

const KEY = ['notice-settings'];

/** When people are reminded, and the gateway text messages go through. */
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
  const { root, draft, errors, change, conflict, isDirty, isSaving, submit, undo } = form;
  const describe = (field: keyof SettingsDraft, of: SettingsDraft) => ({
    label: t(`settings.${field}`),
    value:
      field === 'hasGateway'
        ? t(of.hasGateway ? 'settings.source.tenant' : 'settings.source.none')
        : field === 'secret'
          ? ''
          : String(of[field]),
  });
  const words = (field: 'url' | 'headers' | 'body' | 'successPath' | 'successValue' | 'secret', lines = 1) => (
    <FormField
      label={t(`gateway.${field}`)}
      required={field === 'url'}
      error={errors[field]}
      hint={
        field === 'secret' && settings.gateway?.hasSecret === true ? t('gateway.secretKept') : t(`gateway.${field}Hint`)
      }
    >
      {(control) =>
        field === 'secret' ? (
          <Input.Password
            {...control}
            value={draft.secret}
            autoComplete="off"
            data-testid="gateway-secret"
            onChange={({ target }) => change({ secret: target.value })}
          />
        ) : lines > 1 ? (
          <Input.TextArea
            {...control}
            value={draft[field]}
            autoSize={{ minRows: lines, maxRows: 8 }}
            data-testid={`gateway-${field}`}
            onChange={({ target }) => change({ [field]: target.value })}
          />
        ) : (
          <Input
            {...control}
            value={draft[field]}
            data-testid={`gateway-${field}`}
            onChange={({ target }) => change({ [field]: target.value })}
          />
        )
      }
    </FormField>
  );
  return (
    <form ref={root} className="admin-form" noValidate onSubmit={(event) => event.preventDefault()}>
      {conflict && <ConflictNotice conflict={conflict} describe={describe} />}
      {!settings.hasMail && <p className="notice-warning">{t('settings.noMail')}</p>}
      <FormField label={t('settings.reminderMinutes')} hint={t('settings.reminderHint')}>
        {({ id, ...control }) => (
          <select
            id={id}
            className="select"
            aria-describedby={control['aria-describedby']}
            value={draft.reminderMinutes}
            data-testid="notice-reminder"
            onChange={({ target }) =>
              change({ reminderMinutes: REMINDER_MINUTES.find((minutes) => String(minutes) === target.value) ?? 0 })
            }
          >
            {REMINDER_MINUTES.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 0 ? t('settings.never') : t('settings.before', { count: minutes })}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <SwitchField
        label={t('settings.hasGateway')}
        hint={t(`settings.source.${settings.smsSource}`)}
        checked={draft.hasGateway}
        onChange={(hasGateway) => change({ hasGateway })}
        testId="notice-gateway"
      />
      {draft.hasGateway && (
        <>
          {words('url')}
          <FormField label={t('gateway.method')}>
            {({ id }) => (
              <select
                id={id}
                className="select"
                value={draft.method}
                data-testid="gateway-method"
                onChange={({ target }) => change({ method: target.value as SettingsDraft['method'] })}
              >
                {(['POST', 'PUT', 'GET'] as const).map((method) => (
                  <option key={method}>{method}</option>
                ))}
              </select>
            )}
          </FormField>
          {words('headers', 2)}
          {words('body', 3)}
          {words('secret')}
          <div className="admin-form-row">
            {words('successPath')}
            {words('successValue')}
          </div>
        </>
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

/** The server's sentence; undefined without one. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.message !== '' ? error.message : undefined;
}

/** Sends a text message through the gateway as it is stored, and tells how that went. */
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
