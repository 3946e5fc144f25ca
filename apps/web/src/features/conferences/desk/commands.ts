import type { ConferenceCommand, PollingSettings, TimerAction } from '@rmeet/conference';
import type { Client, CommandAnswer, contract } from '@rmeet/contract';
import { sendProceeding } from './proceedings/commands.ts';
import { sendScreenCommand } from './screen/commands.ts';

export type DeskApi = Client<typeof contract.conferences>;
/** Commands that the server completes: with times, counts, whose turn it is. */
type Completed =
  | 'undo'
  | 'polling'
  | 'pollingTurn'
  | 'giveFloor'
  | 'timer'
  | 'timerChange'
  | 'rollCall'
  | 'rollCallEnd'
  | 'vote'
  | 'voteClose'
  | 'scene'
  | 'moveZone'
  | 'reset';

/** What a desk can ask for. */
export type DeskCommand =
  | Exclude<ConferenceCommand, { verb: 'arrive' | 'depart' | 'selfUnmute' | 'grant' | 'voteCount' | Completed }>
  | { verb: 'undo'; commandId: string }
  | { verb: 'polling'; settings: Partial<PollingSettings> | null; lectureId: string | null }
  | { verb: 'pollingTurn'; step: { step: 'next' | 'previous' } | { termId: string } }
  | { verb: 'giveFloor'; termId: string; seconds: number | null }
  | { verb: 'timer'; termId: string | null; seconds: number }
  | { verb: 'timerChange'; action: TimerAction; seconds: number }
  | { verb: 'rollCall'; termIds: string[] }
  | { verb: 'rollCallEnd' }
  | { verb: 'vote'; question: string; options: string[]; isSecret: boolean }
  | { verb: 'voteClose' }
  | { verb: 'scene'; sceneId: string; name: string };

const RZ = { res: 'rz' };

/** Sends a command by its route. Resolves with what the server made of it; null for those that answer nothing. */
export async function sendCommand(api: DeskApi, meetId: string, command: DeskCommand): Promise<CommandAnswer | null> {
  const params = { meetId };
  switch (command.verb) {
    case 'muteAll':
      if (!command.muted) return api.unMuteAll({ params: RZ, body: { meetId } });
      return api.muteAll({
        params: RZ,
        body: {
          meetId,
          except: command.except,
          ...(command.allowSelfUnmute === null ? {} : { allowSelfUnmute: command.allowSelfUnmute }),
        },
      });
    case 'mute':
      return api.termMute({ params: RZ, body: { meetId, termIds: command.termIds, mute: command.muted } });
    case 'askUnmute':
      return api.askUnmute({ params, body: { termIds: command.termIds } });
    case 'camera':
      return api.screenVideo({ params: RZ, body: { meetId, termIds: command.termIds, open: command.open } });
    case 'volume':
      return api.setVolumeTerminal({
        params: RZ,
        body: { conferId: meetId, termId: command.termId, volume: command.volume },
      });
    case 'limitVideo':
      return api.limitVideo({
        params: RZ,
        body: { meetId, termIds: command.termIds, maxHeight: command.maxHeight as 180 | 360 | 720 | null },
      });
    case 'entry': {
      const { verb: _, ...body } = command;
      return api.entry({ params, body });
    }
    case 'chairman':
      return api.setConfChairman({ params: RZ, query: { meetId, termId: command.termId ?? '' } });
    case 'coChairs':
      return api.coChairs({ params, body: { termIds: command.termIds, appoint: command.appoint } });
    case 'speaker':
      return api.setConfSpeaker({ params: RZ, query: { meetId, termId: command.termId ?? '' } });
    case 'mode':
      return api.setConfMode({
        params: RZ,
        query: { meetId, videoSet: command.mode, ...(command.termId === null ? {} : { termId: command.termId }) },
      });
    case 'lock':
      return api.setConfLock({ params: RZ, query: { meetId, conflock: command.locked ? '1' : '0' } });
    case 'rename':
      return api.updateTermialName({ params: RZ, query: { meetId, termId: command.termId, termName: command.name } });
    case 'top':
      return api.termTop({ query: { meetId, termId: command.termId, flag: command.top ? '1' : '0' } });
    case 'sort':
      return api.termSort({ query: { meetId }, body: { termIds: command.termIds } });
    case 'admit':
      return api.admit({ params, body: { termIds: command.termIds, admit: true } });
    case 'refuse':
      return api.admit({ params, body: { termIds: command.termIds, admit: false, reason: command.reason } });
    case 'sendBack':
      return api.sendBack({ params, body: { termIds: command.termIds } });
    case 'remove':
      return api.delTermBatch({
        params: { ...RZ, id: meetId },
        query: { termIds: command.termIds.join(','), canReturn: String(command.canReturn) },
      });
    case 'call':
      return command.targets.length === 0
        ? api.callAll({ params: RZ, body: { meetId } })
        : callEach(api, meetId, command.targets);
    case 'extend':
      return api.extend({ params: { id: meetId }, query: { delay: command.minutes } });
    case 'end':
      return api.end({ params });
    case 'layout':
    case 'seats':
    case 'terminalLayout':
    case 'window':
    case 'contentLock':
    case 'dualStream':
    case 'banner':
      return sendScreenCommand(api, meetId, command);
    case 'undo':
      return api.undo({ params, body: { commandId: command.commandId } });
    default:
      return sendProceeding(api, meetId, command);
  }
}

async function callEach(api: DeskApi, meetId: string, targets: readonly string[]): Promise<CommandAnswer | null> {
  const answers = await Promise.all(
    targets.map((termId) => api.changeStatus({ params: RZ, body: { meetId, termId, status: 'CALL' } })),
  );
  return answers.at(-1) ?? null;
}
