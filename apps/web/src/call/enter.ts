import type { Admission } from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import { backoffDelay, pause } from './backoff.ts';
import type { CallEnd, CallPorts } from './call-types.ts';

/** What an error of `enter` means for the call; other errors are retried. */
const FINAL: Record<string, CallEnd> = {
  CONFERENCE_OVER: 'ended',
  MEETING_ENDED: 'ended',
  MEETING_CANCELLED: 'cancelled',
  TERMINAL_REMOVED: 'removed',
  TERMINAL_GONE: 'gone',
  UNAUTHORIZED: 'gone',
  USER_LOGIN_ANOTHER_DEVICE: 'elsewhere',
};

/**
 * Requests admission until the server answers with an admission or the reason why the call is over. Null if `signal` is
 * aborted.
 */
export async function enterUntilAnswered(
  api: Pick<CallPorts['api'], 'enter'>,
  meetId: string,
  signal: AbortSignal,
): Promise<Admission | CallEnd | null> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    await pause(backoffDelay(failures), signal);
    if (signal.aborted) break;
    try {
      return await api.enter({ params: { meetId } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const end = FINAL[error.code];
      if (end !== undefined) return end;
    }
  }
  return null;
}
