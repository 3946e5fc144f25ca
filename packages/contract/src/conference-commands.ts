import { z } from 'zod';
import { NO_CONTROL } from './conference-control.ts';
import { deskAccess, deskLink, deskState, deskTerminal, deskWaiting, loggedCommand, ring, terminalReport, type DeskState } from './conference-desk.ts';
import { API_BASE, LIMITS } from './constants.ts';
import { bit, byEngine, byMeeting, command, commandAnswer, done, listed, meet, meetId, ofEngine, rz, term, termId, terms } from './conference-route.ts';
import { CONFERENCE_MODES } from './conference-modes.ts';
import { proceedingCommands } from './conference-proceeding-commands.ts';
import { screenCommands } from './conference-screen-commands.ts';
import { topologyRoutes } from './conference-topology.ts';
import { line } from './line.ts';
import { officeLimit, route } from './route.ts';


const exampleState: DeskState = {
  desk: true, meetId, conferenceId: meetId, subject: 'Ward round', numericId: '482913057', host: 'Alice', startedAt: '2026-11-20T09:00:00.000Z',
  bookedUntil: '2026-11-20T10:00:00.000Z', endsAt: null, engine: 'rz', cannot: {}, can: ['muteAll'], control: NO_CONTROL, terminals: [], waiting: [], invitees: [], scenes: [], commands: [],
};

