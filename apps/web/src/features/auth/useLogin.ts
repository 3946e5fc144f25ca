import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ApiError, isApiError } from '../../lib/api/index.ts';
import { deviceId, session } from '../../lib/browser.ts';
import { encryptPassword } from './encrypt.ts';

export interface Credentials {
  account: string;
  password: string;
  captcha: string;
}

/** Signs in, and asks for a captcha when the server wants one. */
export function useLogin(onSignedIn: () => void) {
  const [needsCaptcha, setNeedsCaptcha] = useState(false);
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
    mutationFn: async ({ account, password, captcha: typed }: Credentials) => {
      // Fetched again each time: the server may have been set up anew since the page was loaded.
      const { publicKey } = (await mode.refetch({ throwOnError: true })).data ?? { publicKey: '' };
      const withCaptcha = needsCaptcha && captcha.data ? { captchaId: captcha.data.captchaId, captcha: typed } : {};
      return api.auth.login({ body: { account, password: await encryptPassword(password, publicKey), deviceId: deviceId(), ...withCaptcha } });
    },
    onSuccess: ({ token, user }) => {
      session.open(token, user);
      onSignedIn();
    },
    onError: async (error, { account }) => {
      if (isApiError(error, 'CAPTCHA_REQUIRED')) setNeedsCaptcha(true);
      else await checkCaptcha(account);
      // A captcha is good for one try.
      if (needsCaptcha) await captcha.refetch();
    },
  });

  return { login, needsCaptcha, captcha, checkCaptcha };
}
