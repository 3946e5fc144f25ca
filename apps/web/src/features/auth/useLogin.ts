import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiError, Cancelled, isApiError } from '../../lib/api/index.ts';
import { deviceId, session } from '../../lib/browser.ts';
import { encryptPassword } from '../../lib/encrypt.ts';
import { useEntering } from '../../lib/useEntering.ts';

export interface Credentials {
  account: string;
  password: string;
  captcha: string;
  /** Takes the place of one that has run out; empty until then. */
  newPassword: string;
}

/** Signs in, and asks for a captcha or a new password when the server wants one. */
export function useLogin(onSignedIn: () => void) {
  const [needsCaptcha, setNeedsCaptcha] = useState(false);
  const [needsNewPassword, setNeedsNewPassword] = useState(false);
  const captcha = useQuery({
    queryKey: ['captcha'],
    queryFn: () => api.auth.captcha(),
    enabled: needsCaptcha,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnReconnect: false,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
  const { isWaiting, enter, cancel } = useEntering();
  const mode = useQuery({ queryKey: ['loginMode'], queryFn: () => api.auth.loginMode(), meta: { quiet: true } });

  // Asked ahead as a courtesy: when it cannot be, signing in itself says what is wrong.
  const checkCaptcha = async (account: string): Promise<void> => {
    if (account === '') return;
    try {
      setNeedsCaptcha(await api.auth.captchaRequired({ params: { account } }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };

  const login = useMutation({
    meta: { quiet: true },
    mutationFn: async ({ account, password, newPassword, captcha: typed }: Credentials) => {
      // Fetched again each time: the server may have been set up anew since the page was loaded.
      const { publicKey } = (await mode.refetch({ throwOnError: true })).data ?? { publicKey: '' };
      const withCaptcha = needsCaptcha && captcha.data ? { captchaId: captcha.data.captchaId, captcha: typed } : {};
      const withNew = needsNewPassword ? { newPassword: await encryptPassword(newPassword, publicKey) } : {};
      const body = { account, password: await encryptPassword(password, publicKey), deviceId: deviceId(), ...withNew, ...withCaptcha };
      return enter((calls) => calls.auth.login({ body }));
    },
    onSuccess: ({ token, user }) => {
      session.open(token, user);
      onSignedIn();
    },
    onError: async (error, { account }) => {
      if (error instanceof Cancelled) return;
      if (isApiError(error, 'PWD_EXPIRED')) setNeedsNewPassword(true);
      if (isApiError(error, 'CAPTCHA_REQUIRED')) setNeedsCaptcha(true);
      else await checkCaptcha(account);
      // A captcha is good for one try.
      if (needsCaptcha) await captcha.refetch();
    },
  });

  /** Another account's password has not run out. */
  const otherAccount = () => setNeedsNewPassword(false);

  return { login, isWaiting, cancel, needsCaptcha, needsNewPassword, captcha, checkCaptcha, otherAccount };
}
