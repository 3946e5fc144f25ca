import type { TenantTx } from '../../platform/db/index.ts';
import type { ConferenceRow, TerminalRow } from './tables.ts';

/** Told of what happens to conferences, in the transactions in which it happens. */
export interface ConferenceEvents {
  started(tx: TenantTx, conference: ConferenceRow): Promise<void>;
  /** `leftNow`: the terminals that were inside. */
  ended(tx: TenantTx, conference: ConferenceRow, leftNow: readonly TerminalRow[]): Promise<void>;
  /** Terminals came in or left, as their rows say. */
  moved(tx: TenantTx, termIds: readonly string[]): Promise<void>;
}
