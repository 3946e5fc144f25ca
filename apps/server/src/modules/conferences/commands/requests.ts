import { applyCommand, bannerOf, controlChanges, type ConferenceCommand } from '@rmeet/conference';
import type { CommandAnswer, CommandRequest, RequestVerb } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import type { Calls, Extend, Invites } from '../calls/index.ts';
import type { Control, ControlContext, Moderation, Polling } from '../control/index.ts';
import { canUndo } from '../control/present.ts';
import { findCommand, findUndoing } from '../control/repo.ts';
import { mayCommand } from '../policy.ts';
import type { Floor, RollCall, Scenes, Timer, Votes } from '../proceedings/index.ts';
import type { Moves } from '../topology/index.ts';

export interface RequestDeps {
  control: Control;
  moderation: Moderation;
  polling: Polling;
  floor: Floor;
  timer: Timer;
  rollCall: RollCall;
  votes: Votes;
  scenes: Scenes;
  calls: Calls;
  invites: Pick<Invites, 'invite'>;
  extend: Extend;
  moves: Moves;
  /** Ends the conference for all. */
  end: (context: ControlContext, meetId: string) => Promise<void>;
  now: () => Date;
}

type RequestOf<V extends RequestVerb> = Extract<CommandRequest, { verb: V }>;
type Perform<V extends RequestVerb> = (
  context: ControlContext,
  meetId: string,
  request: RequestOf<V>,
) => Promise<CommandAnswer | null>;

/** Verbs whose request is the command itself. */
type PlainVerb = {
  [V in RequestVerb]: RequestOf<V> extends ConferenceCommand ? V : never;
}[RequestVerb];
type CompletedVerb = Exclude<RequestVerb, PlainVerb> | 'muteAll' | 'layout' | 'terminalLayout' | 'sort' | PeopleVerb;
type PeopleVerb =
  | 'admit'
  | 'refuse'
  | 'sendBack'
  | 'remove'
  | 'call'
  | 'cancelCall'
  | 'invite'
  | 'extend'
  | 'end'
  | 'record';

export type GiveCommand = (
  context: ControlContext,
  meetId: string,
  request: CommandRequest,
) => Promise<CommandAnswer | null>;

/** Only CUSTOM has places of its own. */
const placesOf = <L extends { model: string; places: unknown[] }>(layout: L): L =>
  layout.model === 'CUSTOM' ? layout : { ...layout, places: [] };

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
/** The fields that have a value. */
const given = <T extends object>(fields: T): Given<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;

/**
 * Carries out requests to a running conference. Most verbs are applied as they are; those of the table need what the
 * server knows, or change more than the control state.
 */
export function createRequests(deps: RequestDeps): GiveCommand {
  const completed = completedVerbs(deps);
  return (context, meetId, request) => {
    const perform = completed[request.verb as CompletedVerb] as Perform<RequestVerb> | undefined;
    if (perform) return perform(context, meetId, request);
    const command = request as RequestOf<PlainVerb> & ConferenceCommand;
    return deps.control.command(context, meetId, command.verb, () => command);
  };
}

function completedVerbs(deps: RequestDeps): { [V in CompletedVerb]: Perform<V> } {
  return { ...screenVerbs(deps), ...peopleVerbs(deps), ...proceedingVerbs(deps), ...historyVerbs(deps) };
}

type Verbs<V extends RequestVerb> = { [K in V]: Perform<K> };

function screenVerbs({ control, now }: RequestDeps): Verbs<'layout' | 'terminalLayout' | 'banner'> {
  return {
    layout: (context, meetId, request) => control.command(context, meetId, 'layout', () => placesOf(request)),
    terminalLayout: (context, meetId, request) =>
      control.command(context, meetId, 'terminalLayout', () => ({
        ...request,
        layout: request.layout && placesOf(request.layout),
      })),
    banner: (context, meetId, { termId, banner }) =>
      control.command(context, meetId, 'banner', () => ({ verb: 'banner', termId, banner: bannerOf(banner, now()) })),
  };
}