export const conferenceCommands = {
  ...screenCommands,
  ...proceedingCommands,
  ...topologyRoutes,

  muteAll: command({
    method: 'POST', path: ofEngine('muteAll'), summary: 'Mutes everybody but `except`. `allowSelfUnmute` false holds newcomers, too.',
    input: { params: byEngine, body: z.object({ meetId: meet, except: z.array(term).max(1_000).default([]), allowSelfUnmute: z.boolean().optional() }) },
    example: { params: rz, body: { meetId } },
  }),
  unMuteAll: command({
    method: 'POST', path: ofEngine('unMuteAll'), summary: 'Lets everybody be heard again.',
    input: { params: byEngine, body: z.object({ meetId: meet }) }, example: { params: rz, body: { meetId } },
  }),
  termMute: command({
    method: 'POST', path: ofEngine('termMute'), summary: 'Mutes or unmutes terminals: `termId`, or several in `termIds`.', errors: ['TERMINAL_ABSENT'],
    input: {
      params: byEngine,
      body: z.object({ meetId: meet, termId: term.optional(), termIds: terms.optional(), mute: z.union([z.boolean(), bit]) })
        .refine((body) => body.termId !== undefined || body.termIds !== undefined, { path: ['termId'] }),
    },
    example: { params: rz, body: { meetId, termId, mute: true } },
  }),
  screenVideo: command({
    method: 'POST', path: ofEngine('screenVideo'), summary: 'Camera of terminals on or off.', errors: ['TERMINAL_ABSENT'],
    input: {
      params: byEngine,
      body: z.object({ meetId: meet, termId: term.optional(), termIds: terms.optional(), open: z.union([z.boolean(), bit]) })
        .refine((body) => body.termId !== undefined || body.termIds !== undefined, { path: ['termId'] }),
    },
    example: { params: rz, body: { meetId, termId, open: false } },
  }),
  setVolumeTerminal: command({
    method: 'POST', path: ofEngine('setVolumeTerminal'), summary: 'How loud a terminal is played to the others, 0-100.', errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine, body: z.object({ conferId: meet, termId: term, volume: z.number().int().min(0).max(100) }) },
    example: { params: rz, body: { conferId: meetId, termId, volume: 60 } },
  }),
  limitVideo: command({
    method: 'POST', path: ofEngine('limitVideo'), summary: "Limits how tall a picture terminals' cameras send, in lines; null lifts the limit.", errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine, body: z.object({ meetId: meet, termIds: terms, maxHeight: z.union([z.literal(180), z.literal(360), z.literal(720)]).nullable() }) },
    example: { params: rz, body: { meetId, termIds: [termId], maxHeight: 360 } },
  }),
  callAll: command({
    method: 'POST', path: ofEngine('callAll'), summary: 'Rings everybody invited who is not there, in the app and by mail.',
    input: { params: byEngine, body: z.object({ meetId: meet }) }, example: { params: rz, body: { meetId } },
  }),
  changeStatus: command({
    method: 'POST', path: ofEngine('change-status'), summary: 'CALL rings one person or terminal, HANGUP ends its connection; it may come back.', errors: ['TERMINAL_ABSENT', 'CALL_TARGET_UNKNOWN'],
    input: { params: byEngine, body: z.object({ meetId: meet, termId: z.string().min(1).max(60), status: z.enum(['CALL', 'HANGUP']) }) },
    example: { params: rz, body: { meetId, termId, status: 'HANGUP' } },
  }),
  delTerm: command({
    method: 'DELETE', path: `${ofEngine('delTerm')}/:id`, summary: 'Removes a terminal; without `canReturn` the person cannot come back to this conference.', errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine.extend({ id: meet }), query: z.object({ termId: term, canReturn: z.stringbool().default(true) }) },
    example: { params: { ...rz, id: meetId }, query: { termId } },
  }),
  delTermBatch: command({
    method: 'DELETE', path: `${ofEngine('delTermBatch')}/:id`, summary: 'Removes several terminals.', errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine.extend({ id: meet }), query: z.object({ termIds: listed, canReturn: z.stringbool().default(true) }) },
    example: { params: { ...rz, id: meetId }, query: { termIds: termId } },
  }),
  setConfMode: command({
    method: 'PUT', path: ofEngine('setConfMode'), summary: 'Who is on air: AUTO, SPEAKER and LECTURE (with `termId`), EQUAL, POLLING.', errors: ['TERMINAL_ABSENT', 'POLLING_NOBODY'],
    input: { params: byEngine, query: z.object({ meetId: meet, videoSet: z.enum(CONFERENCE_MODES), termId: term.optional() }) },
    example: { params: rz, query: { meetId, videoSet: 'SPEAKER', termId } },
  }),
  setConfLock: command({
    method: 'PUT', path: ofEngine('setConfLock'), summary: 'Locked (1): nobody else comes in, hosts aside.',
    input: { params: byEngine, query: z.object({ meetId: meet, conflock: bit }) }, example: { params: rz, query: { meetId, conflock: '1' } },
  }),
  setConfChairman: command({
    method: 'PUT', path: ofEngine('setConfChairman'), summary: 'Hands the chair to a terminal; without one it is taken back.', errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine, query: z.object({ meetId: meet, termId: z.string().max(40).default('') }) }, example: { params: rz, query: { meetId, termId } },
  }),
  setConfSpeaker: command({
    method: 'PUT', path: ofEngine('setConfSpeaker'), summary: 'Puts a terminal on air to all; without one the speaker is off again.', errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine, query: z.object({ meetId: meet, termId: z.string().max(40).default('') }) }, example: { params: rz, query: { meetId, termId } },
  }),
  updateTermialName: command({
    method: 'PUT', path: ofEngine('updateTermialName'), summary: 'Renames a terminal for everybody.', errors: ['TERMINAL_ABSENT'],
    input: { params: byEngine, query: z.object({ meetId: meet, termId: term, termName: line().min(1).max(LIMITS.displayName) }) },
    example: { params: rz, query: { meetId, termId, termName: 'Room 301' } },
  }),
  muteStatus: route({
    method: 'GET', path: ofEngine('muteStatus'), summary: 'Whether each terminal inside is held mute.', callers: ['user', 'terminal', 'desk'],
    input: { params: byEngine, query: byMeeting }, data: z.array(z.object({ termId: z.string(), mute: z.boolean(), unmuteAsked: z.boolean() })),
    errors: ['CONFERENCE_OVER', 'ENGINE_UNKNOWN'], example: { params: rz, query: { meetId }, data: [{ termId, mute: true, unmuteAsked: false }] },
  }),
  terminalStatus: route({
    method: 'GET', path: `${ofEngine('terminal-status')}/:id`, summary: 'All terminals with state, device, media and quality.', callers: ['user', 'desk'],
    input: { params: byEngine.extend({ id: meet }) },
    data: z.object({ control: deskState.shape.control, terminals: z.array(deskTerminal), waiting: z.array(deskWaiting), reports: z.record(z.string(), terminalReport) }),
    errors: ['CONFERENCE_OVER', 'ENGINE_UNKNOWN'], example: { params: { ...rz, id: meetId }, data: { control: NO_CONTROL, terminals: [], waiting: [], reports: {} } },
  }),
  getMediaStreamInfo: route({
    method: 'PUT', path: ofEngine('getMediaStreamInfo'), summary: 'Streams of a terminal, both directions, from both ends; its newest report. Null before the first.', callers: ['user', 'terminal', 'desk'],
    input: { params: byEngine, query: z.object({ meetId: meet, termId: term }) }, data: terminalReport.nullable(),
    errors: ['CONFERENCE_OVER', 'ENGINE_UNKNOWN', 'TERMINAL_ABSENT'], example: { params: rz, query: { meetId, termId }, data: null },
  }),
  readMediaStreamInfo: route({
    method: 'GET', path: ofEngine('getMediaStreamInfo'), summary: 'The same.', callers: ['user', 'terminal', 'desk'],
    input: { params: byEngine, query: z.object({ meetId: meet, termId: term }) }, data: terminalReport.nullable(),
    errors: ['CONFERENCE_OVER', 'ENGINE_UNKNOWN', 'TERMINAL_ABSENT'], example: { params: rz, query: { meetId, termId }, data: null },
  }),

  termTop: command({
    method: 'PUT', path: `${API_BASE}/meetings/termTop`, summary: 'Keeps a terminal on top of the list (flag 1) or not (0).', errors: ['TERMINAL_ABSENT'],
    input: { query: z.object({ meetId: meet, termId: term, flag: bit }) }, example: { query: { meetId, termId, flag: '1' } },
  }),
  termSort: command({
    method: 'POST', path: `${API_BASE}/meetings/termSort`, summary: 'The order of the list, by termIds.',
    input: { query: byMeeting, body: z.object({ termIds: z.array(term).max(1_000) }) }, example: { query: { meetId }, body: { termIds: [termId] } },
  }),
  extend: command({
    method: 'PUT', path: `${API_BASE}/meetings/:id/control`, summary: 'Extends the running meeting by `delay` minutes.', errors: ['QUOTA_DURATION', 'ROOM_CLOSES', 'ROOM_OR_PERSON_BUSY'],
    input: { params: z.object({ id: meet }), query: z.object({ delay: z.coerce.number().int().min(1).max(LIMITS.durationMax) }) },
    example: { params: { id: meetId }, query: { delay: '15' } },
  }),
  grantAuth: route({
    method: 'PUT', path: `${API_BASE}/meetings/grant-auth`, callers: ['user', 'terminal', 'desk'], audit: true, limit: { by: 'caller', max: 60, seconds: 60 },
    summary: 'Gives people of the tenant control of this meeting as its host has it, or takes it back. A command where the meeting is running, else null.',
    data: commandAnswer.nullable(), errors: ['CONFERENCE_OVER', 'MEETING_ENDED', 'PARTICIPANT_UNKNOWN'],
    input: { query: byMeeting, body: z.object({ userIds: z.array(z.uuid()).min(1).max(100), rights: z.enum(['control', 'none']).default('control') }) },
    example: { query: { meetId }, body: { userIds: [meetId] }, data: done },
  }),
  coChairs: command({
    method: 'PUT', path: `${API_BASE}/conferences/:meetId/co-chairs`, summary: 'Names co-chairs, or takes it back.', errors: ['TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termIds: terms, appoint: z.boolean() }) }, example: { params: { meetId }, body: { termIds: [termId], appoint: true } },
  }),
  entry: command({
    method: 'PUT', path: `${API_BASE}/conferences/:meetId/entry`, summary: 'How people come in: muted, through the waiting room; and whether they may unmute themselves.',
    input: { params: byMeeting, body: z.object({ muteOnEntry: z.boolean().optional(), allowSelfUnmute: z.boolean().optional(), waitingRoom: z.boolean().optional() }) },
    example: { params: { meetId }, body: { muteOnEntry: true } },
  }),
  askUnmute: command({
    method: 'POST', path: `${API_BASE}/conferences/:meetId/ask-unmute`, summary: 'Asks terminals to unmute, held ones or such as have their own microphone off; they may then, whatever the rule.', errors: ['TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termIds: terms }) }, example: { params: { meetId }, body: { termIds: [termId] } },
  }),
  sendBack: command({
    method: 'POST', path: `${API_BASE}/conferences/:meetId/send-back`, summary: 'Sends terminals back to the waiting room.', errors: ['TERMINAL_ABSENT'],
    input: { params: byMeeting, body: z.object({ termIds: terms }) }, example: { params: { meetId }, body: { termIds: [termId] } },
  }),
  undo: command({
    method: 'POST', path: `${API_BASE}/conferences/:meetId/undo`, summary: 'Takes a command back where nothing has changed since.', errors: ['UNDO_IMPOSSIBLE'],
    input: { params: byMeeting, body: z.object({ commandId: z.uuid() }) }, example: { params: { meetId }, body: { commandId: meetId } },
  }),

  selfUnmute: route({
    method: 'POST', path: `${API_BASE}/conferences/:meetId/unmute`, summary: 'The terminal lets itself be heard again, where the chair allows it or has asked for it.', callers: ['terminal'],
    limit: { by: 'caller', max: 30, seconds: 60 }, input: { params: byMeeting }, data: z.null(), errors: ['CONFERENCE_OVER', 'SELF_UNMUTE_FORBIDDEN'],
    example: { params: { meetId }, data: null },
  }),
  knock: route({
    method: 'POST', path: `${API_BASE}/conferences/:meetId/knock`, summary: 'Somebody waiting leaves the chair one message.', callers: ['terminal'],
    limit: { by: 'caller', max: 10, seconds: 60 }, input: { params: byMeeting, body: z.object({ text: line().min(1).max(200) }) }, data: z.null(),
    errors: ['CONFERENCE_OVER', 'MESSAGE_SENT_ALREADY'], example: { params: { meetId }, body: { text: 'It is Dr. Li from ward 3.' }, data: null },
  }),
  rings: route({
    method: 'GET', path: `${API_BASE}/rings`, summary: 'What rings for the caller now, the oldest call first.', callers: ['user'], input: {}, data: z.array(ring), errors: [],
    example: { data: [{ meetId, numericId: '482913057', subject: 'Ward round', from: 'Chair', until: '2026-11-20T09:01:00.000Z' }] },
  }),
  answerRing: route({
    method: 'POST', path: `${API_BASE}/conferences/:meetId/ring`, summary: 'Somebody who is rung declines; joining is the way to accept.', callers: ['user'],
    limit: { by: 'caller', max: 30, seconds: 60 }, input: { params: byMeeting }, data: z.null(), errors: [], example: { params: { meetId }, data: null },
  }),
  state: route({
    method: 'GET', path: `${API_BASE}/conferences/:meetId/state`, summary: 'The conference as a desk sees it, as pushed.', callers: ['user', 'desk'],
    input: { params: byMeeting }, data: deskState, errors: ['CONFERENCE_OVER', 'MEETING_NOT_STARTED'], example: { params: { meetId }, data: exampleState },
  }),
  events: route({
    method: 'GET', path: `${API_BASE}/conferences/:meetId/events`, summary: 'The command log with acknowledgements, oldest first, of versions after `after`; 200 at most.', callers: ['user', 'desk'],
    input: { params: byMeeting, query: z.object({ after: z.coerce.number().int().min(0).default(0) }) }, data: z.array(loggedCommand), errors: ['CONFERENCE_OVER'],
    example: { params: { meetId }, query: { after: '0' }, data: [] },
  }),
  watch: route({
    method: 'POST', path: `${API_BASE}/conferences/:meetId/watch`, summary: 'A media token that sees and hears and is not seen, for the live pictures of a desk.', callers: ['user', 'desk'], audit: true,
    limit: { by: 'caller', max: 60, seconds: 60 }, input: { params: byMeeting }, data: z.object({ url: z.string(), token: z.string() }), errors: ['CONFERENCE_OVER', 'MEDIA_UNAVAILABLE', 'WATCHERS_FULL'],
    example: { params: { meetId }, data: { url: 'ws://127.0.0.1:3000', token: 'eyJhbGciOiJIUzI1NiJ9' } },
  }),
  manageUrl: route({
    method: 'GET', path: `${API_BASE}/meetings/generate/manageUrl/:a/:b`, summary: 'A link to the desk of meeting `a` for `b`; valid until `timestamp` (ms since 1970), else for 24 hours, seven days at most.', callers: ['user'], audit: true,
    input: { params: z.object({ a: meet, b: z.enum(['chair', 'viewer']) }), query: z.object({ timestamp: z.coerce.number().int().positive().optional() }) },
    data: z.object({ id: z.uuid(), url: z.string(), expiresAt: z.iso.datetime() }), errors: ['MEETING_ENDED', 'MEETING_IS_LOCAL'],
    example: { params: { a: meetId, b: 'viewer' }, query: {}, data: { id: meetId, url: 'https://meet.example.org/#/meetingControl?token=n3Z&meetId=' + meetId, expiresAt: '2026-11-21T09:00:00.000Z' } },
  }),
  monitorUrl: route({
    method: 'GET', path: `${API_BASE}/meetings/getMeetMonitorUrl`, summary: 'A link to the status wall of a meeting, valid for 24 hours.', callers: ['user'], audit: true,
    input: { query: z.object({ numericId: z.string().regex(/^\d{9}$/) }) }, data: z.object({ id: z.uuid(), url: z.string(), expiresAt: z.iso.datetime() }), errors: ['MEETING_ENDED', 'MEETING_IS_LOCAL'],
    example: { query: { numericId: '482913057' }, data: { id: meetId, url: 'https://meet.example.org/#/terminalstatus?token=n3Z&meetId=' + meetId, expiresAt: '2026-11-21T09:00:00.000Z' } },
  }),
  links: route({
    method: 'GET', path: `${API_BASE}/conferences/:meetId/links`, summary: 'The links to the desk and the status wall of a meeting, newest first.', callers: ['user'],
    input: { params: byMeeting }, data: z.array(deskLink), errors: [], example: { params: { meetId }, data: [] },
  }),
  revokeLink: route({
    method: 'DELETE', path: `${API_BASE}/conferences/:meetId/links/:id`, summary: 'Ends a link and every desk opened by it.', callers: ['user'], audit: true,
    input: { params: byMeeting.extend({ id: z.uuid() }) }, data: z.null(), errors: [], example: { params: { meetId, id: meetId }, data: null },
  }),
  openDesk: route({
    method: 'POST', path: `${API_BASE}/conferences/desk`, summary: 'Exchanges the secret of a desk link for a token of its desk.', callers: ['anyone'],
    limit: officeLimit, input: { body: z.object({ sign: z.string().max(200) }) }, data: deskAccess.extend({ token: z.string() }), errors: ['DESK_LINK_INVALID'],
    example: { body: { sign: 'n3ZcQx1Y' }, data: { token: 'q1YzP0c', meetId, part: 'viewer', scope: 'control', expiresAt: '2026-11-21T09:00:00.000Z' } },
  }),
};
