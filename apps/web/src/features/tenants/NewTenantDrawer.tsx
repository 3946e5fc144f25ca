import { LIMITS } from '@rmeet/contract';
import { Input } from 'antd';
import { api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { accountFaults, emptyAccount } from '../../ui/admin/account.ts';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import type { MadePassword } from '../../ui/admin/OneTimePassword.tsx';
import { useForm, type FieldErrors } from '../../ui/admin/useForm.ts';
import { FormField } from '../../ui/FormField.tsx';
import { faultsOf, newPlatformDraft, platformBody, type PlatformDraft } from './draft.ts';
import { PLATFORM_FIELDS } from './fields.ts';
import { FeatureSection, NameField, QuotaSection } from './PlatformSections.tsx';
import { useRefreshTenants } from './queries.ts';

interface NewTenantDraft extends PlatformDraft {
  adminAccount: string;
  adminName: string;
}

interface NewTenantDrawerProps {
  open: boolean;
  onClose: () => void;
  /** The first administrator, whose password is shown only once. */
  onCreated: (admin: MadePassword) => void;
}

/** Creates a tenant with its first administrator. */
export function NewTenantDrawer({ open, onClose, onCreated }: NewTenantDrawerProps) {
  const t = useTexts('tenants');
  const form = useNewTenantForm({ onClose, onCreated });
  const { draft, errors, change } = form;
  const section = { draft, errors, onChange: change };
  return (
    <FormDrawer
      title={t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      submitText={t('form.submitNew')}
      testId="tenant-new-drawer"
    >
      <fieldset>
        <legend>{t('form.general')}</legend>
        <NameField {...section} />
      </fieldset>
      <fieldset>
        <legend>{t('form.admin')}</legend>
        <p className="admin-form-hint">{t('form.adminHint')}</p>
        <AdministratorFields {...section} />
      </fieldset>
      <QuotaSection {...section} />
      <FeatureSection {...section} />
    </FormDrawer>
  );
}

/** The form of a new tenant. */
function useNewTenantForm({ onClose, onCreated }: Omit<NewTenantDrawerProps, 'open'>) {
  const t = useTexts('tenants');
  const admin = useTexts('admin');
  const refresh = useRefreshTenants();
  return useForm<NewTenantDraft, MadePassword>({
    initial: { ...newPlatformDraft, adminAccount: '', adminName: '' },
    keepAs: 'tenant:new',
    check: ({ adminAccount, adminName, ...draft }) => {
      const { account, name } = accountFaults({ ...emptyAccount, account: adminAccount, name: adminName }, admin);
      return {
        ...faultsOf(draft, t, admin),
        ...(account === undefined ? {} : { adminAccount: account }),
        ...(name === undefined ? {} : { adminName: name }),
      };
    },
    send: async (draft) => {
      const person = { account: draft.adminAccount.trim(), name: draft.adminName.trim() };
      const { password } = await api.tenants.create({ body: { ...platformBody(draft), admin: person } });
      return { ...person, password };
    },
    fieldOf: { ...PLATFORM_FIELDS, 'admin.account': 'adminAccount', 'admin.name': 'adminName' },
    onSaved: (made) => {
      void refresh();
      toast('success', () => t('form.created'));
      onCreated(made);
      onClose();
    },
  });
}

interface AdministratorFieldsProps {
  draft: NewTenantDraft;
  errors: FieldErrors<NewTenantDraft>;
  onChange: (part: Partial<NewTenantDraft>) => void;
}

function AdministratorFields({ draft, errors, onChange }: AdministratorFieldsProps) {
  const admin = useTexts('admin');
  return (
    <div className="admin-form-row">
      <FormField
        label={admin('account.account')}
        required
        error={errors.adminAccount}
        hint={admin('account.accountHint')}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.adminAccount}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            data-testid="tenant-admin-account"
            onChange={({ target }) => onChange({ adminAccount: target.value })}
          />
        )}
      </FormField>
      <FormField label={admin('account.name')} required error={errors.adminName}>
        {(control) => (
          <Input
            {...control}
            value={draft.adminName}
            maxLength={LIMITS.displayName}
            autoComplete="off"
            data-testid="tenant-admin-name"
            onChange={({ target }) => onChange({ adminName: target.value })}
          />
        )}
      </FormField>
    </div>
  );
}
