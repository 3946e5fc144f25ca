import { scanLogon, type FactorDemand, type QrState } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { abortableApi, api, ApiError } from '../../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session } from '../../../lib/browser.ts';
import { demandOf } from '../demand.ts';

/** Codes that are shown one after the other while no one scans: ten minutes. */
const ROUNDS = 5;
/** Pause before a lost connection is tried again, ms. */
const AGAIN_AFTER = 2_000;

interface Progress {
  /** The code that this is about. */
  id: string;
  state: QrState;
  /** Who scanned it. */
  name: string;
  error: unknown;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The state of a code that follows `known`; asks again after a lost connection. */
async function nextState(id: string, known: QrState, signal: AbortSignal): Promise<{ state: QrState; name: string }> {
  const calls = abortableApi(scanLogon, signal, scanLogon.authExecute.timeout);
  for (;;) {
    try {
      return await calls.authExecute({ body: { id, known } });
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError)) throw error;
      // The connection was cut, or the server is busy.
      await pause(AGAIN_AFTER, signal);
    }
  }
}

/** Shows QR codes one after the other, and signs in by the one that a phone confirms. */
export function useQrSignIn({
  onSignedIn,
  onFactor,
}: {
  onSignedIn: () => void;
  onFactor: (demand: FactorDemand) => void;
}) {
  const [round, setRound] = useState(0);
  const [progress, setProgress] = useState<Progress | null>(null);
  const qr = useQuery({
    queryKey: ['scanLogon', round],
    queryFn: () => api.scanLogon.getAuthQr(),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
  const id = qr.data?.id;

  const signIn = useEffectEvent(async (of: string) => {
    const { token, user } = await api.scanLogon.login({ body: { id: of, deviceId: deviceId() } });
    session.open(token, user);
    keepLastSignIn(user);
    onSignedIn();
  });
  const askFurther = useEffectEvent((demand: FactorDemand) => onFactor(demand));
  const renew = useEffectEvent(() => {
    if (round + 1 < ROUNDS && document.visibilityState === 'visible') setRound(round + 1);
  });

  useEffect(() => {
    if (id === undefined) return undefined;
    const stop = new AbortController();
    const follow = async (): Promise<void> => {
      for (let known: QrState = 'waiting'; known === 'waiting' || known === 'scanned';) {
        const { state, name } = await nextState(id, known, stop.signal);
        setProgress({ id, state, name, error: null });
        known = state;
        if (state === 'confirmed') await signIn(id);
        if (state === 'expired') renew();
      }
    };
    follow().catch((error: unknown) => {
      const demand = demandOf(error);
      if (demand) askFurther(demand);
      else if (!stop.signal.aborted) setProgress({ id, state: 'expired', name: '', error });
    });
    return () => stop.abort();
  }, [id]);

  const now = progress?.id === id ? progress : null;
  return {
    content: qr.data?.content ?? null,
    state: now?.state ?? 'waiting',
    name: now?.name ?? '',
    error: qr.error ?? now?.error ?? null,
    /** A new code, for ten minutes again. */
    restart: () => {
      if (qr.isError) void qr.refetch();
      else setRound(round + ROUNDS - ((round + ROUNDS) % ROUNDS));
    },
  };
}
