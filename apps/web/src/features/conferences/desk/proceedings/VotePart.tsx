import { useDesk, useDeskPart } from '../context.ts';
import { VoteControl, VoteShown } from '../../vote/VoteControl.tsx';

/** A question to everyone inside, and the result. */
export function VotePart({ may }: { may: boolean }) {
  const desk = useDesk();
  const { api, meetId } = desk;
  const parts = {
    meetId,
    vote: useDeskPart(({ state }) => state.control.vote),
    total: useDeskPart(({ state }) => state.terminals.length),
    ballots: (voteId: string) => api.ballots({ params: { meetId, voteId } }),
  };
  if (may) return <VoteControl {...parts} act={(command) => desk.act(command)} />;
  return parts.vote === null ? <p className="desk-nothing">–</p> : <VoteShown {...parts} />;
}
