import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Scenes } from './scenes.ts';
import type { Votes } from './votes.ts';

export type ProceedingHandlers = Pick<
  Handlers<typeof contract.conferences>,
  'castBallot' | 'ballots' | 'scenes' | 'saveScene' | 'changeScene' | 'deleteScene'
>;

/** Ballots, and the scenes of a meeting. */
export const proceedingRoutes = ({ votes, scenes }: { votes: Votes; scenes: Scenes }): ProceedingHandlers => ({
  castBallot: (context, { params: { meetId, voteId }, body }) => votes.cast(context, meetId, voteId, body.option),
  ballots: (context, { params: { meetId, voteId } }) => votes.ballots(context, meetId, voteId),
  scenes: (context, { params }) => scenes.list(context, params.meetId),
  saveScene: (context, { params, body }) => scenes.save(context, params.meetId, body),
  changeScene: (context, { params: { meetId, sceneId }, body }) => scenes.update(context, meetId, sceneId, body),
  deleteScene: (context, { params: { meetId, sceneId } }) => scenes.remove(context, meetId, sceneId),
});
