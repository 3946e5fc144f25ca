import { clientPackages, createClient, PACKAGE_UPLOAD_TIMEOUT } from '@rmeet/contract';
import { asUser } from './asUser.ts';
import { createSend } from './send.ts';
import { fetchWithProgress } from './upload.ts';

/** The calls of client packages, with the progress of an upload (0 to 1), which the signal aborts. */
export function uploadingPackagesApi(onProgress: (part: number) => void, signal: AbortSignal) {
  const fetch = fetchWithProgress(onProgress);
  return createClient(clientPackages, createSend({ ...asUser, fetch, signal, timeout: PACKAGE_UPLOAD_TIMEOUT }));
}
