import { API_BASE, contract, type Route } from '@rmeet/contract';
import { and, eq, gt, lt } from 'drizzle-orm';
import type { Db } from '../../db/index.ts';
import { hashToken, newToken } from '../../secrets/index.ts';
import { AppError } from './app-error.ts';
import type { Authenticate, Handlers, TicketHolder } from './context.ts';
import { downloadTicket } from '../tables.ts';

const LIFETIME = 60_000;

export interface Tickets {
  handlers: Handlers<typeof contract.downloads>;
  /**
   * Uses up the ticket and returns its holder with the current rights. Throws AppError TICKET_INVALID if it is unknown,
   * used, expired, for another path, or of an ended session or a terminal that is gone.
   */
  use(ticket: string, path: string): Promise<TicketHolder>;
}

/** The path and query a ticket is bound to, without the ticket itself. */
export function pathOfDownload(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://host');
  searchParams.delete('ticket');
  searchParams.sort();
  return searchParams.size > 0 ? `${pathname}?${searchParams.toString()}` : pathname;
}

/** A terminal's token is stored as its hash only. */
const storable = (caller: TicketHolder): TicketHolder =>
  caller.kind === 'terminal' ? { ...caller, sessionToken: '' } : caller;

/** Downloads for which the session must have proved lately who holds it. */
const GUARDED = new Set(
  Object.values(contract)
    .flatMap((routes): Route[] => Object.values(routes))
    .filter(({ download, stepUp }) => download && stepUp)
    .map(({ path }) => path),
);

/** Tickets for one download each: 60 s, single use, stored hashed, bound to path and session, or terminal. */
export function createTickets(db: Db, authenticate: Authenticate): Tickets {
  return {
    handlers: {
      async ticket({ caller }, { body }) {
        if (!body.path.startsWith(`${API_BASE}/`)) throw new AppError('INVALID_INPUT', {}, { path: 'not a download' });
        const { pathname } = new URL(body.path, 'http://host');
        if (GUARDED.has(pathname) && 'sessionId' in caller) {
          const found = await authenticate(caller.sessionId, 'proven');
          if (typeof found === 'string') throw new AppError(found);
        }
        const ticket = newToken();
        const expiresAt = new Date(Date.now() + LIFETIME);
        await db.tenant(caller.tenantId, async (tx) => {
          await tx.delete(downloadTicket, lt(downloadTicket.expiresAt, new Date()));
          await tx.insert(downloadTicket, {
            hash: hashToken(ticket),
            caller: storable(caller),
            path: pathOfDownload(body.path),
            expiresAt,
          });
        });
        return { ticket, expiresAt: expiresAt.toISOString() };
      },
    },
    async use(ticket, path) {
      const [row] = await db.platform((tx) =>
        tx.delete(
          downloadTicket,
          and(
            eq(downloadTicket.hash, hashToken(ticket)),
            eq(downloadTicket.path, path),
            gt(downloadTicket.expiresAt, new Date()),
          ),
        ),
      );
      const caller =
        row &&
        (row.caller.kind === 'terminal'
          ? await authenticate(row.caller.termId, 'presence')
          : await authenticate(row.caller.sessionId, 'session'));
      if (!caller || typeof caller === 'string' || caller.kind === 'desk') throw new AppError('TICKET_INVALID');
      return caller;
    },
  };
}
