import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONFERENCE_RIGHTS, NO_CONTROL, type ConferenceRight } from '@rmeet/conference';
import { comparePresence, emptyOutcome } from '../../src/modules/conferences/engine/presence-check.ts';
import { mayDo, partsOf, roleOf } from '../../src/modules/conferences/policy.ts';
import type { TerminalRow } from '../../src/modules/conferences/tables.ts';
import { linksOf } from '../../src/modules/meetings/index.ts';
import { mayManage, meetingCan, relationTo } from '../../src/modules/meetings/access/policy.ts';
import { isOver, MEETING_MOVES, transition } from '../../src/modules/meetings/status.ts';
import { hashPassword, verifyPassword } from '../../src/modules/accounts/users/index.ts';
import { openSecretBox } from '../../src/platform/secrets/index.ts';

describe('passwords', () => {
  test('are hashed with argon2id at the cost OWASP recommends, never twice the same', async () => {
    const [one, other] = [await hashPassword('Häppchen'), await hashPassword('Häppchen')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword('Häppchen', one)).toBe(true);
    expect(await verifyPassword('happchen', one)).toBe(false);
  });

  test('with an invalid hash cause an error, not a wrong password', async () => {
    await expect(verifyPassword('x', 'plain')).rejects.toThrow('cannot be read');
  });
});

