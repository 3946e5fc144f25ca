import type { Vote } from '@rmeet/conference';
import type { Data, contract } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import type { CommandRequest } from '../shared/commands.ts';
import { useKeptFocus } from '../shared/useKeptFocus.ts';
import { voteResult } from '../shared/proceedings.ts';
import { PreparedVotes } from './PreparedVotes.tsx';
import { keepPrepared, readPrepared, type Ballot } from './prepared.ts';
import { useT } from './texts.ts';
import { VoteForm } from './VoteForm.tsx';
import './vote.css';

export interface VoteControlProps {
  meetId: string;
  vote: Vote | null;
  /** How many people are inside. */
  total: number;
  /** Sends a command; resolves with whether it was accepted. */
  act: (command: CommandRequest<'vote' | 'voteClose' | 'voteDismiss'>) => Promise<boolean>;
  /** Who chose what, after an open vote. */
  ballots: (voteId: string) => Promise<Data<typeof contract.conferences.ballots>>;
}

/** Puts a question to everyone inside, follows the ballots, and closes it; at the desk and in the room. */
export function VoteControl(props: VoteControlProps) {
  const { vote } = props;
  useKeptFocus(vote === null ? 'vote-question' : vote.counts === null ? 'vote-close' : 'vote-dismiss');
  if (vote === null) return <NewVote {...props} />;
  return vote.counts === null ? <Open {...props} vote={vote} /> : <Result {...props} vote={vote} />;
}

/** What a person sees who may not open votes, while one is open or its result is shown. */
export function VoteShown({ vote, ...props }: Omit<VoteControlProps, 'act'>) {
  if (vote === null) return null;
  return vote.counts === null ? <Open {...props} vote={vote} /> : <Result {...props} vote={vote} />;
}

function NewVote({ meetId, act }: VoteControlProps) {
  const [prepared, setPrepared] = useState(() => readPrepared(meetId));
  const keep = (ballots: readonly Ballot[]) => setPrepared(keepPrepared(meetId, ballots));
  const open = (ballot: Ballot) => act({ verb: 'vote', ...ballot });
  const without = (ballot: Ballot) => prepared.filter((each) => each !== ballot);
  return (
    <>
      {prepared.length > 0 && (
        <PreparedVotes
          prepared={prepared}
          onOpen={async (ballot) => {
            if (await open(ballot)) keep(without(ballot));
          }}
          onDrop={(ballot) => keep(without(ballot))}
        />
      )}
      <VoteForm onOpen={open} onPrepare={(ballot) => keep([...prepared, ballot])} />
    </>
  );
}

type OfVote = Omit<VoteControlProps, 'vote' | 'act'> & Partial<Pick<VoteControlProps, 'act'>> & { vote: Vote };

function Open({ vote, total, act }: OfVote) {
  const t = useT();
  const [isBusy, setBusy] = useState(false);
  const close = async () => {
    setBusy(true);
    await act?.({ verb: 'voteClose' });
    setBusy(false);
  };
  return (
    <div className="vote-control">
      <p className="vote-control-question">{vote.question}</p>
      <p role="status" data-testid="vote-progress">
        {t('cast', { count: vote.cast, total })}
      </p>
      <progress max={Math.max(1, total, vote.cast)} value={vote.cast} aria-hidden="true" />
      {act !== undefined && (
        <Button kind="primary" busy={isBusy} data-testid="vote-end" onClick={() => void close()}>
          {t('close')}
        </Button>
      )}
    </div>
  );
}

function Result({ vote, ballots, act }: OfVote) {
  const t = useT();
  return (
    <div className="vote-control">
      <p className="vote-control-question">{vote.question}</p>
      <ul className="vote-control-result" data-testid="vote-counts">
        {voteResult(vote)?.map(({ option, count, percent }) => (
          <li key={option}>
            <span>{t('result', { option, count, percent })}</span>
            <progress max={Math.max(1, vote.cast)} value={count} aria-hidden="true" />
          </li>
        ))}
      </ul>
      <p>{t('total', { count: vote.cast })}</p>
      {!vote.isSecret && <Ballots vote={vote} ballots={ballots} />}
      {act !== undefined && (
        <Button data-testid="vote-dismiss" onClick={() => void act({ verb: 'voteDismiss' })}>
          {t('dismiss')}
        </Button>
      )}
    </div>
  );
}

function Ballots({ vote, ballots }: Pick<OfVote, 'vote' | 'ballots'>) {
  const t = useT();
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['ballots', vote.id],
    queryFn: () => ballots(vote.id),
    meta: { quiet: 'unloaded' },
  });
  return (
    <details className="vote-ballots" data-testid="vote-ballots">
      <summary>{t('who')}</summary>
      {isPending && <p>{t('loading')}</p>}
      {isError && <ErrorState retry={() => void refetch()} />}
      <ul>
        {Object.entries(data ?? []).map(([key, { name, option }]) => (
          <li key={key}>
            {name}: {vote.options[option]}
          </li>
        ))}
      </ul>
    </details>
  );
}
