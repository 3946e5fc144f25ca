import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyCommand, NO_CONTROL } from '@rmeet/conference';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { newId } from '../../src/platform/db/index.ts';
import { CallFailed, clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference, replayed, rz, stepOf, type Inside, type TestConference } from './support/conference.ts';
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

beforeAll(async () => {
  server = await startTestServer();
  [alice, bob] = await Promise.all([signIn(server, 'alice'), signIn(server, 'bob')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  room = await openConference(server, alice, { participants: invite(server, 'bob') });
  ({ meetId } = room);
  host = await room.join(alice);
  member = await room.join(bob);
  guest = await room.guest('Carol');
});
afterEach(() => room.close());

const entryOf = async ({ termId }: Inside) => (await room.control()).terminals[termId];
const newest = async () => (await room.log()).at(-1);

describe('each command', () => {
  test('is stored with its author, its changes and the affected terminals, and is sent to all', async () => {
    const { socket } = await room.watch(member);
    const answer = await host.calls.termMute({ params: rz, body: { meetId, termId: member.termId, mute: true } });
    expect(answer).toMatchObject({ version: 4, affected: [member.termId] });
    expect(await newest()).toMatchObject({
      id: answer.commandId,
      version: 4,
      verb: 'mute',
      command: { verb: 'mute', termIds: [member.termId], muted: true },
      commander: { kind: 'terminal', name: 'Alice', termId: host.termId },
      changes: [{ termId: member.termId, field: 'muted', before: false, after: true }],
      affected: [member.termId],
      undoes: null,
    });
    expect(await stepOf(socket, 'mute')).toMatchObject({
      commandId: answer.commandId,
      version: 4,
      by: { name: 'Alice' },
      affected: [member.termId],
    });
    expect((await entryOf(member))?.muted).toBe(true);
  });

  test('leaves a row in the audit log, and the log reproduces the state', async () => {
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: '1' } });
    await alice.conferences.muteAll({ params: rz, body: { meetId } });
    const rows = (await server.db.platform((tx) => tx.find(auditLog)))
      .filter((row) => row.targetKind === 'conference' && row.targetName === 'Ward round')
      .slice(-2);
    expect(rows).toMatchObject([
      {
        action: 'conferences.setConfLock',
        actorKind: 'terminal',
        actorId: host.termId,
        after: { verb: 'lock', locked: true },
      },
      { action: 'conferences.muteAll', actorKind: 'user', actorName: 'Alice', after: { verb: 'muteAll', muted: true } },
    ]);
    const log = await room.log();
    const control = await room.control();
    expect(log.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    expect(replayed(log)).toEqual(control);
    expect(log.reduce((state, { command }) => applyCommand(state, command), NO_CONTROL)).toEqual(control);
  });

  test('is refused for an unknown engine, and after the end of the conference', async () => {
    expect(await codeOf(host.calls.muteAll({ params: { res: 'mcu' }, body: { meetId } }))).toBe('ENGINE_UNKNOWN');
    await host.calls.end(room);
    expect(await codeOf(alice.conferences.muteAll({ params: rz, body: { meetId } }))).toBe('CONFERENCE_OVER');
    expect(await newest()).toMatchObject({ verb: 'end', commander: { name: 'Alice' } });
  });

  test('is refused for absent terminals, with their names', async () => {
    await member.calls.leave(room);
    const refusal = await host.calls
      .termMute({ params: rz, body: { meetId, termId: member.termId, mute: true } })
      .catch((error: unknown) => error);
    expect((refusal as CallFailed).answer).toMatchObject({
      statusCode: 'TERMINAL_ABSENT',
      message: expect.stringContaining('Bob') as unknown,
    });
    for (const termId of ['Tnobody', member.termId]) {
      expect(await codeOf(host.calls.setConfSpeaker({ params: rz, query: { meetId, termId } }))).toBe(
        'TERMINAL_ABSENT',
      );
      expect(await codeOf(host.calls.delTerm({ params: { ...rz, id: meetId }, query: { termId } }))).toBe(
        'TERMINAL_ABSENT',
      );
    }
    const some = await host.calls.termMute({
      params: rz,
      body: { meetId, termIds: [member.termId, guest.termId, 'Tnobody'], mute: true },
    });
    expect(some.affected).toEqual([guest.termId]);
  });
});