describe('the secret box', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rmeet-secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('opens what it sealed, only with the same key and for the same purpose', async () => {
    const sealed = openSecretBox(folder).seal('4821', 'meeting one');
    expect(openSecretBox(folder).open(sealed, 'meeting one')).toBe('4821');
    expect(() => openSecretBox(folder).open(sealed, 'meeting two')).toThrow();
    expect(() => openSecretBox(folder, Buffer.alloc(32).toString('base64')).open(sealed, 'meeting one')).toThrow();
    const changed = `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
    expect(() => openSecretBox(folder).open(changed, 'meeting one')).toThrow();
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
  });

  test('requires a key of 32 bytes', () => {
    expect(() => openSecretBox(folder, 'c2hvcnQ=')).toThrow('RMEET_SECRET_KEY');
  });
});

describe('a meeting', () => {
  const now = new Date('2026-11-20T09:00:00Z');
  const meeting = {
    hostId: 'alice',
    tenantId: 'north',
    type: 'NETWORK_MEETING' as const,
    hasConference: true,
    approval: 'none' as const,
    status: 'SCHEDULE' as const,
    startTime: new Date('2026-11-20T09:00:00Z'),
    endTime: new Date('2026-11-20T10:00:00Z'),
  };

  test('may be managed by its host and the tenant admin before it runs', () => {
    const relations = (['alice', 'admin', 'carol', 'bob', 'erin'] as const).map((userId) =>
      relationTo({ userId, tenantId: 'north', isTenantAdmin: userId === 'admin' }, meeting, {
        isGranted: userId === 'carol',
        isInvited: userId !== 'erin',
      }),
    );
    expect(relations).toEqual(['host', 'admin', 'granted', 'invited', 'none']);
    expect(
      relationTo({ userId: 'alice', tenantId: 'south', isTenantAdmin: true }, meeting, {
        isGranted: true,
        isInvited: true,
      }),
    ).toBe('none');
    expect(meetingCan('host', meeting, now)).toEqual({
      edit: true,
      cancel: true,
      start: true,
      join: true,
      end: false,
      guests: true,
      grant: true,
    });
    expect(meetingCan('host', { ...meeting, status: 'ONLINE' }, now)).toEqual({
      edit: false,
      cancel: false,
      start: false,
      join: true,
      end: true,
      guests: true,
      grant: true,
    });
    expect(meetingCan('invited', meeting, now)).toEqual({
      edit: false,
      cancel: false,
      start: false,
      join: true,
      end: false,
      guests: false,
      grant: false,
    });
    expect(meetingCan('host', { ...meeting, status: 'OFFLINE' }, now)).toEqual({
      edit: false,
      cancel: false,
      start: false,
      join: false,
      end: false,
      guests: true,
      grant: false,
    });
  });

  test('that connects or has lost its media counts as running; unapproved and local ones cannot be opened', () => {
    for (const status of ['PENDING', 'ABNORMAL'] as const) {
      expect(meetingCan('host', { ...meeting, status }, now)).toEqual({
        edit: false,
        cancel: false,
        start: false,
        join: true,
        end: true,
        guests: true,
        grant: true,
      });
      expect(isOver({ ...meeting, status }, new Date('2026-11-21T10:00:00Z'))).toBe(false);
    }
    for (const approval of ['waiting', 'refused'] as const)
      expect(meetingCan('host', { ...meeting, approval }, now)).toMatchObject({
        edit: true,
        cancel: true,
        start: false,
        join: false,
      });
    expect(meetingCan('host', { ...meeting, approval: 'approved' }, now)).toMatchObject({ start: true, join: true });
    const local = { ...meeting, type: 'LOCAL_MEETING' as const };
    expect(meetingCan('host', local, now)).toMatchObject({
      edit: true,
      cancel: true,
      start: false,
      join: false,
      end: false,
    });
    expect(meetingCan('host', { ...local, status: 'ONLINE' }, now)).toMatchObject({
      edit: false,
      cancel: false,
      start: false,
      join: false,
      end: false,
    });
  });

  test('is over an hour past its end, unless it runs', () => {
    const late = new Date('2026-11-20T11:00:00Z');
    expect([
      isOver(meeting, new Date(late.getTime() - 1)),
      isOver(meeting, late),
      isOver({ ...meeting, status: 'ONLINE' }, late),
    ]).toEqual([false, true, false]);
  });

  test('never leaves OFFLINE', () => {
    for (const move of MEETING_MOVES) expect(transition(move).from).not.toContain('OFFLINE');
  });

  test('has links with the right parameters, and no pwd without a password', () => {
    expect(linksOf('http://h', '482913057', '').config).toEqual({
      url: 'http://h/#/join?number=482913057&watch=0',
      watchUrl: 'http://h/#/join?number=482913057&watch=1',
    });
  });
});

describe('roles', () => {
  const rightsOf = (may: (right: ConferenceRight) => boolean) =>
    (Object.keys(CONFERENCE_RIGHTS) as ConferenceRight[]).filter(may);

  test('follow from the relation to the meeting; waiting people may only leave or send one message', () => {
    expect((['host', 'admin', 'invited', 'none'] as const).map((relation) => roleOf(relation, true))).toEqual([
      'host',
      'host',
      'member',
      'member',
    ]);
    expect(roleOf('none', false)).toBe('guest');
    expect(
      rightsOf((right) =>
        mayDo(partsOf({ termId: 'T1', role: 'host', state: 'waiting' }, { ...NO_CONTROL, chairId: 'T1' }), right),
      ),
    ).toEqual(['leave', 'messageChair']);
  });

  test('may manage a meeting exactly if they may cancel it', () => {
    for (const relation of ['host', 'admin', 'invited', 'none'] as const)
      expect(mayManage(relation)).toBe(mayDo(partsOf({ relation }, NO_CONTROL), 'cancel'));
    expect(rightsOf((right) => mayDo(partsOf({ relation: 'none' }, NO_CONTROL), right))).toEqual([]);
  });
});

describe('the comparison with the media engine', () => {
  const now = new Date('2026-11-20T09:00:00Z');
  const row = (termId: string, values: Partial<TerminalRow> = {}): TerminalRow => ({
    termId,
    tenantId: '',
    conferenceId: '',
    meetingId: '',
    accountId: null,
    guestTokenId: null,
    tokenHash: '',
    name: termId,
    role: 'guest',
    state: 'admitted',
    deviceType: 5,
    origin: '',
    createdAt: now,
    admittedAt: now,
    firstInsideAt: now,
    joinedAt: now,
    leftAt: null,
    lastSeenAt: now,
    handRaisedAt: null,
    message: null,
    deviceMark: null,
    awaitsHost: false,
    banned: false,
    ...values,
  });
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

  test('finds unauthorised terminals, waiting ones among them, and those that arrived', () => {
    const findings = comparePresence(
      new Set(['alice', 'bob', 'Waiting']),
      [row('alice'), row('bob', { joinedAt: null }), row('Waiting', { state: 'waiting' })],
      new Set(),
      new Map(),
      now,
      0,
    );
    expect(findings).toEqual({
      unauthorized: ['Waiting'],
      arrived: ['bob'],
      vanished: [],
      abandoned: [],
      isEmpty: false,
    });
  });

  test('counts from the first absence of a person, and resets when the person returns', () => {
    const missing = new Map<string, number>();
    const look = (present: string[], seconds: number) =>
      comparePresence(new Set(present), [row('alice')], new Set(), missing, later(seconds), 0).vanished;
    expect([look([], 0), look([], 19), look(['alice'], 20), look([], 21), look([], 40), look([], 41)]).toEqual([
      [],
      [],
      [],
      [],
      [],
      ['alice'],
    ]);
  });

  test('decides about empty conferences by their times', () => {
    const hour = { startTime: now, endTime: later(3_600) };
    expect(emptyOutcome(now, hour, false, later(1_799))).toBe('stay');
    expect(emptyOutcome(now, hour, false, later(1_800))).toBe('close');
    expect(emptyOutcome(now, hour, true, later(1_800))).toBe('stay');
    expect(emptyOutcome(later(3_590), hour, true, later(3_709))).toBe('stay');
    expect(emptyOutcome(later(3_590), hour, true, later(3_710))).toBe('end');
    const soon = { startTime: later(600), endTime: later(4_200) };
    expect([
      emptyOutcome(now, soon, false, later(119)),
      emptyOutcome(now, soon, false, later(120)),
      emptyOutcome(now, soon, true, later(120)),
    ]).toEqual(['stay', 'close', 'stay']);
    const tomorrow = { startTime: later(86_400), endTime: later(90_000) };
    expect([emptyOutcome(now, tomorrow, true, later(119)), emptyOutcome(now, tomorrow, true, later(120))]).toEqual([
      'stay',
      'close',
    ]);
  });
});
