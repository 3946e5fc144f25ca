import type { CONFERENCE_ROLES, Data, ErrorCode, Input, Locale, Route, Routes } from '@rmeet/contract';

export interface AnyoneCaller {
  kind: 'anyone';
}

/** A signed-in staff account. */
export interface UserCaller {
  kind: 'user';
  userId: string;
  tenantId: string;
  sessionId: string;
  account: string;
  name: string;
  isTenantAdmin: boolean;
}

/** The holder of a conference session token, guests included. */
export interface TerminalCaller {
  kind: 'terminal';
  tenantId: string;
  meetId: string;
  conferenceId: string;
  termId: string;
  name: string;
  role: (typeof CONFERENCE_ROLES)[number];
  /** `lost`: let in once, but not seen inside any more; may enter again. */
  state: 'waiting' | 'admitted' | 'lost';
  /** The token it showed, for the call that answers it again. */
  sessionToken: string;
  /** When it was let in; null while it waits. */
  admittedAt: Date | null;
}

export type Caller = AnyoneCaller | UserCaller | TerminalCaller;

/** What is known of a request besides its input. */
export interface Context<C extends Caller = Caller> {
  caller: C;
  /** Also in the log, in the header x-request-id and in SERVER_ERROR's sentence. */
  requestId: string;
  locale: Locale;
  /** The caller's network address. */
  address: string;
  /** The scheme and host as the browser sees them, for links: `https://meet.example.org`. */
  origin: string;
  /** The header user-agent, cut to 300 characters. */
  userAgent: string;
  /** Aborted when the client is gone or the time (30 s) is up. */
  signal: AbortSignal;
}

interface CallerOfKind {
  anyone: AnyoneCaller;
  user: UserCaller;
  terminal: TerminalCaller;
}

/** The callers a route declares. */
export type CallerOf<R extends Route> = CallerOfKind[R['callers'][number]];

/** One function per route of a domain, named as in the contract. */
export type Handlers<C extends Routes> = {
  [K in keyof C]: (context: Context<CallerOf<C[K]>>, input: Input<C[K]>) => Data<C[K]> | Promise<Data<C[K]>>;
};

/** Finds out whose token this is; the code to answer when it is nobody's. */
export type Authenticate = (token: string, as: 'user' | 'terminal') => Promise<Exclude<Caller, AnyoneCaller> | ErrorCode>;
