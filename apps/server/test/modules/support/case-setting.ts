import { eq } from 'drizzle-orm';
import { vi } from 'vitest';
import { conferenceRight, type ConferencePart, type ConferenceRight } from '@rmeet/conference';
import { ENGINE_ACK } from '@rmeet/contract';
import { role } from '../../../src/modules/accounts/roles/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { book, invite } from './meetings.ts';
import type { TestServer } from './server.ts';
import {
  accountOf,
  grantTo,
  makeCast,
  makeWorld,
  MEETING_PASSWORD,
  type AccountName,
  type CallerName,
  type Cast,
  type World,
} from './world.ts';

/** The setting in which the cases run. */
export interface Setting {
  server: TestServer;
  cast: Cast;
  world: World;
  /** Tenant of all except the foreign callers and the platform's staff. */
  north: string;
  /** The role every user has. */
  staffRole: string;
  /** Secret of the guest link of the world's meeting. */
  resource: string;
}

export interface CallArgs {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

export type Expected = Partial<Record<CallerName, string>> & { others: string };

/**
 * How one route is called in a walk, always about rows of the tenant `north`, and the expected responses for the
 * callers its declaration admits.
 */
export interface Case {
  expected: Expected;
  /** Its arguments; rows that it changes are created for this one call. */
  args: (setting: Setting, caller: CallerName) => CallArgs | Promise<CallArgs>;
  /** Needs its own running meeting. */
  ownWorld?: true;
  /** Restores the caller for the next route. */
  after?: (setting: Setting, caller: AccountName) => Promise<void>;
}

/** A cast around one running meeting with a guest link. */
export async function makeSetting(server: TestServer): Promise<Setting> {
  const cast = await makeCast(server);
  const world = await makeWorld(server, cast);
  const { resource } = await cast.host.guests.create({ query: { meetingId: world.meeting.meetId } });
  const [staff] = await server.db.platform((tx) => tx.find(role, eq(role.isDefault, true)));
  return {
    server,
    cast,
    world,
    resource,
    staffRole: staff?.id ?? '',
    north: server.people.get(accountOf('host'))?.tenantId ?? '',
  };
}

/** The parts of each caller in the world's meeting. */
const PARTS: Partial<Record<CallerName, ConferencePart[]>> = {
  host: ['host'],
  granted: ['host'],
  hostTerminal: ['host'],
  tenantAdmin: ['tenantAdmin'],
  member: ['member'],
  guestTerminal: ['guest'],
  waitingTerminal: ['waiting'],
  chairTerminal: ['guest', 'chair'],
  coChairTerminal: ['guest', 'coChair'],
  deskChair: ['deskChair'],
  deskViewer: ['deskViewer'],
  statusWall: ['deskViewer'],
};

/**
 * Expected responses by the contract's table of conference roles, with what a chair allows at first; NOT_FOUND without
 * a part in the meeting.
 */
export function byRight(right: ConferenceRight): Expected {
  const known = Object.entries(PARTS).map(([caller, parts]) => [
    caller,
    parts.some((part) => conferenceRight(part, right) !== false) ? 'OK' : 'FORBIDDEN',
  ]);
  return { ...(Object.fromEntries(known) as Partial<Expected>), others: 'NOT_FOUND' };
}

/** Every declared caller gets OK. */
export const all: Expected = { others: 'OK' };
/** The id of the world's meeting. */
export const meetId = ({ world }: Setting) => ({ meetId: world.meeting.meetId });
/** A unique name. */
export const named = (name: string) => `${name}.${newId().slice(-12)}`;

/** The body for booking or changing a meeting. */
export const meetingBody = ({ server }: Setting) => ({
  subject: 'Changed',
  startTime: server.clock.in(60),
  duration: 30,
  password: MEETING_PASSWORD,
});
/** A future meeting of `north`. */
export const upcoming = async (setting: Setting) => {
  const { server, cast } = setting;
  const { meetId: id } = await book(server, cast.host, {
    password: MEETING_PASSWORD,
    participants: invite(server, 'bob'),
  });
  await grantTo(server, id);
  return { params: { id } };
};

/** Waits until the engine has applied a command, so that nothing is still being written when the walk reads. */
export async function engineFollowed(
  { cast, world }: Setting,
  { commandId, version }: { commandId: string; version: number },
): Promise<string> {
  await vi.waitFor(
    async () => {
      // The log has pages, the oldest first, and the whole walk gives more commands than one page holds.
      const log = await cast.host.conferences.events({
        params: { meetId: world.meeting.meetId },
        query: { after: version - 1 },
      });
      if (!log.find((row) => row.commandId === commandId)?.acknowledgements.some(({ termId }) => termId === ENGINE_ACK))
        throw new Error('The engine has not followed yet.');
    },
    { timeout: 10_000 },
  );
  return commandId;
}
