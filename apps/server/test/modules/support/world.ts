import { eq, inArray } from 'drizzle-orm';
import {
  accountRoleOf,
  ACCOUNT_ROLES,
  contract,
  type Caller,
  type ErrorCode,
  type Meeting,
  type PermissionCode,
  type Route,
  type Routes,
} from '@rmeet/contract';
import { meetingGrant } from '../../../src/modules/meetings/tables.ts';
import { accountPermission, permission } from '../../../src/modules/accounts/permissions/tables.ts';
import { accountRole } from '../../../src/modules/accounts/roles/tables.ts';
import { account } from '../../../src/modules/accounts/users/tables.ts';
import { addPeople, preparePeople } from '../../../src/seed/index.ts';
import { clientOf, signIn, type Person } from './client.ts';
import { book, invite } from './meetings.ts';
import type { TestServer } from './server.ts';

/** Every route of the contract by its full name. */
export const routes: [string, Route][] = Object.entries(contract as Record<string, Routes>).flatMap(([domain, list]) =>
  Object.entries(list).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
);

/** The permissions of the role that every user has. */
const STAFF = [
  'sys:network',
  'sys:video',
  'sys:tel',
  'sys:local',
  'sys:bookLive',
  'sys:liveStreaming',
  'sys:uploadMeetingFile',
  'sys:pmicode',
] as const;

/** The accounts of the cast, and their grants in addition to their account roles. */
const ACCOUNTS = {
  member: { account: 'bob', granted: [...STAFF, 'sys:switchLiveResource', 'sys:itbotEntrance'] },
  host: { account: 'alice', granted: [...STAFF, 'sys:switchLiveResource', 'sys:itbotEntrance'] },
  tenantAdmin: { account: 'admin', granted: [...STAFF, 'sys:switchLiveResource', 'sys:itbotEntrance'] },
  /** Has no role at all and no invitation. */
  stranger: { account: 'carol', granted: [] },
  /** Manages users, reads the log and approves meetings without being an administrator. */
  delegate: { account: 'chair', granted: [...STAFF, 'users:manage', 'audit:read', 'sys:approve'] },
  foreignUser: { account: 'erin', granted: [...STAFF] },
  /** May approve meetings, too. */
  foreignAdmin: { account: 'dave', granted: [...STAFF, 'sys:approve', 'sys:switchLiveResource', 'sys:itbotEntrance'] },
  operator: { account: 'ops', granted: [] },
  superAdmin: { account: 'root', granted: [] },
  /** The meeting was granted to this account, which is not invited to it. */
  granted: { account: 'grace', granted: [...STAFF, 'sys:switchLiveResource', 'sys:itbotEntrance'] },
  /** Signed in while that was still possible. */
  disabled: { account: 'frank', granted: [] },
} as const satisfies Record<string, { account: string; granted: readonly PermissionCode[] }>;

/** Of the terminals, chair and co-chair came as guests. */
const TERMINALS = ['guestTerminal', 'waitingTerminal', 'hostTerminal', 'chairTerminal', 'coChairTerminal'] as const;
const DESKS = ['deskChair', 'deskViewer', 'statusWall'] as const;

export type AccountName = keyof typeof ACCOUNTS;
type TerminalName = (typeof TERMINALS)[number];
type DeskName = (typeof DESKS)[number];
export type CallerName = 'nobody' | TerminalName | DeskName | AccountName;
export const ACCOUNT_NAMES = Object.keys(ACCOUNTS) as AccountName[];
export const CALLERS: readonly CallerName[] = ['nobody', ...TERMINALS, ...DESKS, ...ACCOUNT_NAMES];

/** Everybody with an account, signed in. */
export type Cast = Record<AccountName, Person>;

export const accountOf = (name: AccountName): string => ACCOUNTS[name].account;
const isAccount = (caller: CallerName): caller is AccountName => caller in ACCOUNTS;

/** The codes of an account, by the contract's table of account roles and its grants. */
function codesOf(server: TestServer, name: AccountName): readonly string[] {
  const row = server.people.get(accountOf(name));
  if (!row) throw new Error(`There is no ${accountOf(name)}.`);
  return [...ACCOUNT_ROLES[accountRoleOf(row)].codes, ...ACCOUNTS[name].granted];
}

type Declared = { refusal: ErrorCode } | { as: Caller };

function declaredForAccount(server: TestServer, { callers, permission: needed }: Route, caller: AccountName): Declared {
  const kind = server.people.get(accountOf(caller))?.kind === 'operator' ? 'operator' : 'user';
  if (!callers.includes(kind)) return callers.includes('anyone') ? { as: 'anyone' } : { refusal: 'FORBIDDEN' };
  return needed === undefined || codesOf(server, caller).includes(needed) ? { as: kind } : { refusal: 'FORBIDDEN' };
}

/** The declared answer of a route to a caller: a refusal, or the kind of caller it is accepted as. */
export function declaredFor(server: TestServer, route: Route, caller: CallerName): Declared {
  const { callers } = route;
  const isOpen = callers.includes('anyone');
  const takesAccounts = callers.includes('user') || callers.includes('operator');
  // A route for both looks for a terminal last.
  const unknown =
    takesAccounts && (caller === 'nobody' || !callers.includes('terminal')) ? 'UNAUTHORIZED' : 'TERMINAL_GONE';
  if (isAccount(caller) && caller !== 'disabled' && takesAccounts) return declaredForAccount(server, route, caller);
  if ((TERMINALS as readonly string[]).includes(caller) && callers.includes('terminal')) return { as: 'terminal' };
  if ((DESKS as readonly string[]).includes(caller) && callers.includes('desk')) return { as: 'desk' };
  return isOpen ? { as: 'anyone' } : { refusal: unknown };
}

