import type { OwnPasskeys } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { createPasskey, passkeyName } from '../../lib/passkeys.ts';

const PASSKEYS = ['own-passkeys'];
const FACTORS = ['own-factors'];

/** The account's passkeys. The card shows loading errors. */
export function useOwnPasskeys() {
  return useQuery({ queryKey: PASSKEYS, queryFn: () => api.passkeys.own(), meta: { quiet: true } });
}

/** Keeps what a change answered; the second factor may have changed with it. */
function useKeep() {
  const client = useQueryClient();
  return ({ passkeys, place, urls }: OwnPasskeys): void => {
    client.setQueryData<OwnPasskeys>(PASSKEYS, { passkeys, place, urls });
    void client.invalidateQueries({ queryKey: FACTORS });
  };
}

/** Adds a passkey, named after this browser. The card shows what went wrong. */
export function useAddPasskey(onAdded: (recoveryCodes: readonly string[]) => void) {
  const keep = useKeep();
  return useMutation({
    meta: { quiet: true },
    mutationFn: async () => {
      const response = await createPasskey(await api.passkeys.startAdding());
      return api.passkeys.add({ body: { name: passkeyName(), response } });
    },
    onSuccess: ({ recoveryCodes, ...own }) => {
      keep(own);
      onAdded(recoveryCodes);
    },
  });
}

export function useChangePasskeys() {
  const onSuccess = useKeep();
  return {
    rename: useMutation({
      mutationFn: ({ id, name }: { id: string; name: string }) =>
        api.passkeys.rename({ params: { id }, body: { name } }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: (id: string) => api.passkeys.remove({ params: { id } }), onSuccess }),
  };
}
