import type { User } from '@rmeet/contract';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import type { RowAction } from '../../ui/admin/RowActions.tsx';
import type { useAccountActions } from '../../ui/admin/useAccountActions.ts';
import { useRemoveUser, useResetFactors, useRestoreUser } from './queries.ts';

/** Deletes and restores users, after confirmation. */
export function useUserActions(tenant: string) {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const removing = useRemoveUser(tenant);
  const restoring = useRestoreUser(tenant);
  const resetting = useResetFactors(tenant);
  const cancelText = admin('action.cancel');
  return {
    remove: async ({ id, name }: User) => {
      const sure = await ask({
        title: t('removeTitle'),
        text: t('removeText', { name }),
        okText: admin('action.delete'),
        cancelText,
        danger: true,
      });
      if (sure) removing.mutate(id, { onSuccess: () => toast('success', () => t('removed')) });
    },
    resetFactors: async ({ id, name }: User) => {
      const sure = await ask({
        title: t('factorsTitle'),
        text: t('factorsText', { name }),
        okText: t('action.factors'),
        cancelText,
        danger: true,
      });
      if (sure) resetting.mutate(id, { onSuccess: () => toast('success', () => t('factorsReset')) });
    },
    restore: async ({ id, name }: User) => {
      const sure = await ask({
        title: t('restoreTitle'),
        text: t('restoreText', { name }),
        okText: admin('action.restore'),
        cancelText,
      });
      if (sure) restoring.mutate(id, { onSuccess: () => toast('success', () => t('restored')) });
    },
  };
}

interface RowContext {
  edit: (user: User) => void;
  seeAs: (user: User) => void;
  account: ReturnType<typeof useAccountActions>;
  actions: ReturnType<typeof useUserActions>;
  t: ReturnType<typeof useTexts<'users'>>;
  admin: ReturnType<typeof useTexts<'admin'>>;
}

/** The actions the caller may take on a user, according to the server's `can`. */
export function rowActions(user: User, { edit, seeAs, account, actions, t, admin }: RowContext): RowAction[] {
  const { can } = user;
  return [
    { key: 'edit', label: admin('action.edit'), allowed: can.update, run: () => edit(user) },
    { key: 'restore', label: admin('action.restore'), allowed: can.restore, run: () => void actions.restore(user) },
    { key: 'access', label: t('action.access'), allowed: user.restorableUntil === null, run: () => seeAs(user) },
    {
      key: 'enable',
      label: admin('action.enable'),
      allowed: can.setEnabled && !user.enabled,
      run: () => void account.setEnabled([user], true),
    },
    {
      key: 'reset',
      label: admin('action.resetPassword'),
      allowed: can.resetPassword,
      run: () => void account.resetPassword(user),
    },
    {
      key: 'factors',
      label: t('action.factors'),
      allowed: can.resetPassword,
      run: () => void actions.resetFactors(user),
    },
    {
      key: 'sessions',
      label: admin('action.endSessions'),
      allowed: can.endSessions && user.sessions > 0,
      run: () => void account.endSessions(user),
    },
    {
      key: 'disable',
      label: admin('action.disable'),
      danger: true,
      allowed: can.setEnabled && user.enabled,
      run: () => void account.setEnabled([user], false),
    },
    {
      key: 'remove',
      label: admin('action.delete'),
      danger: true,
      allowed: can.remove,
      run: () => void actions.remove(user),
    },
  ];
}
