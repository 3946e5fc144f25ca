import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import type { FixedNumber } from '@rmeet/contract';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { fixedNumber, meeting, meetingNumber } from '../../src/modules/meetings/tables.ts';
import { tenant } from '../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../src/modules/accounts/users/tables.ts';
import { allOf } from '../../src/platform/db/conditions.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { withoutIds } from './support/ids.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let mine: FixedNumber;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
  mine = await alice.fixedNumber.read();
  if (mine.meeting) await alice.conferences.end({ params: { meetId: mine.meeting.meetId } });
});

const SETTINGS = { password: '4821', waitingRoom: false, joinBeforeHost: true, muteOnEntry: true };
const guest = (password?: string, numericId = mine.numericId) =>
  clientOf(server).conferences.join({
    body: { numericId, name: 'Guest', ...(password === undefined ? {} : { password }) },
  });
const row = () =>
  server.db.platform((tx) => tx.findOne(fixedNumber, eq(fixedNumber.accountId, server.people.get('alice')?.id ?? '')));

describe('a fixed number', () => {
  test('is assigned at the first call, once, however many calls there are', async () => {
    const numbers = (await Promise.all([1, 2, 3, 4].map(() => bob.fixedNumber.read()))).map(
      ({ numericId }) => numericId,
    );
    expect(new Set(numbers).size).toBe(1);
    expect(numbers[0]).toMatch(/^[1-9]\d{8}$/);
    expect(mine).toMatchObject({
      waitingRoom: false,
      joinBeforeHost: false,
      muteOnEntry: false,
      meeting: null,
      guestUrl: `${server.origin}/#/join?number=${mine.numericId}&pwd=${mine.password}`,
    });
    expect(mine.password).toMatch(/^\d{6}$/);
    expect(await alice.fixedNumber.read()).toEqual(mine);
    expect(numbers[0]).not.toBe(mine.numericId);
  });

  test('keeps its settings, stores the password sealed, and requires a waiting room without one', async () => {
    expect(await alice.fixedNumber.update({ body: SETTINGS })).toMatchObject({
      ...SETTINGS,
      numericId: mine.numericId,
    });
    expect(await alice.fixedNumber.read()).toMatchObject(SETTINGS);
    expect(withoutIds(await row())).not.toContain('4821');
    expect(await codeOf(alice.fixedNumber.update({ body: { ...SETTINGS, password: '' } }))).toBe(
      'PASSWORD_OR_WAITING_ROOM',
    );
    expect(await alice.fixedNumber.update({ body: { ...SETTINGS, password: '', waitingRoom: true } })).toMatchObject({
      password: '',
      waitingRoom: true,
    });
    await alice.fixedNumber.update({ body: SETTINGS });
    const rows = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'fixedNumber.update')));
    expect(rows.length).toBeGreaterThan(2);
    expect(withoutIds(rows)).not.toContain('4821');
  });

  test('needs the permission', async () => {
    const tenantId = server.people.get('alice')?.tenantId ?? '';
    const deny = (deniedFeatures: string[]) =>
      server.db.platform((tx) => tx.update(tenant, { deniedFeatures }, eq(tenant.tenantId, tenantId)));
    await deny(['sys:pmicode']);
    const calls = (await signIn(server, 'alice')).fixedNumber;
    expect(
      await Promise.all([calls.read(), calls.update({ body: SETTINGS }), calls.renew(), calls.start()].map(codeOf)),
    ).toEqual(Array.from({ length: 4 }, () => 'FORBIDDEN'));
    await deny([]);
  });
});

