import { z } from 'zod';
import { POLLING_SECONDS, scene, VOTE_OPTIONS, type Scene, NO_CONTROL } from '@rmeet/conference';
import {
  bit,
  byEngine,
  byMeeting,
  command,
  meet,
  meetId,
  ofEngine,
  rz,
  term,
  termId,
  terms,
  speakingSeconds,
} from './command-route.ts';
import { API_BASE } from '../constants.ts';
import { line } from '../line.ts';
import { route } from '../http/route.ts';

const pollingSeconds = z.coerce.number().int().min(POLLING_SECONDS.min).max(POLLING_SECONDS.max);
const sceneName = line().min(1).max(60);
const byScene = byMeeting.extend({ sceneId: z.uuid() });
const byVote = byMeeting.extend({ voteId: z.uuid() });
const { layout, window, locked, contentLockId, banner } = NO_CONTROL;
const exampleScene: Scene = {
  id: meetId,
  name: 'Opening',
  settings: { layout, window, mode: 'AUTO', speakerId: null, muted: {}, locked, contentLockId, banner },
  at: null,
  appliedAt: null,
};

/** Turns, scenes, and the proceedings of a meeting: the floor, speaking times, roll calls, votes. */
export const proceedingCommands = {
  setPollingState: command({
    method: 'PUT',
    path: ofEngine('setPollingState'),
    summary:
      'Video polling: terminals take turns, in the seat that polls or on air. `lectureId`: everybody sees the ' +
      'lecturer, who sees the round. `meetingRoom` 1: only devices of rooms.',
    errors: ['TERMINAL_ABSENT', 'POLLING_NOBODY'],
    input: {
      params: byEngine,
      query: z.object({
        meetId: meet,
        polling: bit,
        lectureId: z.string().max(40).optional(),
        meetingRoom: bit.optional(),
      }),
      body: z
        .object({
          termIds: z.array(term).max(1_000).optional(),
          seconds: pollingSeconds.optional(),
          onlyVideo: z.boolean().optional(),
          isPaused: z.boolean().optional(),
        })
        .default({}),
    },
    example: { params: rz, query: { meetId, polling: '1' }, body: { seconds: 10 } },
  }),
  startBroadcastPolling: command({
    method: 'POST',
    path: ofEngine('startBroadcastPolling'),
    summary: 'Whose turn it is is on air to all; polling begins where it has not.',
    errors: ['POLLING_NOBODY'],
    input: { params: byEngine, body: z.object({ meetId: meet, pollingEnable: z.union([z.boolean(), bit]) }) },
    example: { params: rz, body: { meetId, pollingEnable: true } },
  }),
  setPollingTimeSpan: command({
    method: 'PUT',
    path: ofEngine('setPollingTimeSpan'),
    summary: 'Seconds of a turn, 3 to 3600; the one that runs, too.',
    errors: ['POLLING_OFF'],
    input: { params: byEngine, query: z.object({ meetId: meet, timespan: pollingSeconds }) },
    example: { params: rz, query: { meetId, timespan: '5' } },
  }),
  turnPolling: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/polling/turn`,
    summary: 'The next turn now, the one before, or that of a terminal.',
    errors: ['POLLING_OFF', 'POLLING_NOBODY', 'TERMINAL_ABSENT'],
    input: {
      params: byMeeting,
      body: z.union([z.object({ step: z.enum(['next', 'previous']) }), z.object({ termId: term })]),
    },
    example: { params: { meetId }, body: { step: 'next' } },
  }),

  giveFloor: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/floor`,
    summary: 'Gives somebody the floor: heard, on air, the hand down; with `seconds` their time begins.',
    errors: ['TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termId: term, seconds: speakingSeconds.optional() }) },
    example: { params: { meetId }, body: { termId, seconds: 120 } },
  }),
  lowerHands: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/hands/lower`,
    summary: 'Puts hands down.',
    errors: ['TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termIds: terms }) },
    example: { params: { meetId }, body: { termIds: [termId] } },
  }),
  startTimer: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/timer`,
    summary: 'Time to speak, for one terminal or for all; everybody sees it run.',
    errors: ['TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termId: term.optional(), seconds: speakingSeconds }) },
    example: { params: { meetId }, body: { termId, seconds: 120 } },
  }),
  changeTimer: command({
    method: 'PUT',
    path: `${API_BASE}/conferences/:meetId/timer`,
    summary: 'Pauses the time, lets it go on, or adds seconds.',
    errors: ['TIMER_OFF'],
    input: {
      params: byMeeting,
      body: z.object({
        action: z.enum(['pause', 'resume', 'add']),
        seconds: z.number().int().min(-3_600).max(3_600).default(0),
      }),
    },
    example: { params: { meetId }, body: { action: 'pause' } },
  }),
  stopTimer: command({
    method: 'DELETE',
    path: `${API_BASE}/conferences/:meetId/timer`,
    summary: 'Takes the time away.',
    input: { params: byMeeting },
    example: { params: { meetId } },
  }),
  startRollCall: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/roll-call`,
    summary: 'Calls people up one after the other, in the order given or of the list; who is called is on air.',
    errors: ['TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termIds: z.array(term).max(1_000).default([]) }) },
    example: { params: { meetId }, body: {} },
  }),
  markRollCall: command({
    method: 'PUT',
    path: `${API_BASE}/conferences/:meetId/roll-call`,
    summary: 'Marks somebody and calls up the next; null takes a mark back.',
    errors: ['ROLL_CALL_OFF', 'TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termId: term, mark: z.enum(['present', 'absent']).nullable() }) },
    example: { params: { meetId }, body: { termId, mark: 'present' } },
  }),
  callUp: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/roll-call/current`,
    summary: 'Calls somebody up out of turn.',
    errors: ['ROLL_CALL_OFF', 'TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termId: term }) },
    example: { params: { meetId }, body: { termId } },
  }),
  endRollCall: command({
    method: 'DELETE',
    path: `${API_BASE}/conferences/:meetId/roll-call`,
    summary: 'Ends the roll call; its marks stay to be read.',
    errors: ['ROLL_CALL_OFF'],
    input: { params: byMeeting },
    example: { params: { meetId } },
  }),

  openVote: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/vote`,
    summary: 'Puts a question to everybody inside.',
    errors: ['VOTE_OPEN'],
    input: {
      params: byMeeting,
      body: z
        .object({
          question: line().min(1).max(200),
          options: z.array(line().min(1).max(60)).min(VOTE_OPTIONS.min).max(VOTE_OPTIONS.max),
          isSecret: z.boolean().default(true),
        })
        .refine(({ options }) => new Set(options).size === options.length, { path: ['options'] }),
    },
    example: { params: { meetId }, body: { question: 'Shall we adopt the minutes?', options: ['Yes', 'No'] } },
  }),
  castBallot: route({
    method: 'PUT',
    path: `${API_BASE}/conferences/:meetId/vote/:voteId/ballot`,
    summary: "The terminal's vote, the number of an option from 0; it may change until the vote is closed.",
    callers: ['terminal'],
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: {
      params: byVote,
      body: z.object({
        option: z
          .number()
          .int()
          .min(0)
          .max(VOTE_OPTIONS.max - 1),
      }),
    },
    data: z.null(),
    errors: ['CONFERENCE_OVER', 'VOTE_CLOSED', 'VOTE_OPTION_UNKNOWN'],
    example: { params: { meetId, voteId: meetId }, body: { option: 0 }, data: null },
  }),
  closeVote: command({
    method: 'PUT',
    path: `${API_BASE}/conferences/:meetId/vote/close`,
    summary: 'Ends the vote and shows everybody its result.',
    errors: ['VOTE_CLOSED'],
    input: { params: byMeeting },
    example: { params: { meetId } },
  }),
  dismissVote: command({
    method: 'DELETE',
    path: `${API_BASE}/conferences/:meetId/vote`,
    summary: 'Takes the vote, or its result, off the screens.',
    errors: ['VOTE_CLOSED'],
    input: { params: byMeeting },
    example: { params: { meetId } },
  }),
  ballots: route({
    method: 'GET',
    path: `${API_BASE}/conferences/:meetId/vote/:voteId`,
    summary: 'Who voted for what, in a vote that is not secret and is closed.',
    callers: ['user', 'terminal', 'desk'],
    input: { params: byVote },
    data: z.array(z.object({ name: z.string(), option: z.number().int() })),
    errors: ['CONFERENCE_OVER', 'VOTE_SECRET'],
    example: { params: { meetId, voteId: meetId }, data: [{ name: 'Alice', option: 0 }] },
  }),

  scenes: route({
    method: 'GET',
    path: `${API_BASE}/conferences/:meetId/scenes`,
    summary: 'The scenes of a meeting, those with a time first.',
    callers: ['user', 'terminal', 'desk'],
    input: { params: byMeeting },
    data: z.array(scene),
    errors: ['CONFERENCE_OVER'],
    example: { params: { meetId }, data: [exampleScene] },
  }),
  saveScene: route({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/scenes`,
    summary: 'Keeps how the conference is now under a name; `at` applies it by itself then.',
    callers: ['user', 'terminal', 'desk'],
    audit: true,
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: byMeeting, body: z.object({ name: sceneName, at: z.iso.datetime().nullable().default(null) }) },
    data: scene,
    errors: ['CONFERENCE_OVER', 'SCENE_NAME_TAKEN', 'SCENES_FULL'],
    example: { params: { meetId }, body: { name: 'Opening' }, data: exampleScene },
  }),
  changeScene: route({
    method: 'PUT',
    path: `${API_BASE}/conferences/:meetId/scenes/:sceneId`,
    summary: 'Renames a scene, sets its time, or (with `again`) keeps in it how the conference is now.',
    callers: ['user', 'terminal', 'desk'],
    audit: true,
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: {
      params: byScene,
      body: z.object({
        name: sceneName.optional(),
        at: z.iso.datetime().nullable().optional(),
        again: z.boolean().default(false),
      }),
    },
    data: scene,
    errors: ['CONFERENCE_OVER', 'SCENE_NAME_TAKEN'],
    example: { params: { meetId, sceneId: meetId }, body: { name: 'Opening' }, data: exampleScene },
  }),
  deleteScene: route({
    method: 'DELETE',
    path: `${API_BASE}/conferences/:meetId/scenes/:sceneId`,
    summary: 'Deletes a scene.',
    callers: ['user', 'terminal', 'desk'],
    audit: true,
    limit: { by: 'caller', max: 60, seconds: 60 },
    input: { params: byScene },
    data: z.null(),
    errors: ['CONFERENCE_OVER'],
    example: { params: { meetId, sceneId: meetId }, data: null },
  }),
  applyScene: command({
    method: 'POST',
    path: `${API_BASE}/conferences/:meetId/scenes/:sceneId/apply`,
    summary: 'Brings the conference to a scene, in one command that can be taken back.',
    input: { params: byScene },
    example: { params: { meetId, sceneId: meetId } },
  }),
};
