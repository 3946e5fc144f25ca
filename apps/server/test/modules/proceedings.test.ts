import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { ballot } from '../../src/modules/conferences/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let alice: Person;
let bob: Person;
let room: TestConference;
/** Alice is the host and in the chair, bob is invited, carol is a guest. */
let host: Inside;
let member: Inside;
let guest: Inside;
let meetId: string;
let params: { meetId: string };
const WITHIN = { timeout: 5_000, interval: 10 };

beforeAll(async () => {
  server = await startTestServer();
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId, params } = room);
  host = await room.join(alice);
  member = await room.join(bob);
  guest = await room.guest('Carol', 'carols');
});
afterEach(async () => {
  await room.close();
  await host.calls.end(room).catch(() => undefined);
});

describe('the floor', () => {
  test('unmutes a terminal, puts it on air, lowers its hand and starts the timer', async () => {
    await host.calls.muteAll({ params: rz, body: { meetId } });
    await guest.calls.hand({ params, body: { raised: true } });
    await host.calls.giveFloor({ params, body: { termId: guest.termId, seconds: 120 } });
    const control = await room.control();
    expect(control).toMatchObject({
      mode: 'SPEAKER',
      speakerId: guest.termId,
      timer: { termId: guest.termId, seconds: 120, left: null },
    });
    expect(control.terminals[guest.termId]?.muted).toBe(false);
    expect(Date.parse(control.timer?.endsAt ?? '') - server.clock.now().getTime()).toBe(120_000);
    expect((await room.watch(member)).state.terminals.map(({ handRaisedAt }) => handRaisedAt)).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('hands are lowered by the chair', async () => {
    for (const { calls } of [member, guest]) await calls.hand({ params, body: { raised: true } });
    await host.calls.lowerHands({ params, body: { termIds: [member.termId, guest.termId] } });
    expect((await room.watch(host)).state.terminals.filter(({ handRaisedAt }) => handRaisedAt !== null)).toEqual([]);
    expect(await codeOf(host.calls.lowerHands({ params, body: { termIds: ['Tnobody'] } }))).toBe('TERMINAL_ABSENT');
  });

  test('has a timer that is started, paused, extended and removed', async () => {
    expect(await codeOf(host.calls.changeTimer({ params, body: { action: 'pause' } }))).toBe('TIMER_OFF');
    await host.calls.startTimer({ params, body: { seconds: 60 } });
    server.clock.advance({ seconds: 20 });
    await host.calls.changeTimer({ params, body: { action: 'pause' } });
    expect((await room.control()).timer).toMatchObject({ termId: null, endsAt: null, left: 40_000 });
    server.clock.advance({ seconds: 100 });
    await host.calls.changeTimer({ params, body: { action: 'add', seconds: 30 } });
    await host.calls.changeTimer({ params, body: { action: 'resume' } });
    expect(Date.parse((await room.control()).timer?.endsAt ?? '') - server.clock.now().getTime()).toBe(70_000);
    await host.calls.stopTimer({ params });
    expect((await room.control()).timer).toBeNull();
    expect(await codeOf(member.calls.startTimer({ params, body: { seconds: 60 } }))).toBe('FORBIDDEN');
  });
});

describe('a roll call', () => {
  test('puts one person after the other on air as they are marked, and keeps the marks', async () => {
    await host.calls.startRollCall({ params, body: {} });
    expect(await room.control()).toMatchObject({
      speakerId: host.termId,
      rollCall: { currentId: host.termId, endedAt: null },
    });
    await host.calls.markRollCall({ params, body: { termId: host.termId, mark: 'present' } });
    expect((await room.control()).speakerId).toBe(member.termId);
    await member.calls.leave(room);
    await host.calls.markRollCall({ params, body: { termId: member.termId, mark: 'absent' } });
    expect((await room.control()).rollCall).toMatchObject({ currentId: guest.termId });
    await host.calls.callUp({ params, body: { termId: host.termId } });
    expect((await room.control()).speakerId).toBe(host.termId);
    await host.calls.endRollCall({ params });
    const control = await room.control();
    expect(control).toMatchObject({
      mode: 'AUTO',
      rollCall: { currentId: null, endedAt: server.clock.now().toISOString() },
    });
    expect(control.rollCall?.entries.map(({ mark }) => mark)).toEqual(['present', 'absent', null]);
    expect(replayed(await room.log())).toEqual(control);
  });

  test('keeps the given order, contains only people who were inside, and is marked only while it runs', async () => {
    expect(await codeOf(host.calls.endRollCall({ params }))).toBe('ROLL_CALL_OFF');
    expect(await codeOf(host.calls.startRollCall({ params, body: { termIds: ['Tnobody'] } }))).toBe('TERMINAL_ABSENT');
    await host.calls.startRollCall({ params, body: { termIds: [guest.termId, member.termId] } });
    expect((await room.control()).rollCall?.entries.map(({ name }) => name)).toEqual(['Carol', 'Bob']);
    expect(await codeOf(host.calls.markRollCall({ params, body: { termId: host.termId, mark: 'present' } }))).toBe(
      'TERMINAL_ABSENT',
    );
    await host.calls.endRollCall({ params });
    expect(await codeOf(host.calls.callUp({ params, body: { termId: guest.termId } }))).toBe('ROLL_CALL_OFF');
  });
});

describe('a vote', () => {
  const ask = async (isSecret = true): Promise<string> => {
    await host.calls.openVote({
      params,
      body: { question: 'Adopt the minutes?', options: ['Yes', 'No', 'Abstain'], isSecret },
    });
    return (await room.control()).vote?.id ?? '';
  };
  const cast = (who: Inside, voteId: string, option: number) =>
    who.calls.castBallot({ params: { meetId, voteId }, body: { option } });

  test('counts the last ballot of each person, and shows the result once it is closed', async () => {
    const voteId = await ask(false);
    await Promise.all([cast(host, voteId, 0), cast(member, voteId, 1), cast(guest, voteId, 2)]);
    await cast(guest, voteId, 1);
    await expect.poll(async () => (await room.control()).vote?.cast, WITHIN).toBe(3);
    expect((await room.control()).vote?.counts).toBeNull();
    await host.calls.closeVote({ params });
    expect((await room.control()).vote).toMatchObject({ counts: [1, 2, 0], cast: 3 });
    expect(
      (await member.calls.ballots({ params: { meetId, voteId } })).toSorted((a, b) => a.name.localeCompare(b.name)),
    ).toEqual([
      { name: 'Alice', option: 0 },
      { name: 'Bob', option: 1 },
      { name: 'Carol', option: 1 },
    ]);
    await host.calls.dismissVote({ params });
    expect((await room.control()).vote).toBeNull();
  });

  test('in secret reveals no choice: not by call, not in the log, not in the audit log', async () => {
    const voteId = await ask();
    await cast(member, voteId, 1);
    await host.calls.closeVote({ params });
    expect(await codeOf(host.calls.ballots({ params: { meetId, voteId } }))).toBe('VOTE_SECRET');
    const stored = await server.db.platform((tx) => tx.find(ballot, eq(ballot.voteId, voteId)));
    expect(stored).toMatchObject([{ name: null, option: 1 }]);
    expect(JSON.stringify(stored)).not.toContain(member.termId);
    expect(
      (await room.log()).filter(({ commander }) => commander.termId === member.termId && commander.kind === 'terminal'),
    ).toEqual([]);
    const audited = await server.db.platform((tx) => tx.find(auditLog, eq(auditLog.action, 'conferences.castBallot')));
    expect(audited).toEqual([]);
  });

  test('of the same person from another terminal counts once', async () => {
    const voteId = await ask();
    await cast(member, voteId, 0);
    await member.calls.leave(room);
    const again = await room.join(bob);
    await cast(again, voteId, 1);
    await host.calls.closeVote({ params });
    expect((await room.control()).vote?.counts).toEqual([0, 1, 0]);
  });

  test('runs alone, with different options, and accepts ballots from people inside while it is open', async () => {
    const voteId = await ask();
    expect(await codeOf(host.calls.openVote({ params, body: { question: 'Another?', options: ['Yes', 'No'] } }))).toBe(
      'VOTE_OPEN',
    );
    expect(await codeOf(host.calls.openVote({ params, body: { question: 'Another?', options: ['Yes', 'Yes'] } }))).toBe(
      'INVALID_INPUT',
    );
    expect(await codeOf(cast(guest, voteId, 3))).toBe('VOTE_OPTION_UNKNOWN');
    expect(await codeOf(cast(guest, newId(), 0))).toBe('VOTE_CLOSED');
    expect(await codeOf(host.calls.ballots({ params: { meetId, voteId } }))).toBe('NOT_FOUND');
    await host.calls.sendBack({ params, body: { termIds: [guest.termId] } });
    expect(await codeOf(cast(guest, voteId, 0))).toBe('FORBIDDEN');
    await host.calls.closeVote({ params });
    expect(await codeOf(cast(member, voteId, 0))).toBe('VOTE_CLOSED');
    expect(await codeOf(host.calls.closeVote({ params }))).toBe('VOTE_CLOSED');
    expect(await codeOf(member.calls.openVote({ params, body: { question: 'Mine?', options: ['Yes', 'No'] } }))).toBe(
      'FORBIDDEN',
    );
  });
});
