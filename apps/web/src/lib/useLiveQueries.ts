import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { refetch } from './refetch.ts';
import { usePushTopic } from './push/index.ts';

/** Changes of several meetings within this time cause only one fetch; ms. */
const GATHER = 250;

/** Keeps the queries of a key up to date with the tenant's meetings, based on push messages of the server. */
export function useLiveQueries(key: string): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void refetch(client, { queryKey: [key] });
    }, GATHER);
  };
  const isShown = useRef(false);
  usePushTopic('activity', {
    event: refresh,
    stale: refresh,
    live() {
      // Subscribed later than the lists were fetched, as on the first page of a visit.
      if (isShown.current) refresh();
    },
  });
  useEffect(() => {
    isShown.current = true;
    // Changes before the subscription were not announced. A running fetch is recent enough.
    void client.invalidateQueries({ queryKey: [key] }, { cancelRefetch: false });
    return () => {
      isShown.current = false;
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      void client.invalidateQueries({ queryKey: [key] });
    };
  }, [client, key]);
}
