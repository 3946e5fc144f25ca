import { contract, type Meeting } from '@rmeet/contract';
import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  changedFields,
  draftOf,
  faultsOf,
  newDraft,
  newPassword,
  rebase,
  type Draft,
} from '../src/features/meetings/booking/draft.ts';
import { newRepeat } from '../src/features/meetings/series/rule.ts';
import { readListState, writeListState } from '../src/features/meetings/list/useMeetingListState.ts';
import { invitationLink } from '../src/lib/invitationLink.ts';

const NOW = new Date('2026-11-20T09:01:00.000Z');
const alice = { kind: 'user', userId: 'alice', name: 'Alice' } as const;
const bob = { kind: 'user', userId: 'bob', name: 'Bob' } as const;
const draft = (part: Partial<Draft> = {}): Draft => ({
  ...newDraft(NOW, 'NETWORK_MEETING'),
  subject: 'Ward round',
  startTime: '2026-11-20T10:00:00.000Z',
  password: '4821',
  ...part,
});

describe('a new meeting', () => {
  test('starts at the next quarter of an hour, for an hour, with six digits', () => {
    expect(newDraft(NOW, 'NETWORK_MEETING')).toMatchObject({
      startTime: '2026-11-20T09:15:00.000Z',
      duration: 60,
      password: expect.stringMatching(/^\d{6}$/),
    });
    expect(newPassword()).toMatch(/^\d{6}$/);
  });

  test('is sent trimmed, people by id', () => {
    const mail = { kind: 'mail', email: 'carol@example.org' } as const;
    expect(bodyOf(draft({ subject: ' Ward round ', participants: [alice, mail] }))).toMatchObject({
      subject: 'Ward round',
      participants: [{ kind: 'user', userId: 'alice' }, mail],
    });
  });
});

describe('a meeting that is edited', () => {
  const terminal = { id: 'screen', name: 'Screen', address: 'screen@rooms.example.org', kind: 'sip' as const };
  const meeting: Meeting = {
    ...(contract.meetings.detail.example.data as Meeting),
    type: 'VIDEO_MEETING',
    template: 'lecture',
    waitingRoom: true,
    joinBeforeHost: false,
    muteOnEntry: true,
    vip: true,
    timeZone: 'Asia/Tokyo',
    terminals: [terminal],
    resource: { id: 'main', name: 'Main' },
    participants: [
      alice,
      { kind: 'mail', email: 'carol@example.org' },
      { kind: 'phone', name: 'Clinic', phone: '+861065123456' },
    ],
  };

  test('is sent back unchanged', () => {
    const {
      subject,
      agenda,
      startTime,
      duration,
      timeZone,
      password,
      template,
      waitingRoom,
      joinBeforeHost,
      muteOnEntry,
      e2ee,
      autoRecord,
      vip,
    } = meeting;
    expect(bodyOf(draftOf(meeting))).toEqual({
      subject,
      agenda,
      startTime,
      duration,
      timeZone,
      password,
      template,
      waitingRoom,
      joinBeforeHost,
      muteOnEntry,
      e2ee,
      autoRecord,
      vip,
      roomIds: [],
      terminalIds: ['screen'],
      resourceId: 'main',
      participants: [
        { kind: 'user', userId: 'alice' },
        { kind: 'mail', email: 'carol@example.org' },
        { kind: 'phone', name: 'Clinic', phone: '+861065123456' },
      ],
    });
  });

  test('of a local type has no fields of a conference', () => {
    const body = bodyOf(draftOf({ ...meeting, type: 'LOCAL_MEETING' }));
    for (const field of ['password', 'waitingRoom', 'template', 'terminalIds', 'resourceId'])
      expect(body).not.toHaveProperty(field);
    expect(body.participants).toHaveLength(2);
  });

  test('lists the changed fields, whatever the order of lists and empty rows', () => {
    const before = draftOf(meeting);
    const other = { ...terminal, id: 'other' };
    expect(
      changedFields(
        { ...before, terminals: [terminal, other] },
        { ...before, terminals: [other, terminal], phones: [...before.phones, { name: '', phone: ' ' }] },
      ),
    ).toEqual([]);
    expect(
      changedFields(before, {
        ...before,
        terminals: [],
        phones: [],
        template: 'standard',
        vip: false,
        files: [{ id: 'a', name: 'a', size: 1 }],
      }),
    ).toEqual(expect.arrayContaining(['terminals', 'phones', 'files', 'template', 'vip']));
  });
});

