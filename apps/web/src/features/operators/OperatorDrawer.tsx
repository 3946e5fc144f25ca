import type { Operator } from '@rmeet/contract';
import { ApiError, api } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { accountBody, accountFaults } from '../../ui/admin/account.ts';
import { AccountFields } from '../../ui/admin/AccountFields.tsx';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { RolePicker, useRoleOptions } from '../../ui/admin/RolePicker.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { useForm } from '../../ui/admin/useForm.ts';
import { draftOf, newOperator, type OperatorDraft } from './draft.ts';
import { findOperator, useRefreshOperators } from './queries.ts';

interface OperatorDrawerProps {
  /** Null for a new one. */
  operator: Operator | null;
  open: boolean;
  onClose: () => void;
  /** A new operator was created; the password is shown only once. */
  onCreated: (operator: Operator, password: string | null) => void;
}

/** Creates or changes an operator. */
export function OperatorDrawer({ operator, open, onClose, onCreated }: OperatorDrawerProps) {
  const t = useTexts('operators');
  const roles = useRoleOptions('operator');

  const form = useOperatorForm({ operator, open, onClose, onCreated });
  const describe = useDescribe(roles.data ?? []);
  const { draft, errors, change } = form;
  return (
    <FormDrawer
      title={operator ? t('form.titleEdit', { name: operator.name }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      {...(operator ? {} : { submitText: t('form.submitNew') })}
      testId="operator-drawer"
    >
      <AccountFields draft={draft} errors={errors} onChange={change} isNew={operator === null} />
      <fieldset>
        <legend>{t('form.grants')}</legend>
        <SwitchField
          label={t('superAdmin')}
          hint={t('superAdminHint')}
          error={errors.isSuperAdmin}
          checked={draft.isSuperAdmin}
          testId="operator-super-admin"
          onChange={(isSuperAdmin) => change({ isSuperAdmin })}
        />
        <RolePicker
          kind="operator"
          roleIds={draft.roleIds}
          known={operator?.roles ?? []}
          error={errors.roleIds}
          onChange={(roleIds) => change({ roleIds: roleIds.sort() })}
        />
      </fieldset>
    </FormDrawer>
  );
}

/** The form of an operator. */
function useOperatorForm({ operator, onClose, onCreated }: OperatorDrawerProps) {
  const t = useTexts('operators');
  const admin = useTexts('admin');
  const refresh = useRefreshOperators();
  return useForm<OperatorDraft, { operator: Operator; password: string | null }>({
    initial: operator ? draftOf(operator) : newOperator,
    version: operator?.version ?? 0,
    keepAs: `operator:${operator?.id ?? 'new'}`,
    check: (draft) => accountFaults(draft, admin),
    send: async (draft, version) => {
      const body = { ...accountBody(draft), isSuperAdmin: draft.isSuperAdmin, roleIds: [...draft.roleIds] };
      if (!operator) return api.operators.create({ body: { ...body, account: draft.account.trim() } });
      return { operator: await api.operators.update({ body: { ...body, id: operator.id, version } }), password: null };
    },
    fieldOf: {
      ACCOUNT_TAKEN: 'account',
      ROLE_UNKNOWN: 'roleIds',
      LAST_ADMIN: 'isSuperAdmin',
      OWN_ACCOUNT: 'isSuperAdmin',
    },
    newest: async () => {
      const now = operator && (await findOperator(operator));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: (saved) => {
      void refresh();
      toast('success', () => (operator ? admin('saved') : t('form.created')));
      if (!operator) onCreated(saved.operator, saved.password);
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(roles: readonly { id: string; name: string }[]): Describe<OperatorDraft> {
  const t = useTexts('operators');
  const admin = useTexts('admin');
  return (field, of) => {
    const words: Record<keyof OperatorDraft, [string, string]> = {
      account: [admin('account.account'), of.account],
      name: [admin('account.name'), of.name],
      phoneNumber: [admin('account.phoneNumber'), of.phoneNumber],
      email: [admin('account.email'), of.email],
      locale: [admin('account.locale'), of.locale],
      isSuperAdmin: [t('superAdmin'), admin(of.isSuperAdmin ? 'yes' : 'no')],
      roleIds: [
        admin('account.roles'),
        roles
          .filter(({ id }) => of.roleIds.includes(id))
          .map(({ name }) => name)
          .join(', '),
      ],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}