describe('sound', () => {
  test('is muted for all but the chair and the exceptions; strictly, joiners are muted and cannot unmute', async () => {
    const answer = await host.calls.muteAll({
      params: rz,
      body: { meetId, except: [guest.termId], allowSelfUnmute: false },
    });
    expect(answer.affected).toEqual([member.termId]);
    const erin = await room.guest('Erin');
    expect(await Promise.all([host, member, guest, erin].map(async (one) => (await entryOf(one))?.muted))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(await codeOf(member.calls.selfUnmute(room))).toBe('SELF_UNMUTE_FORBIDDEN');

    await host.calls.askUnmute({ params: room.params, body: { termIds: [member.termId] } });
    expect(await host.calls.muteStatus({ params: rz, query: { meetId } })).toContainEqual({
      termId: member.termId,
      mute: true,
      unmuteAsked: true,
    });
    await member.calls.selfUnmute(room);
    expect(await entryOf(member)).toMatchObject({ muted: false, unmuteAsked: false });
    expect(await newest()).toMatchObject({
      verb: 'selfUnmute',
      commander: { kind: 'terminal', termId: member.termId },
    });

    await alice.conferences.unMuteAll({ params: rz, body: { meetId } });
    expect(await room.control()).toMatchObject({ muteOnEntry: false });
    expect((await entryOf(erin))?.muted).toBe(false);
  });

  test('is unmuted by the terminal if the chair allows it, and always by a person who may control', async () => {
    await host.calls.termMute({ params: rz, body: { meetId, termIds: [member.termId, host.termId], mute: '1' } });
    await member.calls.selfUnmute(room);
    expect((await entryOf(member))?.muted).toBe(false);
    await host.calls.entry({ params: room.params, body: { allowSelfUnmute: false } });
    await host.calls.selfUnmute(room);
    expect((await entryOf(host))?.muted).toBe(false);
    const { length } = await room.log();
    await host.calls.selfUnmute(room);
    expect((await room.log()).length).toBe(length);
  });

  test('stays muted after leaving and rejoining, recognised by account or by browser', async () => {
    const marked = await room.guest('Dave', 'browser of Dave');
    await host.calls.termMute({ params: rz, body: { meetId, termIds: [member.termId, marked.termId], mute: true } });
    await host.calls.coChairs({ params: room.params, body: { termIds: [member.termId], appoint: true } });
    await Promise.all([member.calls.leave(room), marked.calls.leave(room)]);
    const [again, other] = [await room.join(bob), await room.guest('Somebody', 'another browser')];
    expect((await entryOf(again))?.muted).toBe(true);
    expect((await entryOf(await room.guest('David', 'browser of Dave')))?.muted).toBe(true);
    expect((await entryOf(other))?.muted).toBe(false);
    expect((await room.control()).coChairIds).toEqual([again.termId]);
    expect(replayed(await room.log())).toEqual(await room.control());
  });

  test('is muted from the first moment: the media token excludes it', async () => {
    await host.calls.entry({ params: room.params, body: { muteOnEntry: true } });
    await room.guest('Erin');
    expect(server.media.tokens.at(-1)).toMatchObject({
      canPublish: true,
      canPublishSources: ['camera', 'screenShare'],
    });
  });

  test('has a volume, which all other terminals use', async () => {
    const { affected } = await host.calls.setVolumeTerminal({
      params: rz,
      body: { conferId: meetId, termId: member.termId, volume: 30 },
    });
    expect(new Set(affected)).toEqual(new Set([host.termId, guest.termId]));
    expect((await entryOf(member))?.volume).toBe(30);
  });
});

describe('pictures', () => {
  test('of a terminal are off, limited, and on again', async () => {
    await host.calls.screenVideo({ params: rz, body: { meetId, termId: member.termId, open: false } });
    await host.calls.limitVideo({
      params: rz,
      body: { meetId, termIds: [member.termId, guest.termId], maxHeight: 360 },
    });
    expect(await entryOf(member)).toMatchObject({ cameraOff: true, maxHeight: 360 });
    await host.calls.screenVideo({ params: rz, body: { meetId, termIds: [member.termId], open: 1 } });
    await host.calls.limitVideo({ params: rz, body: { meetId, termIds: [member.termId], maxHeight: null } });
    expect(await entryOf(member)).toMatchObject({ cameraOff: false, maxHeight: null });
  });

  test('cannot be commanded of a telephone alone, which is reported; among others it is skipped', async () => {
    const phone = await room.guest('Telephone', undefined, 0);
    const refusal = await host.calls
      .screenVideo({ params: rz, body: { meetId, termId: phone.termId, open: true } })
      .catch((error: unknown) => error);
    expect((refusal as CallFailed).answer).toMatchObject({
      statusCode: 'VERB_IMPOSSIBLE',
      message: 'This cannot be done: this kind of terminal has no such device.',
    });
    expect(
      (
        await host.calls.screenVideo({
          params: rz,
          body: { meetId, termIds: [phone.termId, guest.termId], open: false },
        })
      ).affected,
    ).toEqual([guest.termId]);
  });

  test('show the terminal on air to all until it leaves', async () => {
    const all = [host.termId, member.termId, guest.termId];
    expect(
      (await host.calls.setConfSpeaker({ params: rz, query: { meetId, termId: guest.termId } })).affected.toSorted(),
    ).toEqual(all.toSorted());
    expect(await room.control()).toMatchObject({ mode: 'SPEAKER', speakerId: guest.termId });
    await guest.calls.leave(room);
    expect(await room.control()).toMatchObject({ mode: 'AUTO', speakerId: null });
    expect((await newest())?.affected.toSorted()).toEqual([host.termId, member.termId].toSorted());

    await host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'SPEAKER', termId: member.termId } });
    await host.calls.setConfSpeaker({ params: rz, query: { meetId } });
    expect(await room.control()).toMatchObject({ mode: 'AUTO', speakerId: null });
    await host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'EQUAL' } });
    expect((await room.control()).mode).toBe('EQUAL');
  });

  test('need a terminal for SPEAKER and LECTURE, and a terminal with video for POLLING', async () => {
    expect(await codeOf(host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'LECTURE' } }))).toBe(
      'INVALID_INPUT',
    );
    expect(await codeOf(host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'POLLING' } }))).toBe(
      'POLLING_NOBODY',
    );
    expect(await codeOf(host.calls.setConfMode({ params: rz, query: { meetId, videoSet: 'SPEAKER' } }))).toBe(
      'INVALID_INPUT',
    );
  });
});

