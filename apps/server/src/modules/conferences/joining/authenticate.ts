import type { Db, PlatformTx } from '../../../platform/db/index.ts';
import type { TerminalCaller } from '../../../platform/http/index.ts';
import { hashToken } from '../../../platform/secrets/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { findAccount } from '../../accounts/users/index.ts';
import { CURRENT_STATES } from '../control/index.ts';
import { partsOf } from '../policy.ts';
import { findConference, findTerminal, findTerminalByToken } from '../repo.ts';
import type { ConferenceRow, TerminalRow } from '../tables.ts';

/**
 * The terminal of a session token. Terminals of a conference that has just ended are still accepted, so that they learn
 * that it is over.
 */
export function authenticateTerminal(db: Db, token: string): Promise<TerminalCaller | 'TERMINAL_GONE'> {
  return db.platform(async (tx) => callerOfRow(tx, await findTerminalByToken(tx, hashToken(token)), token));
}

/** The terminal with a termId, for the holder of a ticket that was given to it. */
export function callerOfTerminal(db: Db, termId: string): Promise<TerminalCaller | 'TERMINAL_GONE'> {
  return db.platform(async (tx) => callerOfRow(tx, await findTerminal(tx, termId), ''));
}

async function callerOfRow(
  tx: PlatformTx,
  row: TerminalRow | undefined,
  sessionToken: string,
): Promise<TerminalCaller | 'TERMINAL_GONE'> {
  if (!row) return 'TERMINAL_GONE';
  const conference = await findConference(tx, row.conferenceId);
  if (!isCurrent(row, conference) || !(await isEnabled(tx, row))) return 'TERMINAL_GONE';
  return {
    kind: 'terminal',
    tenantId: row.tenantId,
    meetId: row.meetingId,
    conferenceId: row.conferenceId,
    termId: row.termId,
    name: row.name,
    role: row.role,
    state: row.state === 'lost' ? 'lost' : row.admittedAt === null ? 'waiting' : 'admitted',
    sessionToken,
    admittedAt: row.admittedAt,
    parts: conference ? partsOf(row, conference.control) : [],
  };
}

/** Whether the terminal belongs to the conference, or did when it ended. */
function isCurrent({ state, leftAt }: TerminalRow, conference: ConferenceRow | undefined): boolean {
  if (CURRENT_STATES.has(state)) return true;
  return conference?.endedAt !== null && leftAt?.getTime() === conference?.endedAt.getTime();
}

/** Whether the terminal's account, if any, and its tenant are enabled. */
async function isEnabled(tx: PlatformTx, { accountId, tenantId }: TerminalRow): Promise<boolean> {
  const account = accountId === null ? null : await findAccount(tx, accountId);
  const tenant = await findTenant(tx, tenantId);
  return tenant?.enabled === true && account?.enabled !== false;
}
