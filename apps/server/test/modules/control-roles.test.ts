import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conferenceRight, VERB_RIGHTS, type ConferencePart, type ConferenceVerb } from '@rmeet/conference';
import { newId } from '../../src/platform/db/index.ts';
import { clientOf, codeOf, signIn, type Person } from './support/client.ts';
import { openConference, rz, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let server: TestServer;
let room: TestConference;
let meetId: string;
/** Every kind of caller around a conference: their calls, and their parts; empty for unrelated callers. */
let cast: Record<string, { calls: Person['conferences']; parts: ConferencePart[] }>;
/** A guest who is the target of commands. */
let target: Inside;

beforeAll(async () => {
  server = await startTestServer();
  const [alice, bob, admin, carol, erin] = (await Promise.all(
    ['alice', 'bob', 'admin', 'carol', 'erin'].map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person, Person];
  room = await openConference(server, alice, { participants: invite(server, 'bob', 'chair') });
  ({ meetId } = room);
  const host = await room.join(alice);
  const member = await room.join(bob);
  const chair = await room.join(await signIn(server, 'chair'));
  const [coChair, speaker, guest] = [
    await room.guest('Co-chair'),
    await room.guest('Speaker'),
    await room.guest('Guest'),
  ];
  target = await room.guest('Target');
  await host.calls.setConfChairman({ params: rz, query: { meetId, termId: chair.termId } });
  await host.calls.coChairs({ params: room.params, body: { termIds: [coChair.termId], appoint: true } });
  await host.calls.entry({ params: room.params, body: { waitingRoom: true } });
  const waiting = await room.guest('Waiting');
  const [desk, viewer] = [await room.desk('chair', alice), await room.desk('viewer', alice)];
  cast = {
    host: { calls: host.calls, parts: ['host'] },
    chair: { calls: chair.calls, parts: ['member', 'chair'] },
    coChair: { calls: coChair.calls, parts: ['guest', 'coChair'] },
    speaker: { calls: speaker.calls, parts: ['guest', 'speaker'] },
    member: { calls: member.calls, parts: ['member'] },
    guest: { calls: guest.calls, parts: ['guest'] },
    waiting: { calls: waiting.calls, parts: ['waiting'] },
    'host, from outside': { calls: alice.conferences, parts: ['host'] },
    'administrator, from outside': { calls: admin.conferences, parts: ['tenantAdmin'] },
    'member, from outside': { calls: bob.conferences, parts: ['member'] },
    'desk of the chair': { calls: desk.conferences, parts: ['deskChair'] },
    'desk of a viewer': { calls: viewer.conferences, parts: ['deskViewer'] },
    'colleague, not invited': { calls: carol.conferences, parts: [] },
    'somebody of another tenant': { calls: erin.conferences, parts: [] },
  };
});
afterAll(async () => {
  await room.close();
  await server.close();
});

type Calls = Person['conferences'];
const nobody = 'Tnobody';

/** One call of each route, harmless if it is allowed, and the expected response then. */
const CALLS: [name: string, verb: ConferenceVerb, call: (calls: Calls) => Promise<unknown>, allowed: string][] = [
  ['muteAll', 'muteAll', (calls) => calls.muteAll({ params: rz, body: { meetId } }), 'OK'],
  ['unMuteAll', 'muteAll', (calls) => calls.unMuteAll({ params: rz, body: { meetId } }), 'OK'],
  [
    'termMute',
    'mute',
    (calls) => calls.termMute({ params: rz, body: { meetId, termId: target.termId, mute: false } }),
    'OK',
  ],
  [
    'screenVideo',
    'camera',
    (calls) => calls.screenVideo({ params: rz, body: { meetId, termId: target.termId, open: true } }),
    'OK',
  ],
  [
    'setVolumeTerminal',
    'volume',
    (calls) => calls.setVolumeTerminal({ params: rz, body: { conferId: meetId, termId: target.termId, volume: 50 } }),
    'OK',
  ],
  [
    'limitVideo',
    'limitVideo',
    (calls) => calls.limitVideo({ params: rz, body: { meetId, termIds: [target.termId], maxHeight: null } }),
    'OK',
  ],
  [
    'askUnmute',
    'askUnmute',
    (calls) => calls.askUnmute({ params: room.params, body: { termIds: [target.termId] } }),
    'OK',
  ],
  ['setConfMode', 'mode', (calls) => calls.setConfMode({ params: rz, query: { meetId, videoSet: 'AUTO' } }), 'OK'],
  ['setConfSpeaker', 'speaker', (calls) => calls.setConfSpeaker({ params: rz, query: { meetId } }), 'OK'],
  [
    'setConfRecord',
    'record',
    (calls) => calls.setConfRecord({ query: { meetId, action: 'STOP' } }),
    'RECORD_NOT_POSSIBLE',
  ],
  ['setConfLock', 'lock', (calls) => calls.setConfLock({ params: rz, query: { meetId, conflock: 0 } }), 'OK'],
  [
    'setConfChairman',
    'chairman',
    (calls) => calls.setConfChairman({ params: rz, query: { meetId, termId: nobody } }),
    'TERMINAL_ABSENT',
  ],
  [
    'coChairs',
    'coChairs',
    (calls) => calls.coChairs({ params: room.params, body: { termIds: [nobody], appoint: true } }),
    'TERMINAL_ABSENT',
  ],
  [
    'updateTermialName',
    'rename',
    (calls) => calls.updateTermialName({ params: rz, query: { meetId, termId: target.termId, termName: 'Target' } }),
    'OK',
  ],
  ['termTop', 'top', (calls) => calls.termTop({ query: { meetId, termId: target.termId, flag: 0 } }), 'OK'],
  ['termSort', 'sort', (calls) => calls.termSort({ query: { meetId }, body: { termIds: [] } }), 'OK'],
  ['entry', 'entry', (calls) => calls.entry({ params: room.params, body: { waitingRoom: true } }), 'OK'],
  ['command allow', 'allow', (calls) => calls.command({ params: room.params, body: { verb: 'allow' } }), 'OK'],
  [
    'delTerm',
    'remove',
    (calls) => calls.delTerm({ params: { ...rz, id: meetId }, query: { termId: nobody } }),
    'TERMINAL_ABSENT',
  ],
  [
    'delTermBatch',
    'remove',
    (calls) => calls.delTermBatch({ params: { ...rz, id: meetId }, query: { termIds: nobody } }),
    'TERMINAL_ABSENT',
  ],
  [
    'changeStatus HANGUP',
    'remove',
    (calls) => calls.changeStatus({ params: rz, body: { meetId, termId: nobody, status: 'HANGUP' } }),
    'TERMINAL_ABSENT',
  ],
  [
    'sendBack',
    'sendBack',
    (calls) => calls.sendBack({ params: room.params, body: { termIds: [nobody] } }),
    'TERMINAL_ABSENT',
  ],
  ['admit', 'admit', (calls) => calls.admit({ params: room.params, body: { termIds: [nobody], admit: true } }), 'OK'],
  [
    'admit, refusing',
    'refuse',
    (calls) => calls.admit({ params: room.params, body: { termIds: [nobody], admit: false } }),
    'OK',
  ],
  ['setLayout', 'layout', (calls) => calls.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO' } }), 'OK'],
  ['setScreen', 'seats', (calls) => calls.setScreen({ params: rz, body: { meetId, seats: [] } }), 'OK'],
  [
    'setTerminalLayoutConfig',
    'terminalLayout',
    (calls) => calls.setTerminalLayoutConfig({ params: rz, body: { meetId, termId: nobody, screenModel: '4' } }),
    'TERMINAL_ABSENT',
  ],
  ['setChatLayout', 'window', (calls) => calls.setChatLayout({ params: rz, body: { meetId, position: null } }), 'OK'],
  [
    'lockConfContent',
    'contentLock',
    (calls) => calls.lockConfContent({ params: rz, query: { meetId, action: 'UNLOCK' } }),
    'OK',
  ],
  [
    'setDualStream',
    'dualStream',
    (calls) => calls.setDualStream({ query: { meetId, termId: nobody, open: true } }),
    'TERMINAL_ABSENT',
  ],
  [
    'setConfCaptions',
    'banner',
    (calls) => calls.setConfCaptions({ params: rz, query: { meetId }, body: { text: '' } }),
    'OK',
  ],
  [
    'setPollingState',
    'polling',
    (calls) => calls.setPollingState({ params: rz, query: { meetId, polling: 0 }, body: {} }),
    'OK',
  ],
  [
    'startBroadcastPolling',
    'broadcastPolling',
    (calls) => calls.startBroadcastPolling({ params: rz, body: { meetId, pollingEnable: false } }),
    'OK',
  ],
  [
    'setPollingTimeSpan',
    'pollingTime',
    (calls) => calls.setPollingTimeSpan({ params: rz, query: { meetId, timespan: 5 } }),
    'POLLING_OFF',
  ],
  [
    'turnPolling',
    'pollingTurn',
    (calls) => calls.turnPolling({ params: room.params, body: { step: 'next' } }),
    'POLLING_OFF',
  ],
  [
    'giveFloor',
    'giveFloor',
    (calls) => calls.giveFloor({ params: room.params, body: { termId: nobody } }),
    'TERMINAL_ABSENT',
  ],
  [
    'lowerHands',
    'lowerHands',
    (calls) => calls.lowerHands({ params: room.params, body: { termIds: [nobody] } }),
    'TERMINAL_ABSENT',
  ],
  ['startTimer', 'timer', (calls) => calls.startTimer({ params: room.params, body: { seconds: 60 } }), 'OK'],
  [
    'changeTimer',
    'timerChange',
    (calls) => calls.changeTimer({ params: room.params, body: { action: 'add', seconds: 0 } }),
    'OK',
  ],
  ['stopTimer', 'timerStop', (calls) => calls.stopTimer({ params: room.params }), 'OK'],
  [
    'startRollCall',
    'rollCall',
    (calls) => calls.startRollCall({ params: room.params, body: { termIds: [nobody] } }),
    'TERMINAL_ABSENT',
  ],
  [
    'callUp',
    'callUp',
    (calls) => calls.callUp({ params: room.params, body: { termId: target.termId } }),
    'ROLL_CALL_OFF',
  ],
  [
    'markRollCall',
    'rollMark',
    (calls) => calls.markRollCall({ params: room.params, body: { termId: target.termId, mark: null } }),
    'ROLL_CALL_OFF',
  ],
  ['endRollCall', 'rollCallEnd', (calls) => calls.endRollCall({ params: room.params }), 'ROLL_CALL_OFF'],
  ['closeVote', 'voteClose', (calls) => calls.closeVote({ params: room.params }), 'VOTE_CLOSED'],
  ['dismissVote', 'voteDismiss', (calls) => calls.dismissVote({ params: room.params }), 'VOTE_CLOSED'],
  ['applyScene', 'scene', (calls) => calls.applyScene({ params: { meetId, sceneId: newId() } }), 'NOT_FOUND'],
  ['reset', 'reset', (calls) => calls.reset({ query: { meetId, mcuIds: 'nowhere' } }), 'MCU_UNKNOWN'],
  [
    'moveZone',
    'moveZone',
    (calls) => calls.moveZone({ params: rz, query: { meetId, oldMcuZoneId: 'local', mcuZoneId: 'nowhere' } }),
    'ZONE_UNKNOWN',
  ],
  ['undo', 'undo', (calls) => calls.undo({ params: room.params, body: { commandId: newId() } }), 'UNDO_IMPOSSIBLE'],
];

describe('by the table of roles', () => {
  test('every verb that has a right is tried here, except those tried with calls and with the end', () => {
    const tried = new Set(CALLS.map(([, verb]) => verb));
    const others = (Object.keys(VERB_RIGHTS) as ConferenceVerb[]).filter(
      (verb) => VERB_RIGHTS[verb] !== null && !tried.has(verb),
    );
    expect(others).toEqual(['selfUnmute', 'call', 'cancelCall', 'invite', 'extend', 'grant', 'end', 'vote']);
  });

  test.each(CALLS)('%s', async (_, verb, call, allowed) => {
    await setSpeaker();
    const right = VERB_RIGHTS[verb];
    for (const [name, { calls, parts }] of Object.entries(cast)) {
      const may = right !== null && parts.some((part) => conferenceRight(part, right) === true);
      expect(await codeOf(call(calls)), name).toBe(parts.length === 0 ? 'NOT_FOUND' : may ? allowed : 'FORBIDDEN');
    }
  });
});

/** One test takes off air the speaker that another one needs. */
async function setSpeaker(): Promise<void> {
  const speakerId =
    Object.entries((await room.control()).terminals).find(([, { name }]) => name === 'Speaker')?.[0] ?? '';
  await cast['host, from outside']?.calls.setConfSpeaker({ params: rz, query: { meetId, termId: speakerId } });
}

test('a person of another conference gets NOT_FOUND for every call of this one', async () => {
  const erin = await signIn(server, 'erin');
  const other = await openConference(server, erin);
  const theirs = await other.join(erin);
  for (const calls of [theirs.calls, erin.conferences, (await other.desk('chair', erin)).conferences]) {
    for (const [name, , call] of CALLS) expect(await codeOf(call(calls)), name).toBe('NOT_FOUND');
    expect(await codeOf(calls.muteStatus({ params: rz, query: { meetId } }))).toBe('NOT_FOUND');
  }
  expect(await codeOf(clientOf(server).conferences.muteAll({ params: rz, body: { meetId } }))).toBe('UNAUTHORIZED');
});

test('mute states are for terminals inside and for desks, not for those who wait', async () => {
  for (const [name, { calls, parts }] of Object.entries(cast)) {
    const may = parts.some((part) => conferenceRight(part, 'see') === true);
    expect(await codeOf(calls.muteStatus({ params: rz, query: { meetId } })), name).toBe(
      parts.length === 0 ? 'NOT_FOUND' : may ? 'OK' : 'FORBIDDEN',
    );
  }
});
