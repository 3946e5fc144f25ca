import type { User } from '@rmeet/contract';
import { useState } from 'react';
import { isApiError, reportError } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import type { RowAction } from '../../ui/admin/RowActions.tsx';
import type { useAccountActions } from '../../ui/admin/useAccountActions.ts';
import { useInvitation, usePurgeUser, useRemoveUser, useResetFactors, useRestoreUser } from './queries.ts';

/** Deletes, restores, erases and invites users, after confirmation. `taken` is a user whose name is taken by now. */
// oxlint-disable-next-line max-lines-per-function -- six short actions
export function useUserActions(tenant: string) {
  const t = useTexts('users');
  const admin = useTexts('admin');
  const removing = useRemoveUser(tenant);
  const restoring = useRestoreUser(tenant);
  const purging = usePurgeUser(tenant);
  const inviting = useInvitation(tenant);
  const [taken, setTaken] = useState<User | null>(null);
  const resetting = useResetFactors(tenant);
  const cancelText = admin('action.cancel');
  return {
    taken,
    forgetTaken: () => setTaken(null),
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
    restore: async (user: User) => {
      const { id, name } = user;
      const sure = await ask({
        title: t('restoreTitle'),
        text: t('restoreText', { name }),
        okText: admin('action.restore'),
        cancelText,
      });
      if (!sure) return;
      restoring.mutate(
        { id },
        {
          onSuccess: () => toast('success', () => t('restored')),
          onError: (error) => {
            if (isApiError(error, 'ACCOUNT_TAKEN')) setTaken(user);
            else reportError(error);
          },
        },
      );
    },
    purge: async ({ id, name }: User) => {
      const sure = await ask({
        title: t('purgeTitle'),
        text: t('purgeText', { name }),
        okText: t('action.purge'),
        cancelText,
        danger: true,
      });
      if (sure) purging.mutate(id, { onSuccess: () => toast('success', () => t('purged')) });
    },
    invite: async ({ id, name, invitation }: User) => {
      const sure = await ask({
        title: t('invitation.title'),
        text: t(invitation === null ? 'invitation.textFirst' : 'invitation.text', { name }),
        okText: t('invitation.send'),
        cancelText,
      });
      if (!sure) return;
      const sent = () => toast('success', () => t('form.invited', { name }));
      inviting.mutate({ id, isWithdrawn: false }, { onSuccess: sent });
    },
    revoke: async ({ id, name }: User) => {
      const sure = await ask({
        title: t('invitation.revokeTitle'),
        text: t('invitation.revokeText', { name }),
        okText: t('invitation.revoke'),
        cancelText,
        danger: true,
      });
      const done = () => toast('success', () => t('invitation.revoked'));
      if (sure) inviting.mutate({ id, isWithdrawn: true }, { onSuccess: done });
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
// oxlint-disable-next-line max-lines-per-function -- a flat list
export function rowActions(user: User, { edit, seeAs, account, actions, t, admin }: RowContext): RowAction[] {
  const { can, invitation } = user;
  return [
    { key: 'edit', label: admin('action.edit'), allowed: can.update, run: () => edit(user) },
    { key: 'restore', label: admin('action.restore'), allowed: can.restore, run: () => void actions.restore(user) },
    {
      key: 'purge',
      label: t('action.purge'),
      danger: true,
      allowed: can.restore,
      run: () => void actions.purge(user),
    },
    {
      key: 'invite',
      label: t(invitation === null ? 'action.invite' : 'action.inviteAgain'),
      allowed: can.invite,
      run: () => void actions.invite(user),
    },
    {
      key: 'revoke',
      label: t('invitation.revoke'),
      allowed: can.invite && invitation !== null && invitation.state !== 'revoked',
      run: () => void actions.revoke(user),
    },
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
