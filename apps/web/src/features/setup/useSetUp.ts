import { useMutation } from '@tanstack/react-query';
import { api, ApiError, reportError } from '../../lib/api/index.ts';
import { deviceId, session } from '../../lib/browser.ts';
import { encryptPassword } from '../../lib/encrypt.ts';
import { language } from '../../lib/i18n/index.ts';
import type { Answers } from './answers.ts';
import type { SetUp } from './NextSteps.tsx';
import { forgetSecret } from './secret.ts';

interface Wanted {
  answers: Answers;
  /** The URL that people use; null if unknown. */
  publicUrl: string | null;
}

/** Signs in the new operator; returns false on failure, which is shown. */
async function signIn(account: string, password: string): Promise<boolean> {
  try {
    const { publicKey } = await api.auth.loginMode({ query: {} });
    const { token, user } = await api.auth.login({
      body: { account, password: await encryptPassword(password, publicKey), deviceId: deviceId() },
    });
    session.open(token, user);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    reportError(error);
    return false;
  }
}

/** Sends the values and signs the operator in. */
export function useSetUp(secret: string, onDone: (done: SetUp) => void) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async ({ answers, publicUrl }: Wanted): Promise<SetUp> => {
      const [operator, administrator] = [answers.operatorAccount.trim(), answers.adminAccount.trim()];
      // Fetched again each time: the server may have restarted since the page was loaded.
      const { publicKey, publicUrls } = await api.setup.begin({ body: { secret } });
      await api.setup.complete({
        body: {
          secret,
          publicUrl,
          locale: language(),
          organisation: { name: answers.organisation.trim() },
          operator: {
            account: operator,
            name: answers.operatorName.trim(),
            password: await encryptPassword(answers.operatorPassword, publicKey),
          },
          administrator: {
            account: administrator,
            name: answers.adminName.trim(),
            password: await encryptPassword(answers.adminPassword, publicKey),
          },
        },
      });
      forgetSecret();
      return {
        operator,
        administrator,
        email: '',
        origin: publicUrls[0] ?? publicUrl ?? location.origin,
        isSignedIn: await signIn(operator, answers.operatorPassword),
      };
    },
    onSuccess: onDone,
  });
}
