import type { User } from '@rmeet/contract';
import { usePermission } from '../../lib/access.ts';
import { ApiError } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { toast } from '../../lib/notify.ts';
import { changedKeys } from '../../lib/rebase.ts';
import { accountBody, accountFaults } from '../../ui/admin/account.ts';
import { AccountFields } from '../../ui/admin/AccountFields.tsx';
import type { Describe } from '../../ui/admin/ConflictNotice.tsx';
import { FormDrawer } from '../../ui/admin/FormDrawer.tsx';
import { RolePicker, useRoleOptions } from '../../ui/admin/RolePicker.tsx';
import { SwitchField } from '../../ui/admin/SwitchField.tsx';
import { useForm } from '../../ui/admin/useForm.ts';
import { DepartmentField } from './DepartmentField.tsx';
import { draftOf, newUser, type UserDraft } from './draft.ts';
import { PermissionsField } from './PermissionsField.tsx';
import { findUser, useRefreshUsers, userCalls } from './queries.ts';
import { useInvitationMail } from './tasks/queries.ts';

interface UserDrawerProps {
  /** Null for a new one. */
  user: User | null;
  tenant: string;
  open: boolean;
  onClose: () => void;
  /** A new user was created; the password is shown only once. */
  onCreated: (user: User, password: string | null) => void;
}

/** Creates or changes a user. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one form
export function UserDrawer({ user, tenant, open, onClose, onCreated }: UserDrawerProps) {
  const t = useTexts('users');
  const mayGrant = usePermission('users:grant');
  const grants = user ? user.can.grant : mayGrant;
  const roles = useRoleOptions('user', grants);

  const form = useUserForm({ user, tenant, open, onClose, onCreated }, grants);
  const describe = useDescribe(roles.data ?? []);
  const { draft, errors, change } = form;
  const standardRoles = (roles.data ?? []).filter(({ isDefault }) => isDefault).map(({ id }) => id);

  return (
    <FormDrawer
      title={user ? t('form.titleEdit', { name: user.name }) : t('form.titleNew')}
      open={open}
      onClose={onClose}
      form={form}
      describe={describe}
      {...(user ? {} : { submitText: t('form.submitNew') })}
      testId="user-drawer"
    >
      <AccountFields draft={draft} errors={errors} onChange={change} isNew={user === null}>
        <DepartmentField
          tenant={tenant}
          value={draft.department}
          error={errors.department}
          onChange={(department) => change({ department })}
        />
      </AccountFields>
      {user === null && (
        <InviteField checked={draft.invite} error={errors.invite} onChange={(invite) => change({ invite })} />
      )}
      <fieldset>
        <legend>{t('form.grants')}</legend>
        <SwitchField
          label={t('tenantAdmin')}
          hint={t('tenantAdminHint')}
          error={errors.isTenantAdmin}
          checked={draft.isTenantAdmin}
          testId="user-tenant-admin"
          onChange={(isTenantAdmin) => change({ isTenantAdmin })}
        />
        {grants && (
          <RolePicker
            kind="user"
            roleIds={draft.roleIds ?? standardRoles}
            known={user?.roles ?? []}
            error={errors.roleIds}
            onChange={(roleIds) => change({ roleIds: roleIds.sort() })}
          />
        )}
      </fieldset>
      {user && grants && (
        <PermissionsField
          user={user}
          tenant={tenant}
          chosen={draft.permissionIds}
          error={errors.permissionIds}
          onChange={(permissionIds) => change({ permissionIds })}
        />
      )}
    </FormDrawer>
  );
}

/** The form of a user. */
function useUserForm({ user, tenant, onClose, onCreated }: UserDrawerProps, grants: boolean) {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const refresh = useRefreshUsers();
  const calls = userCalls(tenant);
  const save = async (draft: UserDraft, version: number): Promise<{ user: User; password: string | null }> => {
    const details = { ...accountBody(draft), department: draft.department, isTenantAdmin: draft.isTenantAdmin };
    if (!user) {
      return calls.create({
        ...details,
        account: draft.account.trim(),
        invite: draft.invite,
        ...(draft.roleIds && grants ? { roleIds: [...draft.roleIds] } : {}),
      });
    }
    const changed = changedKeys(draftOf(user), draft);
    // First, because a rejection here changes nothing; the next call then reports its own errors.
    if (changed.includes('roleIds') || changed.includes('permissionIds'))
      await calls.setGrants(user.id, draft.roleIds ?? [], draft.permissionIds);
    return { user: await calls.update({ ...details, id: user.id, version }), password: null };
  };

  return useForm<UserDraft, { user: User; password: string | null }>({
    initial: user ? draftOf(user) : newUser,
    version: user?.version ?? 0,
    keepAs: `user:${user?.id ?? `new:${tenant}`}`,
    check: (draft) => ({
      ...accountFaults(draft, admin),
      ...(draft.invite && draft.email.trim() === '' ? { email: t('form.inviteNeedsMail') } : {}),
    }),
    send: save,
    fieldOf: {
      ACCOUNT_TAKEN: 'account',
      ACCOUNT_WITHOUT_MAIL: 'email',
      INVITATIONS_UNAVAILABLE: 'invite',
      ROLE_UNKNOWN: 'roleIds',
      PERMISSION_UNKNOWN: 'permissionIds',
      LAST_ADMIN: 'isTenantAdmin',
      OWN_ACCOUNT: 'isTenantAdmin',
    },
    newest: async () => {
      const now = user && (await findUser(tenant, user));
      if (!now) throw new ApiError(406, 'NOT_FOUND', () => t('gone'));
      return { draft: draftOf(now), version: now.version };
    },
    onSaved: (saved) => {
      void refresh();
      toast('success', () => {
        if (user) return admin('saved');
        return saved.password === null ? t('form.invited', { name: saved.user.name }) : t('form.created');
      });
      if (!user) onCreated(saved.user, saved.password);
      onClose();
    },
  });
}

