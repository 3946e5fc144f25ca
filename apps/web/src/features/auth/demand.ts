import type { FactorDemand } from '@rmeet/contract';
import { isApiError } from '../../lib/api/index.ts';

/** What a sign-in that was right so far is asked for; null for any other error. */
export function demandOf(error: unknown): FactorDemand | null {
  return isApiError(error, 'MULTI_AUTH_REQUIRED') ? (error.data as FactorDemand) : null;
}
