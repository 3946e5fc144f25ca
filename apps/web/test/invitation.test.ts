import { contract, type Meeting } from '@rmeet/contract';
import { describe, expect, test, vi } from 'vitest';
import { MemoryStorage } from './support.ts';

vi.stubGlobal('location', { pathname: '/', origin: 'https://meet.example', hash: '' });
vi.stubGlobal('sessionStorage', new MemoryStorage());
vi.stubGlobal('localStorage', new MemoryStorage());
const { invitationText, mayInvite } = await import('../src/features/meetings/invitation.ts');

describe('an invitation', () => {
  const words = ((key: string) => key) as never;
  const example = contract.meetings.detail.example.data as Meeting;
  const local: Meeting = {
    ...example,
    type: 'LOCAL_MEETING',
    password: '',
    config: { url: '', watchUrl: '' },
    guestUrl: '',
    can: { ...example.can, join: false, start: false, guests: false },
    rooms: [
      { id: 'map', name: 'Map room', building: 'Main', floor: '2', capacity: 8, checkedInAt: null, releasedAt: null },
    ] as never,
  };

  test('lists the ways to join; one to a local meeting lists its rooms only', () => {
    expect(invitationText(example, words)).toMatch(/invitation\.number\ninvitation\.password\ninvitation\.link$/);
    expect(invitationText(local, words)).toMatch(/invitation\.room$/);
  });

  test('to a broadcast of an outside stream is its watch page', () => {
    const watched: Meeting = {
      ...example,
      type: 'LIVE_MEETING',
      password: '',
      config: { url: '', watchUrl: '/#/live/1' },
      guestUrl: '/#/live/1',
      can: { ...example.can, join: false, start: false },
    };
    const link = ((key: string, values?: { link?: string }) => values?.link ?? key) as never;
    expect(invitationText(watched, link).split('\n')).toEqual([
      'invitation.watch.greeting',
      'invitation.watch.subject',
      'invitation.watch.time',
      'https://meet.example/#/live/1',
    ]);
    expect([watched, { ...watched, status: 'OFFLINE' as const }].map(mayInvite)).toEqual([true, false]);
  });

  test('is offered while people may join, and for a local meeting until it is over, unless unapproved', () => {
    expect([example, { ...example, can: { ...example.can, join: false } }, local].map(mayInvite)).toEqual([
      true,
      false,
      true,
    ]);
    expect(
      [
        { ...local, status: 'OFFLINE' as const },
        { ...local, approval: 'waiting' as const },
        { ...local, approval: 'refused' as const },
      ].map(mayInvite),
    ).toEqual([false, false, false]);
  });
});
