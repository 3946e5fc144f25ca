import { access } from '../../lib/access.ts';
import { deskPasses, session, system } from '../../lib/browser.ts';
import type { Situation } from './decide.ts';

let isClientKnown = false;

/** Marks the account of the client shell as checked; once per page load is enough. */
export function clientIsKnown(): void {
  isClientKnown = true;
}

export function situation(): Situation {
  return {
    system,
    token: session.token,
    hasUser: session.user !== null,
    isForeign: session.isForeign,
    ticketToken: session.note('ticketToken'),
    version: session.note('version'),
    hasRoles: access.get() !== null,
    isClientKnown,
    userAgent: navigator.userAgent,
    inFrame: window.self !== window.top,
    deskMeetIds: deskPasses.meetIds,
  };
}
