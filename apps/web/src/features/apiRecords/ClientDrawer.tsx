import type { ApiClient } from '@rmeet/contract';
import { DatePicker, Input, Select } from 'antd';
import dayjs from 'dayjs';
import { api } from '../../lib/api/index.ts';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { NumberField } from '../../ui/admin/NumberField.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { TenantPicker } from '../../ui/admin/TenantPicker.tsx';
import { textInput, useForm, type Form } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { bodyOf, DAY, draftOf, newClient, PROOFS, type ClientDraft } from './draft.ts';
import { useRefreshClients } from './queries.ts';
import { ScopesField } from './ScopesField.tsx';

/** A client, and its new secret if it has one. */
export interface MadeSecret {
  client: ApiClient;
  secret: string | null;
}

interface ClientDrawerProps {
  /** Null for a new one. */
  client: ApiClient | null;
  /** The tenant of a new one, as the list is filtered; empty in the manage system. */
  tenant: string;
  open: boolean;
  onClose: () => void;
  onCreated: (made: MadeSecret) => void;
}

/** Creates or changes an API client. */
export function ClientDrawer({ client, tenant, open, onClose, onCreated }: ClientDrawerProps) {
  const t = useTexts('apiRecords');
  const form = useClientForm({ client, tenant, open, onClose, onCreated });
  const describe = useDescribe();
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={client ? t('form.titleEdit', { name: client.name }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      {...(client ? {} : { submitText: t('form.submitNew') })}
      testId="api-client-form"
    >
      {!client && system === 'admin' && (
        <div className="api-tenant">
          <TenantPicker value={draft.tenantId} onChange={(tenantId) => change({ tenantId })} />
          {errors.tenantId !== undefined && (
            <p className="form-field-error" role="alert">
              {errors.tenantId}
            </p>
          )}
        </div>
      )}
      <FormField label={t('form.name')} required error={errors.name} hint={t('form.nameHint')}>
        {(control) => <Input {...control} {...textInput(form, 'name', 60, 'api-client-field-name')} autoFocus />}
      </FormField>
      <FormField label={t('form.description')} error={errors.description}>
        {(control) => (
          <Input.TextArea
            {...control}
            {...textInput(form, 'description', 300, 'api-client-field-description')}
            autoSize={{ minRows: 2, maxRows: 6 }}
          />
        )}
      </FormField>
      <ScopesField chosen={draft.scopes} error={errors.scopes} onChange={(scopes) => change({ scopes })} />
      <Reach form={form} />
      <Limits form={form} />
      <Proof form={form} />
      {client && (
        <SwitchField
          label={t('form.enabled')}
          hint={t('form.enabledHint')}
          checked={draft.enabled}
          testId="api-client-enabled"
          onChange={(enabled) => change({ enabled })}
        />
      )}
    </FormDrawer>
  );
}

type Fields = { form: Form<ClientDraft> };

/** In whose name it acts. */
function Reach({ form: { draft, change } }: Fields) {
  const t = useTexts('apiRecords');
  return (
    <fieldset>
      <legend>{t('form.reach')}</legend>
      <SwitchField
        label={t('form.wholeTenant')}
        hint={t('form.wholeTenantHint')}
        checked={draft.wholeTenant}
        testId="api-client-whole-tenant"
        onChange={(wholeTenant) => change({ wholeTenant })}
      />
      <SwitchField
        label={t('form.actsForUsers')}
        hint={t('form.actsForUsersHint')}
        checked={draft.actsForUsers}
        testId="api-client-acts"
        onChange={(actsForUsers) => change({ actsForUsers })}
      />
    </fieldset>
  );
}

/** From where, how often and how long it may call. */
function Limits({ form }: Fields) {
  const t = useTexts('apiRecords');
  const { draft, errors, change } = form;
  return (
    <>
      <FormField label={t('form.networks')} error={errors.networks} hint={t('form.networksHint')}>
        {(control) => (
          <Input.TextArea
            {...control}
            {...textInput(form, 'networks', 2_000, 'api-client-networks')}
            placeholder={'192.0.2.0/24\n2001:db8::/32'}
            autoSize={{ minRows: 2, maxRows: 8 }}
          />
        )}
      </FormField>
      <div className="admin-form-row">
        <NumberField
          label={t('form.perMinute')}
          value={draft.perMinute}
          error={errors.perMinute}
          required
          testId="api-client-per-minute"
          onChange={(perMinute) => change({ perMinute })}
        />
        <FormField label={t('form.lastDay')} error={errors.lastDay} hint={t('form.lastDayHint')}>
          {(control) => (
            <DatePicker
              {...control}
              value={draft.lastDay === '' ? null : dayjs(draft.lastDay)}
              format={DAY}
              placeholder={t('noExpiry')}
              data-testid="api-client-last-day"
              onChange={(day) => change({ lastDay: day ? dayjs(day).format(DAY) : '' })}
            />
          )}
        </FormField>
      </div>
    </>
  );
}

/** How it proves who it is. */
function Proof({ form }: Fields) {
  const t = useTexts('apiRecords');
  const { draft, errors, change } = form;
  return (
    <>
      <FormField label={t('form.proof')} hint={t(`form.proofHint.${draft.proof}`)}>
        {(control) => (
          <Select
            {...control}
            value={draft.proof}
            options={PROOFS.map((value) => ({ value, label: t(`proof.${value}`) }))}
            data-testid="api-client-proof"
            onChange={(proof: ClientDraft['proof']) => change({ proof })}
          />
        )}
      </FormField>
      {draft.proof === 'key' && (
        <FormField label={t('form.publicKey')} required error={errors.publicKey} hint={t('form.publicKeyHint')}>
          {(control) => (
            <Input.TextArea
              {...control}
              {...textInput(form, 'publicKey', 10_000, 'api-client-public-key')}
              className="api-key"
              placeholder="-----BEGIN PUBLIC KEY-----"
              autoSize={{ minRows: 4, maxRows: 12 }}
            />
          )}
        </FormField>
      )}
    </>
  );
}

/** The errors that the form finds by itself. */
function useCheck(isNew: boolean) {
  const t = useTexts('apiRecords');
  return ({ name, scopes, perMinute, proof, publicKey, tenantId }: ClientDraft) => ({
    ...(isNew && system === 'admin' && tenantId === '' ? { tenantId: t('invalid.tenant') } : {}),
    ...(name.trim() === '' ? { name: t('invalid.name') } : {}),
    ...(scopes.length === 0 ? { scopes: t('invalid.scopes') } : {}),
    ...(perMinute === null || perMinute < 1 || perMinute > 6_000 ? { perMinute: t('invalid.perMinute') } : {}),
    ...(proof === 'key' && publicKey.trim() === '' ? { publicKey: t('invalid.publicKey') } : {}),
  });
}

function useClientForm({ client, tenant, onClose, onCreated }: ClientDrawerProps) {
  const t = useTexts('apiRecords');
  const admin = useTexts('admin');
  const refresh = useRefreshClients();
  const check = useCheck(client === null);
  return useForm<ClientDraft, MadeSecret>({
    initial: client ? draftOf(client) : { ...newClient, tenantId: tenant },
    version: client?.version ?? 0,
    check,
    send: async (draft, version) => {
      const body = bodyOf(draft);
      if (client)
        return { client: await api.apiRecords.update({ body: { ...body, id: client.id, version } }), secret: null };
      return api.apiRecords.create({
        body: { ...body, ...(draft.tenantId === '' ? {} : { tenantId: draft.tenantId }) },
      });
    },
    newest: async () => {
      const now = await api.apiRecords.show({ params: { id: client?.id ?? '' } });
      return { draft: draftOf(now), version: now.version };
    },
    fieldOf: {
      NAME_TAKEN: 'name',
      PUBLIC_KEY_INVALID: 'publicKey',
      TENANT_REQUIRED: 'tenantId',
      expiresAt: 'lastDay',
    },
    onSaved: (made) => {
      void refresh();
      toast('success', () => (client ? admin('saved') : t('form.created')));
      if (!client && made.secret !== null) onCreated(made);
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(): Describe<ClientDraft> {
  const t = useTexts('apiRecords');
  const admin = useTexts('admin');
  const yes = (is: boolean) => admin(is ? 'yes' : 'no');
  return (field, draft) => {
    const values: Record<keyof ClientDraft, string> = {
      ...draft,
      scopes: draft.scopes.join(', '),
      networks: draft.networks.replaceAll('\n', ', '),
      perMinute: String(draft.perMinute ?? ''),
      wholeTenant: yes(draft.wholeTenant),
      actsForUsers: yes(draft.actsForUsers),
      enabled: yes(draft.enabled),
      proof: t(`proof.${draft.proof}`),
    };
    return { label: field === 'tenantId' ? t('column.tenant') : t(`form.${field}`), value: values[field] };
  };
}
