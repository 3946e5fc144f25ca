import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import type { MadePassword } from './OneTimePassword.tsx';
import './texts.ts';

interface Account {
  id: string;
  account: string;
  name: string;
}

interface AccountCalls {
  setEnabled: (ids: string[], enabled: boolean) => Promise<{ changed: number }>;
  resetPassword: (id: string) => Promise<{ password: string }>;
  endSessions: (ids: string[]) => Promise<{ ended: number }>;
  /** Fetches again all queries that show accounts. */
  refresh: () => unknown;
}

/**
 * Actions for users and operators other than editing, each after confirmation. `made` is the password to show, until
 * `forget` is called.
 */
export function useAccountActions({ setEnabled, resetPassword, endSessions, refresh }: AccountCalls) {
  const t = useTexts('admin');
  const [made, setMade] = useState<MadePassword | null>(null);
  const enabling = useMutation({
    mutationFn: ({ ids, enabled }: { ids: string[]; enabled: boolean }) => setEnabled(ids, enabled),
    onSettled: refresh,
  });
  const resetting = useMutation({ mutationFn: resetPassword, onSettled: refresh });
  const ending = useMutation({ mutationFn: endSessions, onSettled: refresh });
  const cancelText = t('action.cancel');

  return {
    made,
    show: setMade,
    forget: () => setMade(null),
    /** `done` is called if all of them were changed. */
    setEnabled: async (accounts: readonly Account[], enabled: boolean, done?: () => void) => {
      const [only] = accounts;
      if (!only) return;
      const names =
        accounts.length === 1 ? t('quoted', { name: only.name }) : t('accountsCount', { count: accounts.length });
      const sure = await ask({
        title: t(enabled ? 'enableTitle' : 'disableTitle'),
        text: t(enabled ? 'enableText' : 'disableText', { names }),
        okText: t(enabled ? 'action.enable' : 'action.disable'),
        cancelText,
        danger: !enabled,
      });
      if (!sure) return;
      enabling.mutate(
        { ids: accounts.map(({ id }) => id), enabled },
        {
          onSuccess: ({ changed }) => {
            toast('success', () => t(enabled ? 'enabled' : 'disabled', { count: changed }));
            done?.();
          },
        },
      );
    },
    resetPassword: async ({ id, account, name }: Account) => {
      const sure = await ask({
        title: t('resetTitle'),
        text: t('resetText', { name }),
        okText: t('action.resetPassword'),
        cancelText,
        danger: true,
      });
      if (sure) resetting.mutate(id, { onSuccess: ({ password }) => setMade({ account, name, password }) });
    },
    endSessions: async ({ id, name }: Account) => {
      const sure = await ask({
        title: t('endTitle'),
        text: t('endText', { name }),
        okText: t('action.endSessions'),
        cancelText,
        danger: true,
      });
      if (sure) ending.mutate([id], { onSuccess: ({ ended }) => toast('success', () => t('ended', { count: ended })) });
    },
  };
}
