import { describe, expect, test } from 'vitest';
import { RoomMigration } from '../../src/call/room-migration.ts';
import { refused, createPorts, FakeSession, admitted } from './fakes.ts';
import { MEET_ID } from './people.ts';

const QUIET = {
  onChange: () => undefined,
  onSpeakers: () => undefined,
  onState: () => undefined,
  onAudioBlocked: () => undefined,
  onRefused: () => undefined,
};

function going(api: Partial<ReturnType<typeof createPorts>['ports']['api']> = {}) {
  const { ports, calls } = createPorts();
  const session = new FakeSession(QUIET);
  const migration = new RoomMigration({ ...ports.api, ...api }, MEET_ID);
  migration.begin(1);
  return { migration, session, calls };
}

describe('the media of a call', () => {
  test('move once to a newer room, with a new token, and report the gap', async () => {
    const { migration, session, calls } = going();
    const moves = await Promise.all([migration.follow(2, session), migration.follow(2, session)]);
    expect(moves).toEqual([{ gap: 120 }, { gap: 120 }]);
    expect(session.movedTo).toEqual(['next']);
    expect(calls).toEqual(['migrate']);
    expect(await migration.follow(2, session)).toBeNull();
  });

  test('stay if the conference has no newer room, or if there is no session to move', async () => {
    const { migration, session, calls } = going();
    expect(await migration.follow(1, session)).toBeNull();
    expect(await migration.follow(2, null)).toBeNull();
    expect(calls).toEqual([]);
  });

  test('report a failure if the server or the engine refuses', async () => {
    const denied = going({ migrate: () => Promise.reject(refused('MEDIA_UNAVAILABLE', 503)) });
    expect(await denied.migration.follow(2, denied.session)).toBe('engineFailed');
    const lost = going({ migrate: () => Promise.resolve({ ...admitted('next'), generation: 2 }) });
    lost.session.moved = null;
    expect(await lost.migration.follow(2, lost.session)).toBe('engineFailed');
  });
});