describe('the list', () => {
  test('keeps its order, and all terminals see the names', async () => {
    await host.calls.termTop({ query: { meetId, termId: guest.termId, flag: '1' } });
    await host.calls.termSort({ query: { meetId }, body: { termIds: [member.termId, host.termId] } });
    await host.calls.updateTermialName({ params: rz, query: { meetId, termId: member.termId, termName: 'Room 301' } });
    expect(await room.control()).toMatchObject({
      order: [member.termId, host.termId],
      terminals: { [guest.termId]: { top: true }, [member.termId]: { name: 'Room 301' } },
    });
    const { state } = await room.watch(member);
    expect([state.me.name, state.terminals.map(({ name }) => name).toSorted()]).toEqual([
      'Room 301',
      ['Alice', 'Carol', 'Room 301'],
    ]);
  });
});

describe('the chair', () => {
  test('is handed over, and both get a new snapshot with what they may do', async () => {
    const { socket, state } = await room.watch(member);
    expect([state.control.chairId, state.me.can.control]).toEqual([host.termId, false]);
    await host.calls.setConfChairman({ params: rz, query: { meetId, termId: member.termId } });
    const mine = await socket.message(
      (message) => 'snapshot' in message && 'me' in message.snapshot && message.snapshot.me.can.control,
    );
    expect(mine).toMatchObject({
      snapshot: {
        control: { chairId: member.termId },
        me: { can: { control: true, lock: true, handOverChair: true, end: true, admit: true } },
      },
    });
    expect(await codeOf(member.calls.setConfLock({ params: rz, query: { meetId, conflock: 1 } }))).toBe('OK');
    await host.calls.setConfChairman({ params: rz, query: { meetId } });
    expect((await room.control()).chairId).toBeNull();
    expect(await codeOf(member.calls.setConfLock({ params: rz, query: { meetId, conflock: 0 } }))).toBe('FORBIDDEN');
  });

  test('appoints co-chairs, who get a new snapshot of their rights, and again when they are dismissed', async () => {
    const { socket } = await room.watch(member);
    for (const appoint of [true, false]) {
      const seen = new Set(socket.messages);
      await host.calls.coChairs({ params: room.params, body: { termIds: [member.termId], appoint } });
      const told = await socket.message((message) => 'snapshot' in message && !seen.has(message));
      expect(told).toMatchObject({
        snapshot: {
          control: { coChairIds: appoint ? [member.termId] : [] },
          me: { can: { control: appoint, handOverChair: false } },
        },
      });
    }
  });

  test('passes to a co-chair when it leaves', async () => {
    await host.calls.coChairs({ params: room.params, body: { termIds: [guest.termId, member.termId], appoint: true } });
    await host.calls.coChairs({ params: room.params, body: { termIds: [guest.termId], appoint: false } });
    await host.calls.leave(room);
    expect(await room.control()).toMatchObject({ chairId: member.termId, coChairIds: [] });
    expect(await codeOf(member.calls.setConfChairman({ params: rz, query: { meetId, termId: guest.termId } }))).toBe(
      'OK',
    );
  });
});