function peopleVerbs({
  control,
  moderation,
  calls,
  invites,
  extend,
  end,
}: RequestDeps): Verbs<PeopleVerb | 'muteAll' | 'sort'> {
  return {
    /** A terminal that mutes all others is not muted itself. */
    muteAll: (context, meetId, request) =>
      control.command(context, meetId, 'muteAll', ({ by }) => ({
        ...request,
        except:
          !request.muted || by.termId === null || request.except.includes(by.termId)
            ? request.except
            : [...request.except, by.termId],
      })),
    sort: (context, meetId, { termIds }) =>
      control.command(context, meetId, 'sort', ({ conference }) => ({
        verb: 'sort',
        termIds: [...new Set(termIds)].filter((termId) => conference.control.terminals[termId]),
      })),
    admit: async (context, meetId, { termIds }) => {
      await moderation.admit(context, meetId, termIds);
      return null;
    },
    refuse: async (context, meetId, { termIds, reason }) => {
      await moderation.refuse(context, meetId, termIds, reason);
      return null;
    },
    sendBack: (context, meetId, { termIds }) => moderation.sendBack(context, meetId, termIds),
    remove: (context, meetId, { termIds, canReturn }) => moderation.remove(context, meetId, termIds, canReturn),
    call: async (context, meetId, { targets }) => {
      if (targets.length === 0) return calls.callAll(context, meetId);
      // One after the other, so that one request does not take all database connections.
      let answer: CommandAnswer | null = null;
      for (const target of targets) answer = await calls.call(context, meetId, target);
      return answer;
    },
    cancelCall: (context, meetId, { targets }) => calls.cancel(context, meetId, targets),
    invite: (context, meetId, request) => invites.invite(context, meetId, request),
    record: () => Promise.reject(new AppError('RECORDING_UNAVAILABLE')),
    extend: (context, meetId, { minutes }) => extend.extend(context, meetId, minutes),
    end: async (context, meetId) => {
      await end(context, meetId);
      return null;
    },
  };
}

function proceedingVerbs({
  polling,
  floor,
  timer,
  rollCall,
  votes,
  scenes,
}: RequestDeps): Verbs<
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
  | 'rollMark'
  | 'callUp'
  | 'rollCallEnd'
  | 'vote'
  | 'voteClose'
  | 'voteDismiss'
  | 'scene'
> {
  return {
    polling: (context, meetId, { settings, lectureId }) =>
      settings === null ? polling.stop(context, meetId) : polling.start(context, meetId, given(settings), lectureId),
    broadcastPolling: (context, meetId, { on }) => polling.broadcast(context, meetId, on),
    pollingTime: (context, meetId, { seconds }) => polling.setSeconds(context, meetId, seconds),
    pollingTurn: (context, meetId, { to }) => polling.turn(context, meetId, to),
    giveFloor: (context, meetId, { termId, seconds }) => floor.give(context, meetId, termId, seconds),
    lowerHands: (context, meetId, { termIds }) => floor.lowerHands(context, meetId, termIds),
    timer: (context, meetId, { termId, seconds }) => timer.start(context, meetId, termId, seconds),
    timerChange: (context, meetId, { action, seconds }) => timer.change(context, meetId, action, seconds),
    timerStop: (context, meetId) => timer.stop(context, meetId),
    rollCall: (context, meetId, { termIds }) => rollCall.start(context, meetId, termIds),
    rollMark: (context, meetId, { termId, mark }) => rollCall.mark(context, meetId, termId, mark),
    callUp: (context, meetId, { termId }) => rollCall.callUp(context, meetId, termId),
    rollCallEnd: (context, meetId) => rollCall.end(context, meetId),
    vote: (context, meetId, request) => votes.open(context, meetId, request),
    voteClose: (context, meetId) => votes.close(context, meetId),
    voteDismiss: (context, meetId) => votes.dismiss(context, meetId),
    scene: (context, meetId, { sceneId }) => scenes.apply(context, meetId, sceneId),
  };
}

function historyVerbs({ control, moves }: RequestDeps): Verbs<'undo' | 'moveZone' | 'reset'> {
  return {
    undo: (context, meetId, { commandId }) =>
      control.command(context, meetId, 'undo', async ({ conference, parts }, tx) => {
        const row = await findCommand(tx, conference.id, commandId);
        if (!row || !canUndo(row)) throw new AppError('UNDO_IMPOSSIBLE');
        if (!mayCommand(parts, row.command.verb)) throw new AppError('FORBIDDEN');
        const undo = { verb: 'undo', commandId, changes: row.changes } as const;
        const isStale = controlChanges(conference.control, applyCommand(conference.control, undo)).length === 0;
        if (isStale || (await findUndoing(tx, [commandId])).length > 0) throw new AppError('UNDO_IMPOSSIBLE');
        return undo;
      }),
    moveZone: (context, meetId, { fromZoneId, zoneId }) => moves.moveZone(context, meetId, fromZoneId, zoneId),
    reset: (context, meetId, { mcuIds }) => moves.reset(context, meetId, mcuIds),
  };
}
