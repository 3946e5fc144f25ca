import type { Call } from '../../../call/index.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useStorePart } from '../shared/use-store.ts';
import { useT } from '../texts.ts';
import { VoteControl } from '../vote/VoteControl.tsx';
import type { Control } from './control/useControl.ts';

/** Votes, for people who lead the meeting: the same control as at the desk. */
export function VoteControlDialog({ call, control, onClose }: { call: Call; control: Control; onClose: () => void }) {
  const t = useT();
  const vote = useStorePart(call.store, (state) => state.control.vote);
  const total = useStorePart(call.store, ({ conference }) => conference?.terminals.length ?? 0);
  const { api, meetId } = call;
  return (
    <Dialog title={t('vote.title')} testId="vote-control" onClose={onClose}>
      <VoteControl
        meetId={meetId}
        vote={vote}
        total={total}
        act={(command) => control.send(command)}
        ballots={(voteId) => api.ballots({ params: { meetId, voteId } })}
      />
    </Dialog>
  );
}
