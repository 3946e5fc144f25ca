import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '@rmeet/contract';
import { Checkbox, Input } from 'antd';
import { useId } from 'react';
import { api } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { FormDrawer } from '../../../ui/admin/FormDrawer.tsx';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { textInput, useForm } from '../../../ui/admin/useForm.ts';
import { FormField } from '../../../ui/FormField.tsx';
import { tenantOf, useRefreshWebhooks } from './queries.ts';

interface WebhookDraft {
  name: string;
  url: string;
  events: readonly WebhookEvent[];
  enabled: boolean;
}

/** A webhook and its new secret. */
export interface MadeWebhook {
  webhook: Webhook;
  secret: string;
}

interface WebhookDrawerProps {
  /** Null for a new one. */
  webhook: Webhook | null;
  tenant: string;
  open: boolean;
  onClose: () => void;
  onCreated: (made: MadeWebhook) => void;
}

const newWebhook: WebhookDraft = { name: '', url: '', events: [], enabled: true };
const draftOf = ({ name, url, events, state }: Webhook): WebhookDraft => ({
  name,
  url,
  events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
  enabled: state === 'active',
});

/** Creates or changes a webhook. */
export function WebhookDrawer({ webhook, tenant, open, onClose, onCreated }: WebhookDrawerProps) {
  const t = useTexts('apiRecords');
  const form = useWebhookForm({ webhook, tenant, open, onClose, onCreated });
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={webhook ? t('webhook.titleEdit', { name: webhook.name }) : t('webhook.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      {...(webhook ? {} : { submitText: t('form.submitNew') })}
      testId="webhook-form"
    >
      <FormField label={t('form.name')} required error={errors.name}>
        {(control) => <Input {...control} {...textInput(form, 'name', 60, 'webhook-name')} autoFocus />}
      </FormField>
      <FormField label={t('webhook.url')} required error={errors.url} hint={t('webhook.urlHint')}>
        {(control) => (
          <Input
            {...control}
            {...textInput(form, 'url', 1_000, 'webhook-url')}
            inputMode="url"
            placeholder="https://board.example.org/rmeet"
          />
        )}
      </FormField>
      <EventsField chosen={draft.events} error={errors.events} onChange={(events) => change({ events })} />
      {webhook && (
        <SwitchField
          label={t('form.enabled')}
          hint={t('webhook.enabledHint')}
          checked={draft.enabled}
          testId="webhook-enabled"
          onChange={(enabled) => change({ enabled })}
        />
      )}
    </FormDrawer>
  );
}

interface EventsFieldProps {
  chosen: readonly WebhookEvent[];
  error: string | undefined;
  onChange: (events: WebhookEvent[]) => void;
}

function EventsField({ chosen, error, onChange }: EventsFieldProps) {
  const t = useTexts('apiRecords');
  const id = useId();
  return (
    <fieldset className="api-scopes" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{t('webhook.events')}</legend>
      {error !== undefined && (
        <p id={`${id}-error`} className="form-field-error" role="alert">
          {error}
        </p>
      )}
      {WEBHOOK_EVENTS.map((event) => (
        <Checkbox
          key={event}
          checked={chosen.includes(event)}
          data-testid={`event-${event}`}
          onChange={({ target }) =>
            onChange(WEBHOOK_EVENTS.filter((one) => (one === event ? target.checked : chosen.includes(one))))
          }
        >
          <span className="api-scope">
            {t(`event.${event}`)}
            <code>{event}</code>
          </span>
        </Checkbox>
      ))}
    </fieldset>
  );
}

function useWebhookForm({ webhook, tenant, onClose, onCreated }: WebhookDrawerProps) {
  const t = useTexts('apiRecords');
  const admin = useTexts('admin');
  const refresh = useRefreshWebhooks();
  return useForm<WebhookDraft, MadeWebhook | null>({
    initial: webhook ? draftOf(webhook) : newWebhook,
    version: webhook?.version ?? 0,
    check: ({ name, url, events }) => ({
      ...(name.trim() === '' ? { name: t('invalid.name') } : {}),
      ...(url.trim() === '' ? { url: t('invalid.url') } : {}),
      ...(events.length === 0 ? { events: t('invalid.events') } : {}),
    }),
    send: async ({ name, url, events, enabled }, version) => {
      const body = { ...tenantOf(tenant), name: name.trim(), url: url.trim(), events: [...events] };
      if (!webhook) return api.webhooks.create({ body });
      await api.webhooks.update({ params: { id: webhook.id }, body: { ...body, enabled, version } });
      return null;
    },
    fieldOf: { WEBHOOK_ADDRESS_REFUSED: 'url', WEBHOOKS_MOST: 'name' },
    onSaved: (made) => {
      void refresh();
      toast('success', () => (webhook ? admin('saved') : t('webhook.created')));
      if (made) onCreated(made);
      onClose();
    },
  });
}