describe('the errors of a draft', () => {
  test.each<[Partial<Draft>, object]>([
    [{}, {}],
    [{ subject: '  ' }, { subject: { key: 'subject' } }],
    [{ subject: 'x'.repeat(121) }, { subject: { key: 'subjectLong', values: { max: 120 } } }],
    [{ startTime: null }, { startTime: { key: 'date' } }],
    [{ startTime: '2026-11-20T08:00:00.000Z' }, { startTime: { key: 'past' } }],
    [{ duration: null }, { duration: expect.objectContaining({ key: 'duration' }) }],
    [{ duration: 4 }, { duration: expect.objectContaining({ key: 'duration' }) }],
    [{ password: '' }, { password: { key: 'guests' } }],
    [{ password: '', waitingRoom: true }, {}],
    [{ password: '12' }, { password: expect.objectContaining({ key: 'password' }) }],
    [{ password: '48 21' }, { password: expect.objectContaining({ key: 'password' }) }],
    [{ type: 'LOCAL_MEETING', password: '' }, { roomIds: { key: 'roomMissing' } }],
    [{ type: 'LOCAL_MEETING', password: '', roomIds: ['library'] }, {}],
    [{ type: 'PHONE_MEETING' }, { phones: { key: 'phoneMissing' } }],
    [{ phones: [{ name: 'Clinic', phone: '' }] }, { phones: { key: 'phone' } }],
    [
      {
        phones: [
          { name: 'Clinic', phone: '010 65' },
          { name: '', phone: '010-65' },
        ],
      },
      { phones: { key: 'phoneTwice' } },
    ],
    [{ phones: [{ name: '', phone: ' ' }] }, {}],
    [{ e2ee: true, phones: [{ name: '', phone: '010 6512' }] }, { e2ee: { key: 'e2ee' } }],
    [{ e2ee: true, phones: [{ name: '', phone: ' ' }] }, {}],
    [{ e2ee: true, type: 'PHONE_MEETING', phones: [{ name: '', phone: '010 6512' }] }, {}],
    [{ repeat: { ...newRepeat('daily'), count: 0 } }, { repeat: expect.objectContaining({ key: 'repeat' }) }],
    [{ repeat: { ...newRepeat('daily'), count: 401 } }, { repeat: expect.objectContaining({ key: 'repeat' }) }],
    [{ repeat: { ...newRepeat('daily'), end: 'until', until: '2026-11-19' } }, { repeat: { key: 'until' } }],
    [{ agenda: 'x'.repeat(4_001) }, { agenda: expect.objectContaining({ key: 'agenda' }) }],
  ])('%o', (part, faults) => {
    expect(faultsOf(draft(part), NOW)).toEqual(faults);
  });

  test('allow an unchanged start in the past', () => {
    const startTime = '2026-11-20T08:00:00.000Z';
    expect(faultsOf(draft({ startTime }), NOW, startTime)).toEqual({});
  });
});

test('after another edit, typed fields stay and the rest is the newest', () => {
  const base = draft({ participants: [alice] });
  const mine = draft({ subject: 'My words', participants: [alice] });
  const newest = draft({ subject: 'Their words', duration: 30, participants: [bob, alice] });
  expect(rebase(base, mine, newest)).toEqual({
    draft: { ...newest, subject: 'My words' },
    theirs: ['subject', 'duration', 'participants'],
  });
});

describe("the list's state in the address", () => {
  const after = (search: string, change: Parameters<typeof writeListState>[1]) =>
    writeListState(new URLSearchParams(search), change).toString();

  test('is read with defaults for what is missing or wrong', () => {
    expect(readListState(new URLSearchParams())).toEqual({
      scope: 'today',
      type: '',
      keyword: '',
      current: 1,
      size: 20,
      sort: 'startTime',
      order: 'ASC',
    });
    expect(readListState(new URLSearchParams('scope=past&q=x&page=3&size=50&sort=subject'))).toEqual({
      scope: 'past',
      type: '',
      keyword: 'x',
      current: 3,
      size: 50,
      sort: 'subject',
      order: 'DESC',
    });
    expect(readListState(new URLSearchParams('scope=?&page=-1&size=7&sort=no&order=no'))).toEqual(
      readListState(new URLSearchParams()),
    );
  });

  test('keeps only what differs from the defaults, and returns to the first page on all but paging', () => {
    expect(after('', { current: 2 })).toBe('page=2');
    expect(after('page=2', { keyword: 'x' })).toBe('q=x');
    expect(after('page=2&sort=subject&order=DESC', { scope: 'past' })).toBe('scope=past');
    expect(after('scope=past', { scope: 'today' })).toBe('');
    expect(after('open=m', { current: 2 })).toBe('open=m&page=2');
  });
});

test('an invitation ends in 0 unless it is to watch; a live meeting is joined by the guest link', () => {
  const links: Pick<Meeting, 'config' | 'guestUrl'> = {
    config: { url: 'https://m.example/#/join?number=1&watch=7', watchUrl: 'https://m.example/#/join?number=1&watch=1' },
    guestUrl: 'https://m.example/#/join?number=1',
  };
  expect(invitationLink(links)).toBe('https://m.example/#/join?number=1&watch=0');
  expect(invitationLink(links, { watch: true })).toBe(links.config.watchUrl);
  expect(invitationLink({ ...links, type: 'LIVE_MEETING' })).toBe(links.guestUrl);
});

test.each([
  ['https://m.example/#/join', 'https://m.example/#/join'],
  ['https://m.example/#/join?watch=', 'https://m.example/#/join?watch=0'],
])('an invitation to %s carries %s', (url, expected) => {
  expect(invitationLink({ config: { url, watchUrl: '' }, guestUrl: '' })).toBe(expected);
});
