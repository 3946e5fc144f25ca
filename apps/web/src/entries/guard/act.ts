import { api, ApiError, isApiError, reportError } from '../../lib/api/index.ts';
import { deskPasses, session } from '../../lib/browser.ts';
import { loadAccess } from '../../lib/loadAccess.ts';
import { forgetSession } from '../../lib/signOut.ts';
import type { Decision, HandedOver, HandedParams } from './decide.ts';
import { clientIsKnown } from './situation.ts';

type Act = Exclude<Decision, { kind: 'pass' | 'go' }>;

const running = new Map<string, Promise<string | null>>();

/**
 * Executes the guard's decision. Resolves with the path to go to; null to enter the same path again. The same action is
 * not started twice.
 */
export async function act(decision: Act): Promise<string | null> {
  const key = JSON.stringify(decision);
  const run = running.get(key) ?? carryOut(decision).finally(() => running.delete(key));
  running.set(key, run);
  return run;
}

async function carryOut(decision: Act): Promise<string | null> {
  switch (decision.kind) {
    case 'adopt':
      await adopt(decision.token, decision.notes);
      return decision.to;
    case 'exchange':
      return exchange(decision.sign, decision.to);
    case 'keepParams':
      if (decision.params) keepParams(decision.params);
      return decision.to;
    case 'forget':
      forgetSession();
      return decision.to;
    case 'askClient':
      await askClient();
      return null;
    case 'load':
      try {
        await loadAccess();
        return null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        reportError(error);
        forgetSession();
        return decision.failed;
      }
  }
}

/** Signs in with a token created elsewhere, and finds out whether its account administers the tenant. */
export async function adopt(token: string, notes: HandedOver): Promise<void> {
  session.adopt(token);
  for (const [name, value] of Object.entries(notes)) session.setNote(name as keyof HandedOver, value);
  try {
    session.setTenantAdmin(await api.tenants.isTenantAdmin());
  } catch (error) {
    reportError(error);
  }
}

/** Signs in with a ticket; returns false (with a message) if it is used or expired: the current sign-in stays. */
export async function signInBy(sign: string): Promise<boolean> {
  try {
    const { token, user } = await api.auth.ticketToToken({ query: {}, body: { sign } });
    if (user === null) return false;
    session.open(token, user);
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

/**
 * Signs in with a ticket, or opens a desk by its link's secret. Resolves with the path to go to; a rejection is shown
 * there, too.
 */
async function exchange(sign: string, to: string): Promise<string> {
  try {
    const { token, user, desk } = await api.auth.ticketToToken({ query: {}, body: { sign } });
    if (user) session.open(token, user);
    if (!desk) return to;
    deskPasses.keep({ token, ...desk });
    const page = desk.scope === 'status' ? '/terminalstatus' : to.split('?', 1)[0];
    return `${page}?meetId=${desk.meetId}`;
  } catch (error) {
    if (isApiError(error, 'DESK_LINK_INVALID'))
      deskPasses.refuse(new URLSearchParams(to.split('?')[1]).get('meetId') ?? '');
    reportError(error);
    return to;
  }
}

function keepParams({ permissions, token }: HandedParams): void {
  session.setNote('permissions', permissions);
  session.setNote('token', token);
}

/** Old client shells show the management area to accounts that are not client users. */
async function askClient(): Promise<void> {
  try {
    const { openNewPage } = await api.users.forClient();
    clientIsKnown();
    if (!openNewPage) location.assign('/manage/#/myMeeting');
  } catch (error) {
    reportError(error);
    forgetSession();
  }
}
