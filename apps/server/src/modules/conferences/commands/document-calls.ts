import type { CommandRequest, contract } from '@rmeet/contract';
import { AppError, type Handlers } from '../../../platform/http/index.ts';

type AllHandlers = Handlers<typeof contract.conferences>;
type InputOf<K extends keyof AllHandlers> = Parameters<AllHandlers[K]>[1];
type Adapter<K extends keyof AllHandlers> = (input: InputOf<K>) => [meetId: string, request: CommandRequest];

const several = (body: { termId?: string | undefined; termIds?: string[] | undefined }): string[] => [
  ...(body.termId === undefined ? [] : [body.termId]),
  ...(body.termIds ?? []),
];
/** An empty termId means no terminal. */
const orNull = (termId: string): string | null => (termId === '' ? null : termId);

function modeRequest({ videoSet, termId: given }: InputOf<'setConfMode'>['query']): CommandRequest {
  const termId = given ?? null;
  if (videoSet === 'POLLING') return { verb: 'broadcastPolling', on: true };
  if ((videoSet === 'SPEAKER' || videoSet === 'LECTURE') && termId === null)
    throw new AppError('INVALID_INPUT', {}, { termId: videoSet });
  if (videoSet === 'LECTURE') return { verb: 'polling', settings: {}, lectureId: termId };
  return { verb: 'mode', mode: videoSet, termId };
}

const dualStream = ({
  query: { meetId, termId, open },
}: Pick<InputOf<'setDualStream'>, 'query'>): [string, CommandRequest] => [meetId, { verb: 'dualStream', termId, open }];

