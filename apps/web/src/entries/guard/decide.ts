import { isClientShell, isOldShell } from '../../lib/clientShell.ts';
import { loginPath, ownPath, SHARED_RECORDING, WATCH } from '../../lib/paths.ts';
import type { System } from '../../lib/system.ts';

/** The requested page: the path of the hash route and its query. */
export interface Visit {
  path: string;
  query: URLSearchParams;
}

/** Everything else the guard knows. */
export interface Situation {
  system: System;
  token: string | null;
  /** The token's account is known; for a token created elsewhere it is not until user info is loaded. */
  hasUser: boolean;
  /** The tab's sign-in was made at another login URL than this app's. */
  isForeign: boolean;
  /** Storage key `ticketToken`: links contain tokens, not tickets. */
  ticketToken: string | null;
  /** Storage key `version`: version of the client shell. */
  version: string | null;
  /** The token's roles and menu are loaded. */
  hasRoles: boolean;
  /** The account of an old client shell was already checked since the page was loaded. */
  isClientKnown: boolean;
  userAgent: string;
  inFrame: boolean;
  /** Meetings whose desk a link has opened in this tab. */
  deskMeetIds: readonly string[];
}

/** Values that a link passes in addition to the token, under the storage keys of the same names. */
export const HANDED_OVER = ['source', 'version', 'platform', 'ticketToken'] as const;
export type HandedOver = Partial<Record<(typeof HANDED_OVER)[number], string>>;

export type Decision =
  | { kind: 'pass' }
  | { kind: 'go'; to: string }
  /** Store the token of a link, then continue without it in the URL. */
  | { kind: 'adopt'; token: string; notes: HandedOver; to: string }
  /** Exchange the ticket or the secret of a desk link, then continue without it in the URL. */
  | { kind: 'exchange'; sign: string; to: string }
  /** Store the content of the parameter `params`; null if it is invalid. */
  | { kind: 'keepParams'; params: HandedParams | null; to: string }
  /** Delete the sign-in, then go to `to`. */
  | { kind: 'forget'; to: string }
  /** Ask whether the account of an old client shell uses this app. */
  | { kind: 'askClient' }
  /** Load user info and menu, then enter again; `failed`: the target if user info fails to load. */
  | { kind: 'load'; failed: string };

export interface HandedParams {
  permissions: string;
  token: string;
}

/** Paths that require no sign-in (product document, section 2), in lower case. */
const PUBLIC = new Set([
  '/login',
  '/join',
  '/loading',
  '/terminalstatus',
  '/singlelogout',
  '/singlelogin',
  '/sso',
  '/rmeetsso',
  '/meetingcontrol',
  '/clientdownload',
  '/invitation',
  '/logout',
  '/404',
]);
/** Their links open them for all, signed in or not. */
const SHARED = [`${SHARED_RECORDING.toLowerCase()}/`, `${WATCH}/`];
/** Pages of a desk, which a link opens without an account. */
const OF_DESK = new Set(['/meetingcontrol', '/terminalstatus']);
/** Pages among them that depend on the account's rights, if there is one. */
const WANTS_ROLES = new Set(['/meetingcontrol', '/404']);
const TAKES_TOKEN = new Set(['/login', '/mymeeting', '/meetingcontrol', '/loading']);
const LOGIN = '/login';

/** The route guard (product document, section 4). It only decides; `act.ts` executes. */
export function decide(visit: Visit, now: Situation): Decision {
  // Routes match regardless of case.
  const at = visit.path.toLowerCase().replace(/(?<=.)\/+$/, '');
  if (SHARED.some((shared) => at.startsWith(shared))) return { kind: 'pass' };
  return handOver(visit, at, now) ?? (now.token === null ? signedOut(visit, at, now) : signedIn(visit, at, now));
}

/** The decision for a token or parameters passed in the URL; null without any. */
function handOver({ path, query }: Visit, at: string, now: Situation): Decision | null {
  const token = query.get('token');
  const brings =
    at === '/terminalstatus' || (at === '/meetingcontrol' && !(now.ticketToken ?? query.get('ticketToken')));
  if (brings && token) {
    return { kind: 'exchange', sign: token, to: withQuery(path, only(query, ['meetId'])) };
  }
  if (token && TAKES_TOKEN.has(at)) {
    const rest = at === '/meetingcontrol' ? only(query, ['meetId']) : without(query, ['token', ...HANDED_OVER]);
    return { kind: 'adopt', token, notes: handedOver(query), to: withQuery(path, rest) };
  }
  // A desk opened by a link does not depend on the signed-in account.
  if (OF_DESK.has(at) && now.deskMeetIds.includes(query.get('meetId') ?? '')) return { kind: 'pass' };
  const params = query.get('params');
  return params === null
    ? null
    : { kind: 'keepParams', params: readParams(params), to: withQuery(path, without(query, ['params'])) };
}

const isOtherSignIn = ({ isForeign, system }: Situation): boolean => isForeign && system !== 'manage';

/** Whether the page may be opened without a sign-in. */
function signedOut({ path, query }: Visit, at: string, now: Situation): Decision {
  if (isOtherSignIn(now)) return { kind: 'forget', to: LOGIN };
  return PUBLIC.has(at) ? { kind: 'pass' } : { kind: 'go', to: loginPath(withQuery(path, query)) };
}

/** Whether the page may be opened with the current sign-in. */
function signedIn({ path, query }: Visit, at: string, now: Situation): Decision {
  if (isOtherSignIn(now)) return { kind: 'forget', to: LOGIN };
  if ((at === LOGIN || at === '/loading') && !query.has('logout'))
    return { kind: 'go', to: ownPath(query.get('redirect')) };
  const wantsUser = at === '/join' && !now.hasUser;
  if (PUBLIC.has(at) && !WANTS_ROLES.has(at) && !wantsUser) return { kind: 'pass' };
  if (asksForClient(now)) return { kind: 'askClient' };
  if (!now.hasRoles || wantsUser)
    return { kind: 'load', failed: at === '/404' ? LOGIN : loginPath(withQuery(path, query)) };
  return { kind: 'pass' };
}

function asksForClient({ system, userAgent, version, inFrame, isClientKnown }: Situation): boolean {
  return system === 'user' && !isClientKnown && !inFrame && isClientShell(userAgent) && isOldShell(version);
}

/** `{"localStorage": {"permissions": ["code"], "token": "…"}}`; null for anything else. */
function readParams(json: string): HandedParams | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null; // not valid JSON
  }
  const { localStorage } = (value ?? {}) as { localStorage?: unknown };
  const { permissions, token } = (localStorage ?? {}) as { permissions?: unknown; token?: unknown };
  const areCodes = Array.isArray(permissions) && permissions.every((code) => typeof code === 'string');
  if (!areCodes || typeof token !== 'string' || !/^[\w-]{1,200}$/.test(token)) return null;
  return { permissions: JSON.stringify(permissions), token };
}

function handedOver(query: URLSearchParams): HandedOver {
  return Object.fromEntries(HANDED_OVER.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));
}

function only(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => names.includes(name)));
}

function without(query: URLSearchParams, names: readonly string[]): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !names.includes(name)));
}

function withQuery(path: string, query: URLSearchParams): string {
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
