import type { Vote } from '@rmeet/conference';
import { useId, useState, type FormEvent } from 'react';
import type { Call } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { voteResult } from '../shared/proceedings.ts';
import { useT } from '../texts.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

/** Storage key for this window's choice, so that it survives a reload and rejoining. */
const kept = (voteId: string): string => `vote ${voteId}`;

/** The chair's question. A choice can be changed until the vote is closed; then everyone sees the result. */
export function VoteDialog({ call, vote, onClose }: { call: Call; vote: Vote; onClose: () => void }) {
  const t = useT();
  const result = voteResult(vote);
  return (
    <Dialog title={t(result === null ? 'vote.title' : 'vote.resultTitle')} testId="vote" onClose={onClose}>
      <p className="vote-question" data-testid="vote-question">
        {vote.question}
      </p>
      <p className="dialog-text">{t(vote.isSecret ? 'vote.secret' : 'vote.public')}</p>
      {result === null ? (
        <Ballot call={call} vote={vote} onClose={onClose} />
      ) : (
        <Result vote={vote} result={result} own={readChoice(vote.id)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Ballot({ call, vote, onClose }: { call: Call; vote: Vote; onClose: () => void }) {
  const t = useT();
  const name = useId();
  const [cast, setCast] = useState(() => readChoice(vote.id));
  const [chosen, setChosen] = useState(cast);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen === null) return;
    setBusy(true);
    try {
      await call.api.castBallot({ params: { meetId: call.meetId, voteId: vote.id }, body: { option: chosen } });
      sessionStorage.setItem(kept(vote.id), String(chosen));
      setCast(chosen);
    } catch (error) {
      reportError(error);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <fieldset className="vote-options">
        <legend className="visually-hidden">{vote.question}</legend>
        {vote.options.map((option, at) => (
          <label key={option} className="vote-option">
            <input
              type="radio"
              name={name}
              checked={chosen === at}
              data-focus={at === 0 ? '' : undefined}
              data-testid={`vote-option-${at}`}
              onChange={() => setChosen(at)}
            />
            <span>{option}</span>
          </label>
        ))}
      </fieldset>
      <p className="vote-cast" role="status" data-testid="vote-status">
        {cast !== null && `${t('vote.yours', { option: vote.options[cast] ?? '' })} `}
        {t('vote.cast', { count: vote.cast })}
      </p>
      <div className="dialog-buttons">
        <Button data-testid="vote-later" onClick={onClose}>
          {t(cast === null ? 'vote.later' : 'close')}
        </Button>
        <Button
          type="submit"
          kind="primary"
          busy={busy}
          disabled={chosen === null || chosen === cast}
          data-testid="vote-submit"
        >
          {t(cast === null ? 'vote.submit' : 'vote.change')}
        </Button>
      </div>
    </form>
  );
}

function Result({
  vote,
  result,
  own,
  onClose,
}: {
  vote: Vote;
  result: NonNullable<ReturnType<typeof voteResult>>;
  own: number | null;
  onClose: () => void;
}) {
  const t = useT();
  return (
    <>
      <ol className="vote-result" data-testid="vote-result">
        {result.map(({ option, count, percent }, at) => (
          <li key={option} data-testid={`vote-result-${at}`}>
            <span className="vote-result-option">{option}</span>
            <span className="vote-result-count">{t('vote.count', { count, percent })}</span>
            <span className="vote-bar" aria-hidden="true">
              <span style={{ width: `${percent}%` }} />
            </span>
          </li>
        ))}
      </ol>
      <p className="vote-cast" data-testid="vote-status">
        {own !== null && `${t('vote.yours', { option: vote.options[own] ?? '' })} `}
        {t('vote.total', { count: vote.cast })}
      </p>
      <div className="dialog-buttons">
        <Button data-focus data-testid="vote-close" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </>
  );
}

function readChoice(voteId: string): number | null {
  const stored = sessionStorage.getItem(kept(voteId));
  return stored === null ? null : Number(stored);
}
