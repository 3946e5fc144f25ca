import type { CONFERENCE_ROLES, ConferencePart } from '@rmeet/conference';
import type { Data, ErrorCode, Input, Locale, Route, Routes } from '@rmeet/contract';
import type { FileAnswer } from './file-answer.ts';

export interface AnyoneCaller {
  kind: 'anyone';
}

/** A signed-in account. */
interface Account {
  userId: string;
  tenantId: string;
  sessionId: string;
  account: string;
  name: string;
  /** The permission codes it has now. */
  permissions: readonly string[];
}

/** An account of a tenant. */
export interface UserCaller extends Account {
  kind: 'user';
  isTenantAdmin: boolean;
}

/** An account of the platform's staff; its tenant is the platform's own. */
export interface OperatorCaller extends Account {
  kind: 'operator';
  isSuperAdmin: boolean;
}

export type AccountCaller = UserCaller | OperatorCaller;

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
  /** Everything it is to the conference, as the control says. */
  parts: readonly ConferencePart[];
}

/** A desk or status wall that a signed link has opened, for its meeting only. */
export interface DeskCaller {
  kind: 'desk';
  tenantId: string;
  meetId: string;
  part: 'deskChair' | 'deskViewer';
  /** What the link opens: the desk, or the status wall alone. */
  scope: 'control' | 'status';
  /** The link stands for the desk in logs, limits and acknowledgements: it is what can be revoked. */
  linkId: string;
  /** The name of the link's author. */
  name: string;
  expiresAt: Date;
}

export type Caller = AnyoneCaller | AccountCaller | TerminalCaller | DeskCaller;

/** Under what name what one caller does is counted: connections, calls. */
export function idOfCaller(caller: Exclude<Caller, AnyoneCaller>): string {
  if (caller.kind === 'terminal') return `terminal ${caller.termId}`;
  return caller.kind === 'desk' ? `desk ${caller.linkId}` : `user ${caller.userId}`;
}

/** What is known of a request besides its input. */
export interface Context<C extends Caller = Caller> {
  caller: C;
  /** `domain.name` of the route. */
  action: string;
  /** Also in the log, in the header x-request-id and in SERVER_ERROR's sentence. */
  requestId: string;
  locale: Locale;
  /** The caller's network address. */
  address: string;
  /**
   * The scheme and host as this caller's browser sees them: `https://meet.example.org`. For links in the answer to this
   * call alone: never stored and never sent to others, since a caller can forge it.
   */
  origin: string;
  /** The header user-agent, cut to 300 characters. */
  userAgent: string;
  /** Aborted when the client is gone or the time (30 s) is up. */
  signal: AbortSignal;
}

interface CallerOfKind {
  anyone: AnyoneCaller;
  user: UserCaller;
  operator: OperatorCaller;
  terminal: TerminalCaller;
  desk: DeskCaller;
}

/** The callers a route declares. */
export type CallerOf<R extends Route> = CallerOfKind[R['callers'][number]];

/** What a handler answers: the envelope's data, or a file where the route is a download. */
type AnswerOf<R extends Route> = R extends { download: true } ? FileAnswer : Data<R>;

/** One function per route of a domain, named as in the contract. */
export type Handlers<C extends Routes> = {
  [K in keyof C]: (context: Context<CallerOf<C[K]>>, input: Input<C[K]>) => AnswerOf<C[K]> | Promise<AnswerOf<C[K]>>;
};

/**
 * Finds out whose token this is, or for `session` whose the session of that id; the code to answer when it is nobody's.
 */
export type Authenticate = (
  token: string,
  as: 'account' | 'terminal' | 'desk' | 'session',
) => Promise<Exclude<Caller, AnyoneCaller> | ErrorCode>;
