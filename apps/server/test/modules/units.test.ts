import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compare, fateOfEmpty } from '../../src/modules/conferences/reconcile.ts';
import { rightsOf, roleOf } from '../../src/modules/conferences/policy.ts';
import type { TerminalRow } from '../../src/modules/conferences/tables.ts';
import { linksOf } from '../../src/modules/meetings/index.ts';
import { meetingCan, relationTo } from '../../src/modules/meetings/policy.ts';
import { isOver, transition } from '../../src/modules/meetings/status.ts';
import { hashPassword, verifyPassword } from '../../src/modules/users/index.ts';
import { openSecretBox } from '../../src/platform/secrets/index.ts';

describe('passwords', () => {
  test('are hashed with argon2id at the cost OWASP asks for, never twice the same', async () => {
    const [one, other] = [await hashPassword('Häppchen'), await hashPassword('Häppchen')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
    expect(await verifyPassword('Häppchen', one)).toBe(true);
    expect(await verifyPassword('happchen', one)).toBe(false);
  });

  test('that are no hash are an error, not a wrong password', async () => {
    await expect(verifyPassword('x', 'plain')).rejects.toThrow('cannot be read');
  });
});

describe('the secret box', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rmeet-secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('opens what it sealed, with the same key and for the same thing only', async () => {
    const sealed = openSecretBox(folder).seal('4821', 'meeting one');
    expect(openSecretBox(folder).open(sealed, 'meeting one')).toBe('4821');
    expect(() => openSecretBox(folder).open(sealed, 'meeting two')).toThrow();
    expect(() => openSecretBox(folder, Buffer.alloc(32).toString('base64')).open(sealed, 'meeting one')).toThrow();
    expect(() => openSecretBox(folder).open(`A${sealed.slice(1)}`, 'meeting one')).toThrow();
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
  });

  test('wants a key of 32 bytes', () => {
    expect(() => openSecretBox(folder, 'c2hvcnQ=')).toThrow('RMEET_SECRET_KEY');
  });
});

describe('a meeting', () => {
  const now = new Date('2026-11-20T09:00:00Z');
  const meeting = { hostId: 'alice', tenantId: 'north', status: 'SCHEDULE' as const, endTime: new Date('2026-11-20T10:00:00Z') };

  test('may be managed by its host and the tenant admin while it waits', () => {
    const relations = (['alice', 'admin', 'bob'] as const).map((userId) => relationTo({ userId, tenantId: 'north', isTenantAdmin: userId === 'admin' }, meeting, userId === 'bob'));
    expect(relations).toEqual(['host', 'admin', 'invited']);
    expect(relationTo({ userId: 'alice', tenantId: 'south', isTenantAdmin: true }, meeting, true)).toBe('none');
    expect(meetingCan('host', meeting, now)).toEqual({ edit: true, cancel: true, start: true, join: true, end: false });
    expect(meetingCan('host', { ...meeting, status: 'ONLINE' }, now)).toEqual({ edit: false, cancel: false, start: false, join: true, end: true });
    expect(meetingCan('invited', meeting, now)).toEqual({ edit: false, cancel: false, start: false, join: true, end: false });
    expect(meetingCan('host', { ...meeting, status: 'OFFLINE' }, now)).toEqual({ edit: false, cancel: false, start: false, join: false, end: false });
  });

  test('is over an hour past its end, unless it runs', () => {
    const late = new Date('2026-11-20T11:00:00Z');
    expect([isOver(meeting, new Date(late.getTime() - 1)), isOver(meeting, late), isOver({ ...meeting, status: 'ONLINE' }, late)]).toEqual([false, true, false]);
  });

  test('never leaves OFFLINE', () => {
    for (const move of ['open', 'cancel', 'lapse', 'close', 'end'] as const) expect(transition(move).from).not.toBe('OFFLINE');
  });

  test('has links that end in watch, and no pwd without a password', () => {
    expect(linksOf('http://h', '482913057', '').config).toEqual({ url: 'http://h/#/join?number=482913057&watch=0', watchUrl: 'http://h/#/join?number=482913057&watch=1' });
  });
});

describe('roles', () => {
  test('come from what somebody is to the meeting, and those who wait have no rights', () => {
    expect((['host', 'admin', 'invited', 'none'] as const).map(roleOf)).toEqual(['host', 'host', 'member', 'guest']);
    expect(Object.values(rightsOf({ role: 'host', state: 'waiting' }))).not.toContain(true);
  });
});

describe('the comparison with the media engine', () => {
  const now = new Date('2026-11-20T09:00:00Z');
  const row = (termId: string, values: Partial<TerminalRow> = {}): TerminalRow => ({
    termId, tenantId: '', conferenceId: '', meetingId: '', accountId: null, tokenHash: '', name: termId, role: 'guest', state: 'admitted', deviceType: 5, origin: '',
    createdAt: now, admittedAt: now, joinedAt: now, leftAt: null, lastSeenAt: now, handRaisedAt: null, ...values,
  });
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

  test('finds strangers, waiting ones among them, and newcomers', () => {
    const findings = compare(new Set(['alice', 'bob', 'Waiting']), [row('alice'), row('bob', { joinedAt: null }), row('Waiting', { state: 'waiting' })], new Map(), now, 0);
    expect(findings).toEqual({ strangers: ['Waiting'], arrived: ['bob'], vanished: [], gaveUp: [], isEmpty: false });
  });

  test('counts from when somebody was first missed, and forgets it when they are back', () => {
    const missing = new Map<string, number>();
    const look = (present: string[], seconds: number) => compare(new Set(present), [row('alice')], missing, later(seconds), 0).vanished;
    expect([look([], 0), look([], 19), look(['alice'], 20), look([], 21), look([], 40), look([], 41)]).toEqual([[], [], [], [], [], ['alice']]);
  });

  test('decides about empty conferences by their end', () => {
    const end = later(3_600);
    expect(fateOfEmpty(now, end, false, later(1_799))).toBe('stay');
    expect(fateOfEmpty(now, end, false, later(1_800))).toBe('close');
    expect(fateOfEmpty(now, end, true, later(1_800))).toBe('stay');
    expect(fateOfEmpty(later(3_590), end, true, later(3_709))).toBe('stay');
    expect(fateOfEmpty(later(3_590), end, true, later(3_710))).toBe('end');
  });
});
