import { contract, type Meeting, type Route, type Routes } from '@rmeet/contract';
import { clientOf, signIn, type Person } from './client.ts';
import { book, invite } from './meetings.ts';
import type { TestServer } from './server.ts';

/** Every route of the contract by its full name. */
export const routes: [string, Route][] = Object.entries(contract as Record<string, Routes>).flatMap(([domain, list]) =>
  Object.entries(list).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]));

export const USERS = ['member', 'host', 'admin', 'stranger', 'foreign'] as const;
export const CALLERS = ['nobody', 'guestTerminal', 'waitingTerminal', 'hostTerminal', ...USERS] as const;
export type CallerName = (typeof CALLERS)[number];

const accounts: Record<(typeof USERS)[number], string> = { member: 'bob', host: 'alice', admin: 'admin', stranger: 'carol', foreign: 'erin' };

/** A running meeting of alice's with bob invited, and somebody of every kind around it. */
export interface World {
  meeting: Meeting;
  tokens: Record<CallerName, string | undefined>;
  /** Somebody else who waits. */
  waitingTermId: string;
}

/** Everybody's account tokens, by what they are in a world. */
export async function signInAll(server: TestServer): Promise<Record<(typeof USERS)[number], Person>> {
  const people = await Promise.all(USERS.map(async (user) => [user, await signIn(server, accounts[user])] as const));
  return Object.fromEntries(people) as Record<(typeof USERS)[number], Person>;
}

export async function makeWorld(server: TestServer, people: Record<(typeof USERS)[number], Person>): Promise<World> {
  const meeting = await book(server, people.host, { startTime: server.clock.in(0), waitingRoom: true, participants: invite(server, 'bob') });
  const params = { meetId: meeting.meetId };
  const join = (who: Person, extra = {}) => who.conferences.join({ body: { numericId: meeting.numericId, ...extra } });
  const knock = (name: string) => join(clientOf(server), { name, password: '4821' });
  const host = await join(people.host);
  const [guest, waiting, another] = [await knock('Guest'), await knock('Waiting'), await knock('Another')];
  await people.host.conferences.admit({ params, body: { termIds: [guest.termId], admit: true } });
  const users = Object.fromEntries(USERS.map((user) => [user, people[user].token])) as Record<(typeof USERS)[number], string>;
  return {
    meeting,
    waitingTermId: another.termId,
    tokens: { nobody: undefined, guestTerminal: guest.sessionToken, waitingTerminal: waiting.sessionToken, hostTerminal: host.sessionToken, ...users },
  };
}
