import type { Banner, BannerInput, ConferenceCommand, PollingSettings, TimerAction } from '@rmeet/conference';
import type { Client, CommandAnswer, contract } from '@rmeet/contract';

export type ConferenceApi = Client<typeof contract.conferences>;

/** Verbs that no page sends: the server's own, those of a terminal about itself, and grants. */
type UnsentVerb = 'arrive' | 'depart' | 'selfUnmute' | 'grant' | 'voteCount';

/** Commands of which the server fills in the rest: times, counts, the next turn. */
interface PartialCommands {
  undo: { commandId: string };
  polling: { settings: Partial<PollingSettings> | null; lectureId: string | null };
  pollingTurn: { step: { step: 'next' | 'previous' } | { termId: string } };
  giveFloor: { termId: string; seconds: number | null };
  timer: { termId: string | null; seconds: number };
  timerChange: { action: TimerAction; seconds: number };
  rollCall: { termIds: string[] };
  rollCallEnd: object;
  vote: { question: string; options: string[]; isSecret: boolean };
  voteClose: object;
  scene: { sceneId: string; name: string };
}

type SentVerb = Exclude<ConferenceCommand['verb'], UnsentVerb>;

/** A ConferenceCommand as a page sends it. */
export type CommandRequest<V extends SentVerb = SentVerb> = V extends keyof PartialCommands
  ? { verb: V } & PartialCommands[V]
  : Extract<ConferenceCommand, { verb: V }>;

interface Target {
  api: ConferenceApi;
  meetId: string;
  /** The path parameter of most routes. */
  params: { meetId: string };
}

/** `res` of the routes that the interface document names by it. */
const RZ = { res: 'rz' };

