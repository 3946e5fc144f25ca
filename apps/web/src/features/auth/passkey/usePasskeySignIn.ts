import type { FactorDemand, PasskeyRequestOptions, UsedPasskey } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session } from '../../../lib/browser.ts';
import { askPasskey } from '../../../lib/passkeys.ts';
import { demandOf } from '../demand.ts';

export interface PasskeySignInProps {
  onSignedIn: () => void;
  onFactor: (demand: FactorDemand) => void;
}

/** What the browser is to sign; works for five minutes. */
export const startSignIn = (): Promise<PasskeyRequestOptions> =>
  api.passkeys.startSignIn({ body: { deviceId: deviceId() } });

/** Signs in by a passkey: by one that the browser has given, else it is asked for one. */
export function usePasskeySignIn({ onSignedIn, onFactor }: PasskeySignInProps) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (given: UsedPasskey | null) => {
      const response = given ?? (await askPasskey(await startSignIn()));
      return api.passkeys.signIn({ body: { deviceId: deviceId(), response } });
    },
    onSuccess: ({ token, user }) => {
      session.open(token, user);
      keepLastSignIn(user);
      onSignedIn();
    },
    onError: (error) => {
      const demand = demandOf(error);
      if (demand) onFactor(demand);
    },
  });
}
