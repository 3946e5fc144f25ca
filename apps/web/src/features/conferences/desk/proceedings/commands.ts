import type { CommandAnswer } from '@rmeet/contract';
import type { DeskApi, DeskCommand } from '../commands.ts';

const RZ = { res: 'rz' };

type ProceedingVerb =
  | 'polling'
  | 'broadcastPolling'
  | 'pollingTime'
  | 'pollingTurn'
  | 'giveFloor'
  | 'lowerHands'
  | 'timer'
  | 'timerChange'
  | 'timerStop'
  | 'rollCall'
  | 'callUp'
  | 'rollMark'
  | 'rollCallEnd'
  | 'vote'
  | 'voteClose'
  | 'voteDismiss'
  | 'scene';
export type ProceedingCommand = Extract<DeskCommand, { verb: ProceedingVerb }>;

/** Sends a command about turns, the floor, roll calls, votes or a scene. */
export async function sendProceeding(
  api: DeskApi,
  meetId: string,
  command: ProceedingCommand,
): Promise<CommandAnswer | null> {
  const params = { meetId };
  switch (command.verb) {
    case 'polling': {
      if (command.settings === null)
        return api.setPollingState({ params: RZ, query: { meetId, polling: '0' }, body: {} });
      const { roomsOnly, ...body } = command.settings;
      const lecture = command.lectureId === null ? {} : { lectureId: command.lectureId };
      const rooms = roomsOnly === undefined ? {} : { meetingRoom: roomsOnly ? ('1' as const) : ('0' as const) };
      return api.setPollingState({ params: RZ, query: { meetId, polling: '1', ...lecture, ...rooms }, body });
    }
    case 'broadcastPolling':
      return api.startBroadcastPolling({ params: RZ, body: { meetId, pollingEnable: command.on } });
    case 'pollingTime':
      return api.setPollingTimeSpan({ params: RZ, query: { meetId, timespan: command.seconds } });
    case 'pollingTurn':
      return api.turnPolling({ params, body: command.step });
    case 'giveFloor':
      return api.giveFloor({
        params,
        body: { termId: command.termId, ...(command.seconds === null ? {} : { seconds: command.seconds }) },
      });
    case 'lowerHands':
      return api.lowerHands({ params, body: { termIds: command.termIds } });
    case 'timer':
      return api.startTimer({
        params,
        body: { seconds: command.seconds, ...(command.termId === null ? {} : { termId: command.termId }) },
      });
    case 'timerChange':
      return api.changeTimer({ params, body: { action: command.action, seconds: command.seconds } });
    case 'timerStop':
      return api.stopTimer({ params });
    case 'rollCall':
      return api.startRollCall({ params, body: { termIds: command.termIds } });
    case 'callUp':
      return command.termId === null ? null : api.callUp({ params, body: { termId: command.termId } });
    case 'rollMark':
      return api.markRollCall({ params, body: { termId: command.termId, mark: command.mark } });
    case 'rollCallEnd':
      return api.endRollCall({ params });
    case 'vote':
      return api.openVote({
        params,
        body: { question: command.question, options: command.options, isSecret: command.isSecret },
      });
    case 'voteClose':
      return api.closeVote({ params });
    case 'voteDismiss':
      return api.dismissVote({ params });
    case 'scene':
      return api.applyScene({ params: { ...params, sceneId: command.sceneId } });
  }
}