/** The label and value of a field, for the notice of a conflict. */
function useDescribe(roles: readonly { id: string; name: string }[]): Describe<UserDraft> {
  const t = useTexts('users');
  const admin = useTexts('admin');
  return (field, of) => {
    const words: Record<keyof UserDraft, [string, string]> = {
      account: [admin('account.account'), of.account],
      name: [admin('account.name'), of.name],
      phoneNumber: [admin('account.phoneNumber'), of.phoneNumber],
      email: [admin('account.email'), of.email],
      locale: [admin('account.locale'), of.locale],
      department: [admin('account.department'), of.department],
      invite: [t('form.invite'), admin(of.invite ? 'yes' : 'no')],
      isTenantAdmin: [t('tenantAdmin'), admin(of.isTenantAdmin ? 'yes' : 'no')],
      permissionIds: [t('permissions.title'), ''],
      roleIds: [
        admin('account.roles'),
        roles
          .filter(({ id }) => of.roleIds?.includes(id))
          .map(({ name }) => name)
          .join(', '),
      ],
    };
    const [label, value] = words[field];
    return { label, value };
  };
}

interface InviteFieldProps {
  checked: boolean;
  error: string | undefined;
  onChange: (invite: boolean) => void;
}

/** Whether a new user is invited by mail, or gets a first password. */
function InviteField({ checked, error, onChange }: InviteFieldProps) {
  const t = useTexts('users');
  const mail = useInvitationMail();
  const lacks = mail?.lacks ?? null;
  return (
    <SwitchField
      label={t('form.invite')}
      hint={lacks === null ? t(checked ? 'form.inviteHint' : 'form.passwordHint') : t(`access.lacks.${lacks}`)}
      error={error}
      checked={checked}
      disabled={lacks !== null}
      testId="user-invite"
      onChange={onChange}
    />
  );
}
