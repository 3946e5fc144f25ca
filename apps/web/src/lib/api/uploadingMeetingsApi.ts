import { createClient, meetings } from '@rmeet/contract';
import { asUser } from './asUser.ts';
import { createSend } from './send.ts';
import { fetchWithProgress } from './upload.ts';

/** The meeting calls, with upload progress of their files (0 to 1). */
export function uploadingMeetingsApi(onProgress: (part: number) => void) {
  return createClient(meetings, createSend({ ...asUser, fetch: fetchWithProgress(onProgress) }));
}
