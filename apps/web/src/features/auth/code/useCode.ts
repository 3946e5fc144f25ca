import { PHONE_PATTERN } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api/index.ts';
import { deviceId } from '../../../lib/browser.ts';

const SECOND = 1_000;

/** Sends a code to a phone, and counts the seconds until another one can be sent. */
export function useCode(tenantUri: string | undefined) {
  const [left, setLeft] = useState(0);
  const send = useMutation({
    meta: { quiet: true },
    mutationFn: (phoneNumber: string) =>
      api.hrsms.sendCode({
        query: { phoneNumber, deviceId: deviceId(), ...(tenantUri === undefined ? {} : { tenantUri }) },
      }),
    onSuccess: ({ seconds }) => setLeft(seconds),
  });
  const isCounting = left > 0;
  useEffect(() => {
    if (!isCounting) return undefined;
    const timer = setInterval(() => setLeft((seconds) => seconds - 1), SECOND);
    return () => clearInterval(timer);
  }, [isCounting]);
  return {
    send: (phoneNumber: string) => send.mutate(phoneNumber),
    isSending: send.isPending,
    error: send.error,
    /** Empty before a code was sent. */
    ticket: send.data?.ticket ?? '',
    left,
  };
}

export const isPhoneNumber = (typed: string): boolean => PHONE_PATTERN.test(typed.trim());