describe('a meeting on it', () => {
  test('starts now, with the settings of the number, one at a time', async () => {
    await alice.fixedNumber.update({ body: SETTINGS });
    const started = await alice.fixedNumber.start();
    expect(started).toMatchObject({
      numericId: mine.numericId,
      type: 'NETWORK_MEETING',
      status: 'ONLINE',
      duration: 60,
      ...SETTINGS,
      host: { name: 'Alice' },
      can: { end: true },
    });
    expect((await alice.fixedNumber.start()).meetId).toBe(started.meetId);
    expect((await alice.fixedNumber.read()).meeting?.meetId).toBe(started.meetId);
    const at = await Promise.all([alice.fixedNumber.start(), alice.fixedNumber.start()]);
    expect(at.map(({ meetId }) => meetId)).toEqual([started.meetId, started.meetId]);
    expect((await guest('4821')).state).toBe('admitted');
    expect(await codeOf(guest('0000'))).toBe('MEETING_PASSWORD_WRONG');
    await alice.conferences.end({ params: { meetId: started.meetId } });
    const next = await alice.fixedNumber.start();
    expect(next.meetId).not.toBe(started.meetId);
    expect(next.numericId).toBe(started.numericId);
  });

  test('is opened once by two simultaneous starts', async () => {
    const [one, two] = await Promise.all([alice.fixedNumber.start(), alice.fixedNumber.start()]);
    expect(one.meetId).toBe(two.meetId);
  });

  test('is opened again if it was left empty before its end', async () => {
    const { meetId } = await alice.fixedNumber.start();
    await server.tick();
    server.clock.advance({ minutes: 31 });
    await server.tick();
    [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
    expect((await alice.fixedNumber.read()).meeting).toMatchObject({ meetId, status: 'SCHEDULE' });
    expect(await alice.fixedNumber.start()).toMatchObject({ meetId, status: 'ONLINE' });
  });

  test('is refused while the media engine is away, and starts later', async () => {
    server.media.isUp = false;
    expect(await codeOf(alice.fixedNumber.start())).toBe('MEDIA_UNAVAILABLE');
    server.media.restart();
    expect(await alice.fixedNumber.start()).toMatchObject({ status: 'ONLINE' });
  });

  test('requires approval if the tenant wants that', async () => {
    server.media.isUp = false;
    await codeOf(alice.fixedNumber.start());
    server.media.restart();
    await server.db.platform((tx) =>
      tx.update(
        meeting,
        { approval: 'waiting' },
        allOf(eq(meeting.number, mine.numericId), eq(meeting.status, 'SCHEDULE')),
      ),
    );
    expect(await codeOf(alice.fixedNumber.start())).toBe('MEETING_NOT_APPROVED');
    await server.db.platform((tx) =>
      tx.update(
        meeting,
        { approval: 'approved' },
        allOf(eq(meeting.number, mine.numericId), eq(meeting.status, 'SCHEDULE')),
      ),
    );
    expect(await alice.fixedNumber.start()).toMatchObject({ status: 'ONLINE', approval: 'approved' });
  });

  test('is no longer than the organisation allows', async () => {
    const tenantId = server.people.get('alice')?.tenantId ?? '';
    await server.db.platform((tx) => tx.update(tenant, { maxMeetingMinutes: 20 }, eq(tenant.tenantId, tenantId)));
    expect(await alice.fixedNumber.start()).toMatchObject({ duration: 20 });
    await server.db.platform((tx) => tx.update(tenant, { maxMeetingMinutes: null }, eq(tenant.tenantId, tenantId)));
  });
});

describe('a person who joins by a fixed number without a meeting', () => {
  test('learns this after the right password; unassigned numbers stay unknown', async () => {
    await alice.fixedNumber.update({ body: SETTINGS });
    expect(await codeOf(guest())).toBe('MEETING_PASSWORD_REQUIRED');
    expect(await codeOf(guest('0000'))).toBe('MEETING_PASSWORD_WRONG');
    expect(await codeOf(guest('4821'))).toBe('FIXED_NUMBER_NOT_STARTED');
    expect(await codeOf(bob.conferences.join({ body: { numericId: mine.numericId } }))).toBe(
      'MEETING_PASSWORD_REQUIRED',
    );
    expect(await codeOf(alice.conferences.join({ body: { numericId: mine.numericId } }))).toBe(
      'FIXED_NUMBER_NOT_STARTED',
    );
    expect(await codeOf(guest('4821', '999999990'))).toBe('MEETING_NUMBER_UNKNOWN');
  });

  test('gets the same answer after earlier meetings are over', async () => {
    await alice.fixedNumber.update({ body: SETTINGS });
    const { meetId } = await alice.fixedNumber.start();
    await alice.conferences.end({ params: { meetId } });
    expect(await codeOf(guest('4821'))).toBe('FIXED_NUMBER_NOT_STARTED');
  });

  test('learns nothing of an owner who cannot sign in', async () => {
    const id = server.people.get('chair')?.id ?? '';
    const chair = await signIn(server, 'chair');
    const { numericId, password } = await chair.fixedNumber.read();
    await server.db.platform((tx) => tx.update(account, { enabled: false }, eq(account.id, id)));
    expect(await codeOf(guest(password, numericId))).toBe('MEETING_NUMBER_UNKNOWN');
    await server.db.platform((tx) => tx.update(account, { enabled: true }, eq(account.id, id)));
  });
});

describe('a new number', () => {
  test('replaces the first one, which is unassigned from then on', async () => {
    const renewed = await alice.fixedNumber.renew();
    expect(renewed.numericId).not.toBe(mine.numericId);
    expect(renewed.password).toBe(mine.password);
    expect(await codeOf(guest(mine.password))).toMatch(/MEETING_NUMBER_UNKNOWN|MEETING_ENDED/);
    expect(await codeOf(guest(mine.password, renewed.numericId))).toBe('FIXED_NUMBER_NOT_STARTED');
    expect(
      await server.db.platform((tx) => tx.findOne(meetingNumber, eq(meetingNumber.number, mine.numericId))),
    ).toMatchObject({ kind: 'meeting', accountId: null });
    expect(await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'fixedNumber.renew')))).toMatchObject(
      [{ before: { number: mine.numericId }, after: { number: renewed.numericId } }],
    );
  });

  test('is refused while a meeting runs on the first one', async () => {
    await alice.fixedNumber.start();
    expect(await codeOf(alice.fixedNumber.renew())).toBe('MEETING_RUNNING');
  });
});
