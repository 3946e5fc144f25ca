import type { CommandRequest, RequestVerb } from '@rmeet/contract';
import type { DocumentCall } from './document-calls.ts';

/**
 * Under which call the audit log records each verb, whichever call gave the command; a verb without a call of the
 * product document is recorded as `command`.
 */
const CALL_OF_VERB: Partial<Record<RequestVerb, DocumentCall | ((request: never) => DocumentCall)>> = {
  mute: 'termMute',
  muteAll: ({ muted }: { muted: boolean }) => (muted ? 'muteAll' : 'unMuteAll'),
  askUnmute: 'askUnmute',
  camera: 'screenVideo',
  volume: 'setVolumeTerminal',
  limitVideo: 'limitVideo',
  entry: 'entry',
  chairman: 'setConfChairman',
  coChairs: 'coChairs',
  speaker: 'setConfSpeaker',
  mode: 'setConfMode',
  lock: 'setConfLock',
  record: 'setConfRecord',
  rename: 'updateTermialName',
  top: 'termTop',
  sort: 'termSort',
  admit: 'admit',
  refuse: 'admit',
  sendBack: 'sendBack',
  remove: 'delTermBatch',
  call: ({ targets }: { targets: string[] }) => (targets.length === 0 ? 'callAll' : 'changeStatus'),
  extend: 'extend',
  end: 'end',
  layout: 'setLayout',
  seats: 'setScreen',
  terminalLayout: ({ layout }: { layout: unknown }) =>
    layout === null ? 'stopTerminalLayoutConfig' : 'setTerminalLayoutConfig',
  window: 'setChatLayout',
  contentLock: 'lockConfContent',
  dualStream: 'setDualStream',
  banner: ({ termId }: { termId: string | null }) => (termId === null ? 'setConfCaptions' : 'setTermCaptions'),
  polling: 'setPollingState',
  broadcastPolling: 'startBroadcastPolling',
  pollingTime: 'setPollingTimeSpan',
  pollingTurn: 'turnPolling',
  giveFloor: 'giveFloor',
  lowerHands: 'lowerHands',
  timer: 'startTimer',
  timerChange: 'changeTimer',
  timerStop: 'stopTimer',
  rollCall: 'startRollCall',
  rollMark: 'markRollCall',
  callUp: 'callUp',
  rollCallEnd: 'endRollCall',
  vote: 'openVote',
  voteClose: 'closeVote',
  voteDismiss: 'dismissVote',
  scene: 'applyScene',
  moveZone: 'moveZone',
  reset: 'reset',
  undo: 'undo',
};

/** The action that the audit log records for a request. */
export function auditAction(request: CommandRequest): string {
  const call = CALL_OF_VERB[request.verb] ?? 'command';
  return `conferences.${typeof call === 'string' ? call : call(request as never)}`;
}
