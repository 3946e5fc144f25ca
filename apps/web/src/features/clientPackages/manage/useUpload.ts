import type { ClientPackage } from '@rmeet/contract';
import { useRef, useState } from 'react';
import { Cancelled, uploadingPackagesApi } from '../../../lib/api/index.ts';

type Body = Parameters<ReturnType<typeof uploadingPackagesApi>['create']>[0]['body'];

/** Sends a package with its file, shows how far it is, and can be cancelled. */
export function useUpload() {
  /** 0 to 1; null while nothing is being sent. */
  const [progress, setProgress] = useState<number | null>(null);
  const sending = useRef<AbortController>(null);
  return {
    progress,
    cancel: () => sending.current?.abort(),
    /** @throws Cancelled after `cancel`, otherwise the error of the call */
    async send(body: Body, file: File): Promise<ClientPackage> {
      const stop = new AbortController();
      sending.current = stop;
      setProgress(0);
      try {
        return await uploadingPackagesApi(setProgress, stop.signal).create({ body, files: [file] });
      } catch (error) {
        throw stop.signal.aborted ? new Cancelled() : error;
      } finally {
        sending.current = null;
        setProgress(null);
      }
    },
  };
}