/** The calls that command a conference, by their requests. */
const adapters = {
  muteAll: ({ body: { meetId, except, allowSelfUnmute = null } }) => [
    meetId,
    { verb: 'muteAll', muted: true, except, allowSelfUnmute },
  ],
  unMuteAll: ({ body: { meetId } }) => [meetId, { verb: 'muteAll', muted: false, except: [], allowSelfUnmute: null }],
  termMute: ({ body }) => [body.meetId, { verb: 'mute', termIds: several(body), muted: body.mute }],
  screenVideo: ({ body }) => [body.meetId, { verb: 'camera', termIds: several(body), open: body.open }],
  setVolumeTerminal: ({ body: { conferId, termId, volume } }) => [conferId, { verb: 'volume', termId, volume }],
  limitVideo: ({ body: { meetId, termIds, maxHeight } }) => [meetId, { verb: 'limitVideo', termIds, maxHeight }],
  askUnmute: ({ params, body }) => [params.meetId, { verb: 'askUnmute', termIds: body.termIds }],

  entry: ({ params, body }) => [params.meetId, { verb: 'entry', ...body }],
  setConfMode: ({ query }) => [query.meetId, modeRequest(query)],
  setConfRecord: ({ query: { meetId, action } }) => [meetId, { verb: 'record', action }],
  meetingRecord: ({ body: { meetId, action } }) => [meetId, { verb: 'record', action }],
  setConfLock: ({ query: { meetId, conflock } }) => [meetId, { verb: 'lock', locked: conflock }],
  setConfChairman: ({ query: { meetId, termId } }) => [meetId, { verb: 'chairman', termId: orNull(termId) }],
  setConfSpeaker: ({ query: { meetId, termId } }) => [meetId, { verb: 'speaker', termId: orNull(termId) }],
  coChairs: ({ params, body: { termIds, appoint } }) => [params.meetId, { verb: 'coChairs', termIds, appoint }],
  updateTermialName: ({ query: { meetId, termId, termName } }) => [meetId, { verb: 'rename', termId, name: termName }],
  termTop: ({ query: { meetId, termId, flag } }) => [meetId, { verb: 'top', termId, top: flag }],
  termSort: ({ query, body }) => [query.meetId, { verb: 'sort', termIds: body.termIds }],
  admit: ({ params, body: { termIds, admit, reason } }) => [
    params.meetId,
    admit ? { verb: 'admit', termIds } : { verb: 'refuse', termIds, reason },
  ],
  sendBack: ({ params, body }) => [params.meetId, { verb: 'sendBack', termIds: body.termIds }],
  delTerm: ({ params, query: { termId, canReturn } }) => [params.id, { verb: 'remove', termIds: [termId], canReturn }],
  delTermBatch: ({ params, query: { termIds, canReturn } }) => [params.id, { verb: 'remove', termIds, canReturn }],
  changeStatus: ({ body: { meetId, termId, status } }) => [
    meetId,
    status === 'CALL' ? { verb: 'call', targets: [termId] } : { verb: 'remove', termIds: [termId], canReturn: true },
  ],
  callAll: ({ body: { meetId } }) => [meetId, { verb: 'call', targets: [] }],
  extend: ({ params, query }) => [params.id, { verb: 'extend', minutes: query.delay }],
  end: ({ params }) => [params.meetId, { verb: 'end' }],

  setLayout: ({ body: { meetId, screenModel, polling: seat, places, allowOwnLayout } }) => [
    meetId,
    {
      verb: 'layout',
      model: screenModel,
      places,
      ...(seat === undefined ? {} : { pollingSeat: seat === 0 ? null : seat }),
      ...(allowOwnLayout === undefined ? {} : { allowOwnLayout }),
    },
  ],
  setScreen: ({ body: { meetId, target, seats } }) => [
    meetId,
    { verb: 'seats', termId: target === 'ALL' ? null : target, seats },
  ],
  setTerminalLayoutConfig: ({ body: { meetId, termId, screenModel, seats, places } }) => [
    meetId,
    { verb: 'terminalLayout', termId, layout: { model: screenModel, places, seats } },
  ],
  stopTerminalLayoutConfig: ({ body: { meetId, termId } }) => [
    meetId,
    { verb: 'terminalLayout', termId, layout: null },
  ],
  setChatLayout: ({ body: { meetId, position } }) => [meetId, { verb: 'window', position }],
  lockConfContent: ({ query: { meetId, termId = null, action } }) => [
    meetId,
    { verb: 'contentLock', termId: action === 'LOCK' ? termId : null },
  ],
  setDualStream: dualStream,
  readDualStream: dualStream,
  setConfCaptions: ({ query, body }) => [query.meetId, { verb: 'banner', termId: null, banner: body }],
  setTermCaptions: ({ query, body }) => [query.meetId, { verb: 'banner', termId: query.termId, banner: body }],

  setPollingState: ({ query: { meetId, polling: on, lectureId = '', meetingRoom }, body }) => [
    meetId,
    {
      verb: 'polling',
      settings: on ? { ...body, ...(meetingRoom === undefined ? {} : { roomsOnly: meetingRoom }) } : null,
      lectureId: orNull(lectureId),
    },
  ],
  startBroadcastPolling: ({ body: { meetId, pollingEnable } }) => [
    meetId,
    { verb: 'broadcastPolling', on: pollingEnable },
  ],
  setPollingTimeSpan: ({ query: { meetId, timespan } }) => [meetId, { verb: 'pollingTime', seconds: timespan }],
  turnPolling: ({ params, body }) => [params.meetId, { verb: 'pollingTurn', to: body }],

  giveFloor: ({ params, body: { termId, seconds = null } }) => [params.meetId, { verb: 'giveFloor', termId, seconds }],
  lowerHands: ({ params, body }) => [params.meetId, { verb: 'lowerHands', termIds: body.termIds }],
  startTimer: ({ params, body: { termId = null, seconds } }) => [params.meetId, { verb: 'timer', termId, seconds }],
  changeTimer: ({ params, body: { action, seconds } }) => [params.meetId, { verb: 'timerChange', action, seconds }],
  stopTimer: ({ params }) => [params.meetId, { verb: 'timerStop' }],
  startRollCall: ({ params, body }) => [params.meetId, { verb: 'rollCall', termIds: body.termIds }],
  markRollCall: ({ params, body: { termId, mark } }) => [params.meetId, { verb: 'rollMark', termId, mark }],
  callUp: ({ params, body }) => [params.meetId, { verb: 'callUp', termId: body.termId }],
  endRollCall: ({ params }) => [params.meetId, { verb: 'rollCallEnd' }],
  openVote: ({ params, body }) => [params.meetId, { verb: 'vote', ...body }],
  closeVote: ({ params }) => [params.meetId, { verb: 'voteClose' }],
  dismissVote: ({ params }) => [params.meetId, { verb: 'voteDismiss' }],
  applyScene: ({ params: { meetId, sceneId } }) => [meetId, { verb: 'scene', sceneId }],

  moveZone: ({ query: { meetId, oldMcuZoneId, mcuZoneId } }) => [
    meetId,
    { verb: 'moveZone', fromZoneId: oldMcuZoneId, zoneId: mcuZoneId },
  ],
  reset: ({ query: { meetId, mcuIds } }) => [meetId, { verb: 'reset', mcuIds }],
  undo: ({ params, body }) => [params.meetId, { verb: 'undo', commandId: body.commandId }],
} satisfies { [K in keyof AllHandlers]?: Adapter<K> };

export type DocumentCall = keyof typeof adapters;

/** The meeting and the request of a call, by its parsed input. */
export const requestOf = (call: DocumentCall, input: unknown): [meetId: string, request: CommandRequest] =>
  (adapters[call] as (input: unknown) => [string, CommandRequest])(input);

export const DOCUMENT_CALLS = Object.keys(adapters) as DocumentCall[];