describe('undo', () => {
  const mute = () =>
    host.calls.termMute({ params: rz, body: { meetId, termIds: [member.termId, guest.termId], mute: true } });

  test('reverts a command once, if nothing has changed since', async () => {
    const { commandId } = await mute();
    await member.calls.selfUnmute(room);
    await host.calls.undo({ params: room.params, body: { commandId } });
    expect((await entryOf(guest))?.muted).toBe(false);
    expect(await codeOf(host.calls.undo({ params: room.params, body: { commandId } }))).toBe('UNDO_IMPOSSIBLE');
    const log = await alice.conferences.events({ params: room.params, query: {} });
    expect(log.find((row) => row.commandId === commandId)).toMatchObject({
      verb: 'mute',
      undoneBy: log.at(-1)?.commandId,
      canUndo: false,
    });
    expect(log.at(-1)).toMatchObject({ verb: 'undo', input: { commandId }, canUndo: false });
  });

  test('is refused if the command is unknown, changed nothing, cannot be undone or is not theirs to undo', async () => {
    const removed = await host.calls.delTerm({ params: { ...rz, id: meetId }, query: { termId: guest.termId } });
    const same = await host.calls.setConfLock({ params: rz, query: { meetId, conflock: 0 } });
    for (const commandId of [removed.commandId, same.commandId, newId()]) {
      expect(await codeOf(host.calls.undo({ params: room.params, body: { commandId } }))).toBe('UNDO_IMPOSSIBLE');
    }
    await host.calls.coChairs({ params: room.params, body: { termIds: [member.termId], appoint: true } });
    const locked = await host.calls.setConfLock({ params: rz, query: { meetId, conflock: 1 } });
    expect(await codeOf(member.calls.undo({ params: room.params, body: { commandId: locked.commandId } }))).toBe(
      'FORBIDDEN',
    );
    const other = await openConference(server, bob);
    const theirs = await other.join(bob);
    expect(await codeOf(theirs.calls.undo({ params: other.params, body: { commandId: locked.commandId } }))).toBe(
      'UNDO_IMPOSSIBLE',
    );
  });

  test('is refused if all that the command changed has changed since', async () => {
    const { commandId } = await mute();
    await host.calls.unMuteAll({ params: rz, body: { meetId } });
    expect(await codeOf(host.calls.undo({ params: room.params, body: { commandId } }))).toBe('UNDO_IMPOSSIBLE');
  });

  test('does not put a terminal that has left back on air', async () => {
    await host.calls.setConfSpeaker({ params: rz, query: { meetId, termId: guest.termId } });
    const { commandId } = await host.calls.setConfSpeaker({ params: rz, query: { meetId, termId: member.termId } });
    await guest.calls.leave(room);
    await host.calls.undo({ params: room.params, body: { commandId } });
    expect(await room.control()).toMatchObject({ mode: 'AUTO', speakerId: null });
  });
});

describe('the log', () => {
  test('is readable by the host and by desks, after a given version', async () => {
    await host.calls.setConfLock({ params: rz, query: { meetId, conflock: 1 } });
    const [desk, viewer] = [await room.desk('chair', alice), await room.desk('viewer', alice)];
    for (const who of [alice, desk, viewer]) {
      const log = await who.conferences.events({ params: room.params, query: { after: '2' } });
      expect(log.map(({ version, verb }) => [version, verb])).toEqual([
        [3, 'arrive'],
        [4, 'lock'],
      ]);
      expect(log[1]).toMatchObject({
        by: { kind: 'terminal', name: 'Alice' },
        input: { locked: true },
        canUndo: true,
        undoneBy: null,
      });
    }
    expect(
      await codeOf(
        clientOf(server, (await signIn(server, 'erin')).token).conferences.events({ params: room.params, query: {} }),
      ),
    ).toBe('NOT_FOUND');
  });
});
