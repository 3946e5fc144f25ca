import type { CertAuthorities, CertRules } from '@rmeet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api/index.ts';
import { readBase64 } from '../../lib/base64.ts';

const KEY = ['certificate-authorities'];
const BINDINGS = ['certificate-bindings'];

export function useAuthorities() {
  return useQuery({ queryKey: KEY, queryFn: () => api.certificateAuthorities.list(), meta: { quiet: 'unloaded' } });
}

/** Changes the authorities, their lists and the rules; each answers all of them. */
export function useAuthorityActions() {
  const client = useQueryClient();
  const onSuccess = (after: CertAuthorities): void => {
    client.setQueryData(KEY, after);
  };
  return {
    add: useMutation({
      mutationFn: async (file: File) =>
        api.certificateAuthorities.add({ body: { certificate: await readBase64(file) } }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.certificateAuthorities.remove({ params: { id } }),
      onSuccess,
    }),
    setRules: useMutation({
      mutationFn: (body: CertRules) => api.certificateAuthorities.setRules({ body }),
      onSuccess,
    }),
    setList: useMutation({
      mutationFn: async ({ id, address, file }: { id: string; address: string; file?: File }) =>
        api.certificateAuthorities.setList({
          params: { id },
          body: { address, ...(file && { list: await readBase64(file) }) },
        }),
      onSuccess,
    }),
  };
}

export function useBindings() {
  return useQuery({
    queryKey: BINDINGS,
    queryFn: () => api.certificateAuthorities.bindings({ query: {} }),
    meta: { quiet: 'unloaded' },
  });
}

export function useBindingActions() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: BINDINGS });
  return {
    bind: useMutation({
      mutationFn: async ({ account, file }: { account: string; file: File }) =>
        api.certificateAuthorities.bind({ body: { account, certificate: await readBase64(file) } }),
      onSettled,
    }),
    unbind: useMutation({
      mutationFn: (id: string) => api.certificateAuthorities.unbind({ params: { id } }),
      onSettled,
    }),
  };
}
