import { eq } from 'drizzle-orm';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract, type Meeting } from '@rmeet/contract';
import { failedAttempt } from '../../src/modules/accounts/auth/tables.ts';
import { addPeople, DEMO_PASSWORD } from '../../src/seed/index.ts';
import { newToken } from '../../src/platform/secrets/index.ts';
import { call, clientOf, encrypt, send, signIn, type Answer, type Person } from './support/client.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

// A whole office behind one address. `npm run soak -- office` does the same with 500 people and the media engine.
const [GUESTS, MEMBERS, SIGN_INS] = [130, 10, 70];

let server: TestServer;
let chair: Person;
beforeAll(async () => {
  server = await startTestServer({ capacity: 500 });
  const { tenantId = '', passwordHash = '' } = server.people.get('alice') ?? {};
  const people = Array.from({ length: SIGN_INS }, (_, i) => ({
    account: `office${i}`,
    name: `Office ${i}`,
    passwordHash,
  }));
  await server.db.platform((tx) => addPeople(tx, tenantId, people, server.clock.now()));
  chair = await signIn(server, 'chair');
});
afterAll(() => server.close());
beforeEach(() =>
  server.db.platform(
    async (tx) => void (await tx.delete(failedAttempt, eq(failedAttempt.tenantId, failedAttempt.tenantId))),
  ),
);

/** How often each code was returned for concurrent calls. */
async function codes(calls: Promise<{ statusCode: string }>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { statusCode } of await Promise.all(calls)) counts[statusCode] = (counts[statusCode] ?? 0) + 1;
  return counts;
}
/** Retries when the server reports that it is busy, as pages do: nobody is rejected, even on a slow machine. */
async function patiently(one: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await one();
    if (answer.statusCode !== 'SERVICE_BUSY') return answer;
    await delay((answer.data as { seconds: number }).seconds * 1_000);
  }
}
const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
const guest = ({ numericId }: Pick<Meeting, 'numericId'>, password: string, address: string, name = 'Guest') =>
  call(server, contract.conferences.join, { body: { numericId, password, name } }, undefined, address);

test(
  'an office enters one meeting at once by number, guest link and account, and all are admitted',
  { timeout: 120_000 },
  async () => {
    const address = '203.0.113.1';
    const meeting = await book(server, chair, { startTime: server.clock.in(0), participants: invite(server, 'alice') });
    const { resource } = await chair.guests.create({ query: { meetingId: meeting.meetId } });
    const [alice, visitor] = [await signIn(server, 'alice'), clientOf(server, undefined, address)];
    const looked = times(GUESTS, async () => visitor.guests.queryMeetDetail({ query: { resource } }));
    expect((await Promise.all(looked)).every(({ numericId }) => numericId === meeting.numericId)).toBe(true);
    const answers = await codes([
      ...times(GUESTS / 2, (i) => patiently(() => guest(meeting, '4821', address, `Guest ${i}`))),
      ...times(GUESTS / 2, (i) =>
        patiently(() =>
          call(server, contract.conferences.join, { body: { resource, name: `By link ${i}` } }, undefined, address),
        ),
      ),
      ...times(MEMBERS, () =>
        patiently(() =>
          call(server, contract.conferences.join, { body: { numericId: meeting.numericId } }, alice.token, address),
        ),
      ),
    ]);
    expect(answers).toEqual({ OK: GUESTS + MEMBERS });
    expect(await visitor.guests.count({ query: { resource } })).toBe(GUESTS + MEMBERS);
  },
);

test(
  'an office signs in at once on new devices while a few mistype, and no one is refused',
  { timeout: 120_000 },
  async () => {
    const [wrong, address] = [await encrypt(server, 'mistyped'), '203.0.113.2'];
    const rights = await Promise.all(times(SIGN_INS, () => encrypt(server, DEMO_PASSWORD)));
    const mistyped = await codes(
      times(20, (i) =>
        send(server, 'POST', '/api/login', {
          body: { account: `office${i}`, password: wrong, deviceId: `new ${i}` },
          address,
        }),
      ),
    );
    expect(mistyped).toEqual({ BAD_CREDENTIALS: 20 });
    const answers = await codes(
      times(SIGN_INS, (i) =>
        patiently(() =>
          send(server, 'POST', '/api/login', {
            body: { account: `office${i}`, password: rights[i], deviceId: `new ${i}` },
            address,
          }),
        ),
      ),
    );
    expect(answers).toEqual({ OK: SIGN_INS });
  },
);

describe('mistakes of others behind one address do not block', () => {
  test('a guest with number and password, while unknown numbers wait', async () => {
    const address = '203.0.113.3';
    const meeting = await book(server, chair, { startTime: server.clock.in(0) });
    expect(await codes(times(40, (i) => guest({ numericId: String(100_000_000 + i) }, '4821', address)))).toMatchObject(
      { MEETING_NUMBER_UNKNOWN: 21 },
    );
    expect(await guest({ numericId: '100000099' }, '4821', address)).toMatchObject({
      httpStatus: 429,
      statusCode: 'TOO_MANY_REQUESTS',
      data: { seconds: 2 },
    });
    expect((await guest(meeting, '4821', address)).statusCode).toBe('OK');
  });

  test('the count of guesses at the password of a known number, which reveal nothing', async () => {
    const address = '203.0.113.4';
    const meeting = await book(server, chair, { startTime: server.clock.in(0) });
    await codes(times(30, (i) => guest({ numericId: String(100_000_000 + i) }, '4821', address)));
    expect(await codes(times(30, (i) => guest(meeting, String(5_000 + i), address)))).toEqual({
      TOO_MANY_REQUESTS: 30,
    });
    // Six wrong ones were counted: now even the right one is delayed.
    expect((await guest(meeting, '4821', address)).statusCode).toBe('TOO_MANY_REQUESTS');
  });

  test('a guest link, while invented ones wait', async () => {
    const address = '203.0.113.5';
    const meeting = await book(server, chair, { startTime: server.clock.in(0) });
    const { resource } = await chair.guests.create({ query: { meetingId: meeting.meetId } });
    const count = (secret: string) =>
      call(server, contract.guests.count, { query: { resource: secret } }, undefined, address);
    expect(await codes(times(40, () => count(newToken())))).toEqual({ GUEST_LINK_INVALID: 21, TOO_MANY_REQUESTS: 19 });
    expect((await count(resource)).statusCode).toBe('OK');
  });

  test('a large meeting whose guests sometimes mistype its password', async () => {
    const meeting = await book(server, chair, { startTime: server.clock.in(0) });
    // From many addresses, and more wrong ones in total than the limit of a meeting without right ones.
    for (let round = 0; round < 12; round += 1) {
      const [wrong, right] = [
        times(5, (i) => guest(meeting, '0000', `198.18.${round}.${i}`)),
        times(6, (i) => guest(meeting, '4821', `198.19.${round}.${i}`)),
      ];
      expect(await codes(wrong)).toEqual({ MEETING_PASSWORD_WRONG: 5 });
      expect(await codes(right)).toEqual({ OK: 6 });
    }
  });
});
