import { auth, type FactorDemand, type TenantChoice } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, ApiError, Cancelled, isApiError } from '../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session, system } from '../../lib/browser.ts';
import { encryptPassword } from '../../lib/encrypt.ts';
import { solveCaptcha } from '../../lib/captcha.ts';
import { useEntrance } from '../../lib/useEntrance.ts';
import { demandOf } from './demand.ts';
import { useLoginMode } from './useLoginModes.ts';

export interface Credentials {
  account: string;
  password: string;
  /** Replaces an expired password; empty until then. */
  newPassword: string;
  /** The tenant of the account: an id or a name; undefined if not given. */
  tenant: string | undefined;
}

/**
 * Signs in, solves a captcha if the server requires one, and asks for a new password or for one of several tenants if
 * needed.
 */
export function useLogin(onSignedIn: () => void, onFactor: (demand: FactorDemand) => void) {
  const [needsNewPassword, setNeedsNewPassword] = useState(false);
  const [choices, setChoices] = useState<TenantChoice['tenants']>([]);
  const { isWaiting, enter, cancel } = useEntrance(auth);
  const mode = useLoginMode();

  const { isProving, wantsProof, checkCaptcha, prove } = useCaptcha();

  const signIn = async (
    { account, password, newPassword, tenant }: Credentials,
    proof?: Awaited<ReturnType<typeof prove>>,
  ) => {
    // Fetched again each time: the server may have been set up again since the page was loaded.
    const { publicKey } = (await mode.refetch({ throwOnError: true })).data ?? { publicKey: '' };
    const withNew = needsNewPassword ? { newPassword: await encryptPassword(newPassword, publicKey) } : {};
    const where = tenant === undefined ? {} : { tenant };
    const body = {
      account,
      password: await encryptPassword(password, publicKey),
      deviceId: deviceId(),
      ...where,
      ...withNew,
      ...proof,
    };
    return enter((calls) => calls.login({ body }));
  };

  const login = useMutation({
    meta: { quiet: true },
    mutationFn: async (credentials: Credentials) => {
      if (wantsProof.current) return signIn(credentials, await prove());
      try {
        return await signIn(credentials);
      } catch (error) {
        if (!isApiError(error, 'CAPTCHA_REQUIRED')) throw error;
        return signIn(credentials, await prove());
      }
    },
    onSuccess: ({ token, user }) => {
      session.open(token, user);
      if (system !== 'admin') keepLastSignIn(user);
      onSignedIn();
    },
    onError: (error, { account }) => {
      const demand = demandOf(error);
      if (demand) onFactor(demand);
      if (demand || error instanceof Cancelled) return;
      if (isApiError(error, 'PWD_EXPIRED')) setNeedsNewPassword(true);
      setChoices(isApiError(error, 'TENANT_AMBIGUOUS') ? (error.data as TenantChoice).tenants : []);
      // Not awaited: the form would not accept the organisation choice meanwhile.
      void checkCaptcha(account);
    },
  });

  /** Results for one account and password do not apply to others. */
  const edited = (what: keyof Credentials) => {
    if (what === 'account') setNeedsNewPassword(false);
    setChoices([]);
  };

  return { login, isWaiting, isProving, cancel, needsNewPassword, choices, checkCaptcha, edited };
}

/** Checks whether the server requires a captcha, and solves it. */
function useCaptcha() {
  const [isProving, setProving] = useState(false);
  const wantsProof = useRef(false);
  const proving = useRef<AbortController | null>(null);
  useEffect(() => () => proving.current?.abort(), []);

  // Only an optimisation: if this check fails, the sign-in call itself reports that a captcha is required.
  const checkCaptcha = async (account: string): Promise<void> => {
    if (account === '') return;
    try {
      wantsProof.current = await api.auth.captchaRequired({ params: { account } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  };

  const prove = async (): Promise<{ captchaId: string; captcha: string }> => {
    const { signal } = (proving.current = new AbortController());
    setProving(true);
    try {
      const { captchaId, challenge } = await api.auth.captcha();
      const captcha = await solveCaptcha(challenge, signal);
      if (captcha === null) throw new Cancelled();
      return { captchaId, captcha };
    } finally {
      setProving(false);
    }
  };

  return { isProving, wantsProof, checkCaptcha, prove };
}
