import type { CONFERENCE_ROLES, ConferencePart } from '@rmeet/conference';
import type { Data, ErrorCode, Input, Locale, Route, Routes } from '@rmeet/contract';
import type { FileAnswer } from './file-answer.ts';
import type { FileRules } from './forms.ts';

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

/** A machine that calls in the name of an account (docs/features/api-clients.md). */
export interface ApiClientOfCall {
  id: string;
  name: string;
  scopes: readonly string[];
  /** Addresses and networks it may call from; empty: any. */
  networks: readonly string[];
  /** Calls per minute. */
  perMinute: number;
  /** The account is that of a person who allowed it, not the client's own. */
  actsForUser: boolean;
}

/** An account of a tenant. */
export interface UserCaller extends Account {
  kind: 'user';
  isTenantAdmin: boolean;
  /** The API client that calls; without one, the person. Its routes are those that name a scope. */
  client?: ApiClientOfCall;
}

/** A call by an API client. */
export type ClientCaller = UserCaller & { client: ApiClientOfCall };

/** An account of the platform's staff; its tenant is the platform's own. */
export interface OperatorCaller extends Account {
  kind: 'operator';
  isSuperAdmin: boolean;
}

export type AccountCaller = UserCaller | OperatorCaller;

/** Who may hold a ticket for a download. */
export type TicketHolder = AccountCaller | TerminalCaller;

/** The holder of a conference session token, guests included. */
export interface TerminalCaller {
  kind: 'terminal';
  tenantId: string;
  meetId: string;
  conferenceId: string;
  termId: string;
  name: string;
  role: (typeof CONFERENCE_ROLES)[number];
  /** `lost`: admitted before, but no longer present; may enter again. */
  state: 'waiting' | 'admitted' | 'lost';
  /** The token it sent, for the call that returns it again. */
  sessionToken: string;
  /** When it was admitted; null while it waits. */
  admittedAt: Date | null;
  /** All its parts in the conference, according to the control. */
  parts: readonly ConferencePart[];
}

/** A desk or status wall opened by a signed link, for its meeting only. */
export interface DeskCaller {
  kind: 'desk';
  tenantId: string;
  meetId: string;
  part: 'deskChair' | 'deskViewer';
  /** What the link opens: the desk, or only the status wall. */
  scope: 'control' | 'status';
  /** The link identifies the desk in logs, limits and acknowledgements, because it is what can be revoked. */
  linkId: string;
  /** The name of the link's author. */
  name: string;
  expiresAt: Date;
}

export type Caller = AnyoneCaller | AccountCaller | TerminalCaller | DeskCaller;

/** The name under which a caller's connections and calls are counted. */
export function idOfCaller(caller: Exclude<Caller, AnyoneCaller>): string {
  if (caller.kind === 'terminal') return `terminal ${caller.termId}`;
  if (caller.kind === 'desk') return `desk ${caller.linkId}`;
  // A client does not use up the limits of the person for whom it acts.
  const client = caller.kind === 'user' && caller.client ? `client ${caller.client.id} ` : '';
  return `${client}user ${caller.userId}`;
}

/** The facts about a request besides its input. */
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
   * The scheme and host as this caller's browser sees them: `https://meet.example.org`. Only for links in the response
   * to this call: never stored and never sent to others, because a caller can forge it.
   */
  origin: string;
  /** The query as it was sent, without the question mark: some signatures are over its very characters. */
  query: string;
  /** The header user-agent, cut to 300 characters. */
  userAgent: string;
  /**
   * The certificate (DER) that the connection has shown to a trusted proxy, which passes it on; undefined without one
   * (client-certificate.ts).
   */
  clientCertificate?: Buffer | undefined;
  /** Aborted when the client has disconnected or the time limit (30 s) is reached. */
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

/** What a handler returns: the envelope's data, or a file if the route is a download. */
type AnswerOf<R extends Route> = R extends { download: true } ? FileAnswer : Data<R>;

/** One function per route of a domain, named as in the contract. */
export type Handlers<C extends Routes> = {
  [K in keyof C]: (context: Context<CallerOf<C[K]>>, input: Input<C[K]>) => AnswerOf<C[K]> | Promise<AnswerOf<C[K]>>;
};

/**
 * For routes that take files without naming a permission: whether the caller may send them with this input, and which;
 * called before the first file is read.
 */
export type UploadGates<C extends Routes> = {
  [K in keyof C]?: (
    context: Context<CallerOf<C[K]>>,
    input: Omit<Input<C[K]>, 'files'>,
  ) => FileRules | Promise<FileRules>;
};

/**
 * Finds the owner of a token, or for `session` the owner of the session with that id, or for `presence` the terminal
 * with that termId, or for `deskSocket` the desk or recorder that may follow its meeting, or for `proven` the owner of
 * the session with that id if it has proved lately who it is, or for `client` the API client with that access token;
 * otherwise the error code to return.
 */
export type Authenticate = (
  token: string,
  as: 'account' | 'terminal' | 'desk' | 'deskSocket' | 'session' | 'presence' | 'proven' | 'client',
) => Promise<Exclude<Caller, AnyoneCaller> | ErrorCode>;
