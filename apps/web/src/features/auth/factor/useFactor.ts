import type { CodeWay, LoginUser, SentWay } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session, system } from '../../../lib/browser.ts';
import { askPasskey, createPasskey, passkeyName } from '../../../lib/passkeys.ts';

const SECOND = 1_000;

function keep({ token, user }: { token: string; user: LoginUser }): void {
  session.open(token, user);
  if (system !== 'admin') keepLastSignIn(user);
}

/** Ends the sign-in by a code. */
export function useCheck(ticket: string, onSignedIn: () => void) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: ({ way, code, remember }: { way: CodeWay; code: string; remember: boolean }) =>
      api.multiauth.checkCode({
        query: { ticket, way, code: code.trim(), remember: String(remember), deviceId: deviceId() },
      }),
    onSuccess: (signedIn) => {
      keep(signedIn);
      onSignedIn();
    },
  });
}

/** Ends the sign-in by a passkey. */
export function useCheckPasskey(ticket: string, onSignedIn: () => void) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (remember: boolean) => {
      const given = { ticket, deviceId: deviceId() };
      const response = await askPasskey(await api.passkeys.startFactor({ body: given }));
      return api.passkeys.checkFactor({ body: { ...given, remember, response } });
    },
    onSuccess: (signedIn) => {
      keep(signedIn);
      onSignedIn();
    },
  });
}

/** Sends a code, and counts the seconds until another one can be sent. */
export function useSentCode(ticket: string) {
  const [left, setLeft] = useState(0);
  const send = useMutation({
    meta: { quiet: true },
    mutationFn: (way: SentWay) => api.multiauth.sendCode({ query: { ticket, way, deviceId: deviceId() } }),
    onSuccess: ({ seconds }) => setLeft(seconds),
  });
  const isCounting = left > 0;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), SECOND);
    return () => clearInterval(timer);
  }, [isCounting]);
  return {
    send: (way: SentWay) => send.mutate(way),
    isSending: send.isPending,
    error: send.error,
    /** Masked; empty before a code was sent. */
    sentTo: send.data?.sentTo ?? '',
    left,
  };
}

/** Adds a passkey as the first factor, and signs in. */
export function useEnrolPasskey(ticket: string) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (remember: boolean) => {
      const given = { ticket, deviceId: deviceId() };
      const response = await createPasskey(await api.passkeys.startEnrolment({ body: given }));
      return api.passkeys.enrol({ body: { ...given, remember, name: passkeyName(), response } });
    },
    onSuccess: keep,
  });
}

/** Sets the authenticator app up, by its first code, and signs in. */
export function useEnrol(ticket: string) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: ({ code, remember }: { code: string; remember: boolean }) =>
      api.multiauth.enrol({ body: { ticket, code: code.trim(), remember, deviceId: deviceId() } }),
    onSuccess: keep,
  });
}
