import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Floor } from './floor.ts';
import type { RollCall } from './roll-call.ts';
import type { Scenes } from './scenes.ts';
import type { Timer } from './timer.ts';
import type { Votes } from './votes.ts';

export type ProceedingRoute =
  | 'giveFloor'
  | 'lowerHands'
  | 'startTimer'
  | 'changeTimer'
  | 'stopTimer'
  | 'startRollCall'
  | 'markRollCall'
  | 'callUp'
  | 'endRollCall'
  | 'openVote'
  | 'castBallot'
  | 'closeVote'
  | 'dismissVote'
  | 'ballots'
  | 'scenes'
  | 'saveScene'
  | 'changeScene'
  | 'deleteScene'
  | 'applyScene';
export type ProceedingHandlers = Pick<Handlers<typeof contract.conferences>, ProceedingRoute>;

/** Routes of the floor, the timer, roll calls, votes and scenes. */
export function proceedingRoutes({
  floor,
  timer,
  rollCall,
  votes,
  scenes,
}: {
  floor: Floor;
  timer: Timer;
  rollCall: RollCall;
  votes: Votes;
  scenes: Scenes;
}): ProceedingHandlers {
  return {
    giveFloor: (context, { params, body: { termId, seconds = null } }) =>
      floor.give(context, params.meetId, termId, seconds),
    lowerHands: (context, { params, body }) => floor.lowerHands(context, params.meetId, body.termIds),
    startTimer: (context, { params, body: { termId = null, seconds } }) =>
      timer.start(context, params.meetId, termId, seconds),
    changeTimer: (context, { params, body: { action, seconds } }) =>
      timer.change(context, params.meetId, action, seconds),
    stopTimer: (context, { params }) => timer.stop(context, params.meetId),
    startRollCall: (context, { params, body }) => rollCall.start(context, params.meetId, body.termIds),
    markRollCall: (context, { params, body: { termId, mark } }) => rollCall.mark(context, params.meetId, termId, mark),
    callUp: (context, { params, body }) => rollCall.callUp(context, params.meetId, body.termId),
    endRollCall: (context, { params }) => rollCall.end(context, params.meetId),

    openVote: (context, { params, body }) => votes.open(context, params.meetId, body),
    castBallot: (context, { params: { meetId, voteId }, body }) => votes.cast(context, meetId, voteId, body.option),
    closeVote: (context, { params }) => votes.close(context, params.meetId),
    dismissVote: (context, { params }) => votes.dismiss(context, params.meetId),
    ballots: (context, { params: { meetId, voteId } }) => votes.ballots(context, meetId, voteId),

    scenes: (context, { params }) => scenes.list(context, params.meetId),
    saveScene: (context, { params, body }) => scenes.save(context, params.meetId, body),
    changeScene: (context, { params: { meetId, sceneId }, body }) => scenes.update(context, meetId, sceneId, body),
    deleteScene: (context, { params: { meetId, sceneId } }) => scenes.remove(context, meetId, sceneId),
    applyScene: (context, { params: { meetId, sceneId } }) => scenes.apply(context, meetId, sceneId),
  };
}
