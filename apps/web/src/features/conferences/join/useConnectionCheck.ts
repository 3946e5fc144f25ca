import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api, isApiError } from '../../../lib/api/index.ts';
import { loadChunk } from '../../../lib/chunks.ts';
import { NOT_STARTED, type Progress } from './connection-check.ts';

interface Place {
  host: string;
  ports: readonly number[];
}

/** Checks the connection to the media engine, when mounted and at each `again`. */
export function useConnectionCheck() {
  const [progress, setProgress] = useState<Progress>(NOT_STARTED);
  const [place, setPlace] = useState<Place>({ host: location.hostname, ports: [] });
  const latest = useRef<AbortController | null>(null);
  const start = () => {
    latest.current?.abort();
    const { signal } = (latest.current = new AbortController());
    void checkConnection(
      (part) => !signal.aborted && setProgress((before) => ({ ...before, ...part })),
      (found) => !signal.aborted && setPlace(found),
    );
  };
  const startFirst = useEffectEvent(start);
  useEffect(() => {
    startFirst();
    return () => latest.current?.abort();
  }, []);
  const again = () => {
    setProgress(NOT_STARTED);
    start();
  };
  return { progress, place, again };
}

async function checkConnection(add: (part: Partial<Progress>) => void, found: (place: Place) => void): Promise<void> {
  try {
    const { tryConnection } = await loadChunk(() => import('../../../call/media-trial.ts'));
    const { url, token, ports } = await api.conferences.checkConnection();
    found({ host: new URL(url).hostname, ports });
    const delivery = await tryConnection(url, token, {
      onSignalled: () => add({ signalled: true }),
      onReach: (reach) => add({ reach }),
    });
    add({ delivery });
  } catch (error) {
    add({ refused: refusalOf(error) });
  }
}

function refusalOf(error: unknown): Progress['refused'] {
  if (isApiError(error, 'MEDIA_UNAVAILABLE')) return 'unavailable';
  return isApiError(error, 'SERVICE_BUSY', 'TOO_MANY_REQUESTS') ? 'busy' : 'unreachable';
}