/** Grants the cast's permissions, adds frank and grace, signs everybody in and disables frank. */
export async function makeCast(server: TestServer): Promise<Cast> {
  const idOf = (name: AccountName): string => server.people.get(accountOf(name))?.id ?? '';
  const north = server.people.get(accountOf('host'))?.tenantId ?? '';
  const newcomers = await preparePeople([
    { account: accountOf('disabled'), name: 'Frank' },
    { account: accountOf('granted'), name: 'Grace' },
  ]);
  await server.db.platform(async (tx) => {
    for (const row of await addPeople(tx, north, newcomers, server.clock.now())) server.people.set(row.account, row);
    await tx.delete(accountRole, eq(accountRole.accountId, idOf('stranger')));
    for (const name of ACCOUNT_NAMES) {
      const more = ACCOUNTS[name].granted.filter((code) => !(STAFF as readonly string[]).includes(code));
      const codes = more.length === 0 ? [] : await tx.find(permission, inArray(permission.code, more));
      const tenantId = server.people.get(accountOf(name))?.tenantId ?? '';
      await tx.asTenant(tenantId).insert(
        accountPermission,
        codes.filter(({ type }) => type === 2).map(({ id }) => ({ accountId: idOf(name), permissionId: id })),
      );
    }
  });
  const people: [AccountName, Person][] = [];
  for (const name of ACCOUNT_NAMES) people.push([name, await signIn(server, accountOf(name))]);
  await server.db.tenant(north, (tx) => tx.update(account, { enabled: false }, eq(account.id, idOf('disabled'))));
  return Object.fromEntries(people) as Cast;
}

/** A running meeting of alice's with bob invited, and every kind of caller around it. */
export interface World {
  meeting: Meeting;
  tokens: Record<CallerName, string | undefined>;
  /** Another waiting terminal. */
  waitingTermId: string;
  guestTermId: string;
}

/** Long enough not to occur in an id by chance. */
export const MEETING_PASSWORD = 'Zx4821Pw';

/** The token of a desk that a link's secret opens. */
async function openDesk(server: TestServer, { url }: { url: string }): Promise<string> {
  const sign = new URLSearchParams(url.split('?')[1]).get('token') ?? '';
  return (await clientOf(server).conferences.openDesk({ body: { sign } })).token;
}

/**
 * Makes grace a stand-in for the host of a meeting; not through the route, which is not called this often in practice.
 */
export async function grantTo(server: TestServer, meetId: string): Promise<void> {
  const grace = server.people.get(accountOf('granted'));
  if (!grace) throw new Error('There is no grace.');
  await server.db.tenant(grace.tenantId, (tx) =>
    tx.insert(meetingGrant, {
      meetingId: meetId,
      accountId: grace.id,
      grantedBy: 'Alice',
      grantedAt: server.clock.now(),
    }),
  );
}

export async function makeWorld(server: TestServer, cast: Cast): Promise<World> {
  const meeting = await book(server, cast.host, {
    startTime: server.clock.in(0),
    duration: 30,
    waitingRoom: true,
    password: MEETING_PASSWORD,
    participants: invite(server, 'bob'),
  });
  const params = { meetId: meeting.meetId };
  const join = (who: Person, extra = {}) => who.conferences.join({ body: { numericId: meeting.numericId, ...extra } });
  const knock = (name: string) => join(clientOf(server), { name, password: MEETING_PASSWORD });
  const host = await join(cast.host);
  const [guest, waiting, another, chair, coChair] = [
    await knock('Guest'),
    await knock('Waiting'),
    await knock('Another'),
    await knock('Chair'),
    await knock('Co-chair'),
  ];
  await cast.host.conferences.admit({
    params,
    body: { termIds: [guest.termId, chair.termId, coChair.termId], admit: true },
  });
  await grantTo(server, meeting.meetId);
  await cast.host.conferences.setConfChairman({ params: { res: 'rz' }, query: { ...params, termId: chair.termId } });
  await cast.host.conferences.coChairs({ params, body: { termIds: [coChair.termId], appoint: true } });
  const link = (b: 'chair' | 'viewer') =>
    cast.host.conferences.manageUrl({ params: { a: meeting.meetId, b }, query: {} });
  const accounts = Object.fromEntries(ACCOUNT_NAMES.map((name) => [name, cast[name].token])) as Record<
    AccountName,
    string
  >;
  return {
    meeting,
    waitingTermId: another.termId,
    guestTermId: guest.termId,
    tokens: {
      nobody: undefined,
      guestTerminal: guest.sessionToken,
      waitingTerminal: waiting.sessionToken,
      hostTerminal: host.sessionToken,
      chairTerminal: chair.sessionToken,
      coChairTerminal: coChair.sessionToken,
      deskChair: await openDesk(server, await link('chair')),
      deskViewer: await openDesk(server, await link('viewer')),
      statusWall: await openDesk(
        server,
        await cast.host.conferences.monitorUrl({ query: { numericId: meeting.numericId } }),
      ),
      ...accounts,
    },
  };
}
