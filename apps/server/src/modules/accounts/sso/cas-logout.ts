import type { contract, Data, Input } from '@rmeet/contract';
import { AppError, type Context } from '../../../platform/http/index.ts';
import type { SsoDeps } from './attempts.ts';
import { sidOfTicket, ticketOfLogout } from './cas.ts';
import { endSessionsOf } from './logout.ts';
import { findEnabled } from './repo.ts';

type Calls = typeof contract.sso;

/** The ticket of a message. @throws AppError SSO_LOGOUT_INVALID */
function ticketIn(message: string): string {
  let ticket: string | undefined;
  try {
    ticket = ticketOfLogout(message);
  } catch {
    ticket = undefined;
  }
  if (ticket === undefined) throw new AppError('SSO_LOGOUT_INVALID');
  return ticket;
}

/**
 * CAS ends sessions here (CAS Protocol 3.0, section 2.3.3). Its message is not signed: who sends it knows the ticket
 * that opened the session, which only CAS, this server and that browser do.
 */
export const createCasLogout =
  ({ db, sessions }: Pick<SsoDeps, 'db' | 'sessions'>) =>
  async (
    _context: Context,
    { params: { providerId }, body }: Input<Calls['casLogout']>,
  ): Promise<Data<Calls['casLogout']>> => {
    const provider = await db.platform((tx) => findEnabled(tx, providerId));
    if (provider?.kind !== 'CAS') throw new AppError('SSO_UNKNOWN');
    const sid = sidOfTicket(ticketIn(body.logoutRequest));
    await db.tenant(provider.tenantId, (tx) => endSessionsOf(tx, sessions, providerId, { sid }));
    return null;
  };

export type CasLogout = ReturnType<typeof createCasLogout>;
