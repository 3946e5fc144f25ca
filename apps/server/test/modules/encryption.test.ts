import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasCapability, PLAIN_CAPABILITIES } from '@rmeet/conference';
import type { BookingBody, Meeting } from '@rmeet/contract';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference } from './support/conference.ts';
import { fresh } from './support/fresh.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  server = await startTestServer();
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());

const body = (more: Partial<BookingBody> = {}): BookingBody => ({
  subject: 'Ward round',
  startTime: server.clock.in(60),
  duration: 60,
  password: '4821',
  e2ee: true,
  ...more,
});
const edit = ({ meetId, version }: Meeting, more: Partial<BookingBody>) =>
  alice.meetings.update({ params: { id: meetId }, body: { ...body(more), version } });

describe('booking with end-to-end encryption', () => {
  test('is possible for network and video meetings, and can be changed before the meeting', async () => {
    const made = await alice.meetings.createNetwork({ body: body() });
    expect(made.e2ee).toBe(true);
    expect((await alice.meetings.createVideo({ body: body() })).e2ee).toBe(true);
    expect((await alice.meetings.createNetwork({ body: body({ e2ee: false }) })).e2ee).toBe(false);
    expect((await edit(made, { e2ee: false })).e2ee).toBe(false);
  });

  test('is refused with what cannot decrypt: telephones, room terminals, local meetings', async () => {
    const phone = [{ kind: 'phone' as const, phone: '+86 10 6512 3456', name: 'Clinic' }];
    const north = server.people.get('alice')?.tenantId ?? '';
    const terminalIds = [await fresh.terminal(server, north)];
    const roomIds = [await fresh.room(server, north)];
    const attempts = [
      () => alice.meetings.createNetwork({ body: body({ participants: phone }) }),
      () => alice.meetings.createVideo({ body: body({ terminalIds }) }),
      () => alice.meetings.createTelephone({ body: body({ participants: phone }) }),
      () => alice.meetings.createLocal({ body: body({ password: '', roomIds }) }),
    ];
    for (const attempt of attempts) expect(await codeOf(attempt())).toBe('E2EE_UNSUPPORTED');
  });

  test('applies to every meeting of a series', async () => {
    const recurrence = { rule: 'FREQ=DAILY;COUNT=3' };
    const made = await alice.meetings.createNetwork({ body: body({ recurrence }) });
    const changed = await alice.meetings.update({
      params: { id: made.meetId },
      body: { ...body({ startTime: made.startTime, e2ee: false }), version: made.version, scope: 'all' },
    });
    const { records } = await alice.meetings.list({ query: { keyword: made.numericId } });
    expect(records.map(({ e2ee }) => e2ee)).toEqual([false, false, false]);
    expect(changed.e2ee).toBe(false);
  });
});

describe('an end-to-end encrypted conference', () => {
  test('is announced before joining, admits people who have the key, and cannot be changed', async () => {
    const room = await openConference(server, alice, {
      e2ee: true,
      startTime: server.clock.in(30),
      participants: invite(server, 'bob'),
    });
    const { numericId } = room.meeting;
    const known = await bob.conferences.preJoin({ query: { numericId } });
    expect(known.meeting?.e2ee).toBe(true);
    const join = (e2ee: boolean) => alice.conferences.join({ body: { numericId, early: true, e2ee } });
    expect(await codeOf(join(false))).toBe('E2EE_KEY_REQUIRED');
    expect(await join(true)).toMatchObject({ state: 'admitted', e2ee: true });
    const now = await alice.meetings.detail({ params: { id: room.meetId } });
    expect(await codeOf(edit(now, { startTime: now.startTime, e2ee: false }))).toBe('MEETING_RUNNING');
    const control = await room.control();
    expect(PLAIN_CAPABILITIES.filter((capability) => hasCapability(control, capability))).toEqual([]);
    await room.close();
  });

  test('does not reveal itself to those without the password', async () => {
    const room = await openConference(server, alice, { e2ee: true });
    const { numericId } = room.meeting;
    const join = (password: string) =>
      codeOf(clientOf(server).conferences.join({ body: { numericId, password, name: 'Carol' } }));
    expect(await join('0000')).toBe('MEETING_PASSWORD_WRONG');
    expect(await join('4821')).toBe('E2EE_KEY_REQUIRED');
    await room.close();
  });

  test('accepts encrypted chat texts only, and other conferences readable ones only', async () => {
    const sealed = `e2ee1:${'A'.repeat(4_000)}`;
    const say = async (e2ee: boolean, text: string) => {
      const room = await openConference(server, alice, { e2ee });
      const { numericId } = room.meeting;
      const { sessionToken } = await alice.conferences.join({ body: { numericId, e2ee } });
      const said = clientOf(server, sessionToken).conferences.chat({
        params: room.params,
        body: { id: newId(), text },
      });
      const code = await codeOf(said);
      await room.close();
      return code;
    };
    expect(await say(true, 'Readable')).toBe('E2EE_KEY_REQUIRED');
    expect(await say(true, sealed)).toBe('OK');
    expect(await say(false, 'Readable')).toBe('OK');
    expect(await say(false, sealed)).toBe('INVALID_INPUT');
    expect(await say(true, `e2ee1:${'A'.repeat(9_000)}`)).toBe('INVALID_INPUT');
  });
});