/** The route of each verb. Routes that answer without a command resolve with null. */
const ROUTES: {
  readonly [V in SentVerb]: (target: Target, command: CommandRequest<V>) => Promise<CommandAnswer | null>;
} = {
  // Sound and video
  mute: ({ api, meetId }, { termIds, muted }) => api.termMute({ params: RZ, body: { meetId, termIds, mute: muted } }),
  muteAll: ({ api, meetId }, { muted, except, allowSelfUnmute }) =>
    muted
      ? api.muteAll({ params: RZ, body: { meetId, except, ...(allowSelfUnmute === null ? {} : { allowSelfUnmute }) } })
      : api.unMuteAll({ params: RZ, body: { meetId } }),
  askUnmute: ({ api, params }, { termIds }) => api.askUnmute({ params, body: { termIds } }),
  camera: ({ api, meetId }, { termIds, open }) => api.screenVideo({ params: RZ, body: { meetId, termIds, open } }),
  volume: ({ api, meetId }, { termId, volume }) =>
    api.setVolumeTerminal({ params: RZ, body: { conferId: meetId, termId, volume } }),
  limitVideo: ({ api, meetId }, { termIds, maxHeight }) =>
    api.limitVideo({ params: RZ, body: { meetId, termIds, maxHeight: maxHeight as 180 | 360 | 720 | null } }),

  // Roles, mode and entry
  entry: ({ api, params }, command) => {
    const { verb: _, ...body } = command;
    return api.entry({ params, body });
  },
  chairman: ({ api, meetId }, { termId }) =>
    api.setConfChairman({ params: RZ, query: { meetId, termId: termId ?? '' } }),
  coChairs: ({ api, params }, { termIds, appoint }) => api.coChairs({ params, body: { termIds, appoint } }),
  speaker: ({ api, meetId }, { termId }) => api.setConfSpeaker({ params: RZ, query: { meetId, termId: termId ?? '' } }),
  mode: ({ api, meetId }, { mode, termId }) =>
    api.setConfMode({ params: RZ, query: { meetId, videoSet: mode, ...(termId === null ? {} : { termId }) } }),
  lock: ({ api, meetId }, { locked }) =>
    api.setConfLock({ params: RZ, query: { meetId, conflock: locked ? '1' : '0' } }),
  rename: ({ api, meetId }, { termId, name }) =>
    api.updateTermialName({ params: RZ, query: { meetId, termId, termName: name } }),
  top: ({ api, meetId }, { termId, top }) => api.termTop({ query: { meetId, termId, flag: top ? '1' : '0' } }),
  sort: ({ api, meetId }, { termIds }) => api.termSort({ query: { meetId }, body: { termIds } }),
  admit: ({ api, params }, { termIds }) => api.admit({ params, body: { termIds, admit: true } }),
  refuse: ({ api, params }, { termIds, reason }) => api.admit({ params, body: { termIds, admit: false, reason } }),
  sendBack: ({ api, params }, { termIds }) => api.sendBack({ params, body: { termIds } }),
  remove: ({ api, meetId }, { termIds, canReturn }) =>
    api.delTermBatch({
      params: { ...RZ, id: meetId },
      query: { termIds: termIds.join(','), canReturn: String(canReturn) },
    }),
  call: ({ api, meetId }, { targets }) =>
    targets.length === 0 ? api.callAll({ params: RZ, body: { meetId } }) : callEach(api, meetId, targets),

  // The conference as a whole
  extend: ({ api, meetId }, { minutes }) => api.extend({ params: { id: meetId }, query: { delay: minutes } }),
  end: ({ api, params }) => api.end({ params }),
  undo: ({ api, params }, { commandId }) => api.undo({ params, body: { commandId } }),
  moveZone: ({ api, meetId }, { fromZoneId, zoneId }) =>
    api.moveZone({ params: RZ, query: { meetId, oldMcuZoneId: fromZoneId, mcuZoneId: zoneId } }),
  reset: ({ api, meetId }, { mcuId }) => api.reset({ query: { meetId, ...(mcuId === null ? {} : { mcuIds: mcuId }) } }),

  // Layouts, content and captions
  layout: ({ api, meetId }, { model: screenModel, places, pollingSeat, allowOwnLayout }) => {
    const polling = pollingSeat === undefined ? {} : { polling: pollingSeat ?? 0 };
    const ownLayout = allowOwnLayout === undefined ? {} : { allowOwnLayout };
    return api.setLayout({ params: RZ, body: { meetId, screenModel, places, ...polling, ...ownLayout } });
  },
  seats: ({ api, meetId }, { termId, seats }) =>
    api.setScreen({ params: RZ, body: { meetId, target: termId ?? 'ALL', seats } }),
  terminalLayout: ({ api, meetId }, { termId, layout }) =>
    layout === null
      ? api.stopTerminalLayoutConfig({ params: RZ, body: { meetId, termId } })
      : api.setTerminalLayoutConfig({
          params: RZ,
          body: { meetId, termId, screenModel: layout.model, places: layout.places, seats: layout.seats },
        }),
  window: ({ api, meetId }, { position }) => api.setChatLayout({ params: RZ, body: { meetId, position } }),
  contentLock: ({ api, meetId }, { termId }) =>
    api.lockConfContent({
      params: RZ,
      query: termId === null ? { meetId, action: 'UNLOCK' } : { meetId, termId, action: 'LOCK' },
    }),
  dualStream: ({ api, meetId }, { termId, open }) => api.setDualStream({ query: { meetId, termId, open } }),
  banner: ({ api, meetId }, { termId, banner }) =>
    termId === null
      ? api.setConfCaptions({ params: RZ, query: { meetId }, body: captionsBody(banner) })
      : api.setTermCaptions({ params: RZ, query: { meetId, termId }, body: captionsBody(banner) }),

  // Polling, the floor, roll calls, votes and scenes
  polling: ({ api, meetId }, { settings, lectureId }) => {
    if (settings === null) return api.setPollingState({ params: RZ, query: { meetId, polling: '0' }, body: {} });
    const { roomsOnly, ...body } = settings;
    const lecture = lectureId === null ? {} : { lectureId };
    const rooms = roomsOnly === undefined ? {} : { meetingRoom: roomsOnly ? ('1' as const) : ('0' as const) };
    return api.setPollingState({ params: RZ, query: { meetId, polling: '1', ...lecture, ...rooms }, body });
  },
  broadcastPolling: ({ api, meetId }, { on }) =>
    api.startBroadcastPolling({ params: RZ, body: { meetId, pollingEnable: on } }),
  pollingTime: ({ api, meetId }, { seconds }) =>
    api.setPollingTimeSpan({ params: RZ, query: { meetId, timespan: seconds } }),
  pollingTurn: ({ api, params }, { step }) => api.turnPolling({ params, body: step }),
  giveFloor: ({ api, params }, { termId, seconds }) =>
    api.giveFloor({ params, body: { termId, ...(seconds === null ? {} : { seconds }) } }),
  lowerHands: ({ api, params }, { termIds }) => api.lowerHands({ params, body: { termIds } }),
  timer: ({ api, params }, { termId, seconds }) =>
    api.startTimer({ params, body: { seconds, ...(termId === null ? {} : { termId }) } }),
  timerChange: ({ api, params }, { action, seconds }) => api.changeTimer({ params, body: { action, seconds } }),
  timerStop: ({ api, params }) => api.stopTimer({ params }),
  rollCall: ({ api, params }, { termIds }) => api.startRollCall({ params, body: { termIds } }),
  callUp: async ({ api, params }, { termId }) => (termId === null ? null : api.callUp({ params, body: { termId } })),
  rollMark: ({ api, params }, { termId, mark }) => api.markRollCall({ params, body: { termId, mark } }),
  rollCallEnd: ({ api, params }) => api.endRollCall({ params }),
  vote: ({ api, params }, { question, options, isSecret }) =>
    api.openVote({ params, body: { question, options, isSecret } }),
  voteClose: ({ api, params }) => api.closeVote({ params }),
  voteDismiss: ({ api, params }) => api.dismissVote({ params }),
  scene: ({ api, params }, { sceneId }) => api.applyScene({ params: { ...params, sceneId } }),
};

/**
 * Sends a command to a conference by its route: the one way for room and desk. Resolves with the server's answer, null
 * for routes without one. Rejects with ApiError.
 */
export async function sendCommand(
  api: ConferenceApi,
  meetId: string,
  command: CommandRequest,
): Promise<CommandAnswer | null> {
  const route = ROUTES[command.verb] as (target: Target, command: CommandRequest) => Promise<CommandAnswer | null>;
  return route({ api, meetId, params: { meetId } }, command);
}

async function callEach(api: ConferenceApi, meetId: string, targets: readonly string[]): Promise<CommandAnswer | null> {
  const answers = await Promise.all(
    targets.map((termId) => api.changeStatus({ params: RZ, body: { meetId, termId, status: 'CALL' } })),
  );
  return answers.at(-1) ?? null;
}

/** The request for these captions; the server counts their time from its own clock. */
function captionsBody(banner: Banner | null): Partial<BannerInput> {
  if (banner === null) return { text: '' };
  const { since, until, ...form } = banner;
  return {
    ...form,
    seconds: until === null ? 0 : Math.max(1, Math.round((Date.parse(until) - Date.parse(since)) / 1_000)),
  };
}
