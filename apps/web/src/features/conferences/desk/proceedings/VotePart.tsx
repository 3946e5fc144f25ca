import { VOTE_OPTIONS, type Vote } from '@rmeet/conference';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorState } from '../../../../ui/states.tsx';
import { useDesk, useDeskPart } from '../context.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';
import { useKeptFocus } from './useKeptFocus.ts';

const QUESTION_LENGTH = 200;
const OPTION_LENGTH = 60;

/** A question to everyone inside, and the result. */
export function VotePart({ may }: { may: boolean }) {
  const vote = useDeskPart(({ state }) => state.control.vote);
  useKeptFocus(vote === null ? 'desk-vote-question' : vote.counts === null ? 'desk-vote-close' : 'desk-vote-dismiss');
  if (vote === null) return may ? <VoteForm /> : <p className="desk-nothing">–</p>;
  return vote.counts === null ? <Open vote={vote} may={may} /> : <Result vote={vote} counts={vote.counts} may={may} />;
}

let made = 0;
/** An option being edited; it has a key because two options may have the same text for a while. */
const optionOf = (text: string): { key: number; text: string } => ({ key: ++made, text });

function VoteForm() {
  const t = useT();
  const desk = useDesk();
  const [question, setQuestion] = useState('');
  const [options, setOptions] = useState(() =>
    [t('proceed.vote.yes'), t('proceed.vote.no'), t('proceed.vote.abstain')].map(optionOf),
  );
  const [isSecret, setSecret] = useState(true);
  const given = options.map(({ text }) => text.trim()).filter((option) => option !== '');
  const isDoubled = new Set(given).size < given.length;
  const isWhole = question.trim() !== '' && given.length >= VOTE_OPTIONS.min && !isDoubled;
  return (
    <form
      className="desk-panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) void desk.act({ verb: 'vote', question: question.trim(), options: given, isSecret });
      }}
    >
      <input
        value={question}
        maxLength={QUESTION_LENGTH}
        placeholder={t('proceed.vote.questionHint')}
        aria-label={t('proceed.vote.question')}
        data-testid="desk-vote-question"
        onChange={(event) => setQuestion(event.target.value)}
      />
      <OptionFields options={options} onChange={setOptions} />
      {isDoubled && (
        <p className="desk-fault" role="alert">
          {t('proceed.vote.same')}
        </p>
      )}
      {options.length < VOTE_OPTIONS.max && (
        <Button kind="quiet" data-testid="desk-vote-add" onClick={() => setOptions([...options, optionOf('')])}>
          {t('proceed.vote.addOption')}
        </Button>
      )}
      <label className="desk-switch">
        <input
          type="checkbox"
          role="switch"
          checked={isSecret}
          data-testid="desk-vote-secret"
          onChange={(event) => setSecret(event.target.checked)}
        />
        <span>
          {t('proceed.vote.secret')}
          <small>{t('proceed.vote.secretHint')}</small>
        </span>
      </label>
      <Button kind="primary" type="submit" disabled={!isWhole} data-testid="desk-vote-open">
        {t('proceed.vote.open')}
      </Button>
    </form>
  );
}

interface Option {
  key: number;
  text: string;
}

function OptionFields({ options, onChange }: { options: readonly Option[]; onChange: (options: Option[]) => void }) {
  const t = useT();
  return (
    <>
      {options.map(({ key, text }, at) => (
        <div key={key} className="desk-panel-line">
          <input
            value={text}
            maxLength={OPTION_LENGTH}
            aria-label={t('proceed.vote.option', { number: at + 1 })}
            data-testid={`desk-vote-option-${at}`}
            onChange={(event) => onChange(options.with(at, { key, text: event.target.value }))}
          />
          {options.length > VOTE_OPTIONS.min && (
            <ActionButton
              bare
              icon="close"
              size={16}
              label={t('proceed.vote.removeOption', { number: at + 1 })}
              onAction={() => onChange(options.toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
    </>
  );
}

function Open({ vote, may }: { vote: Vote; may: boolean }) {
  const t = useT();
  const desk = useDesk();
  const total = useDeskPart(({ state }) => state.terminals.length);
  return (
    <div className="desk-panel-form">
      <p className="desk-vote-question">{vote.question}</p>
      <p role="status" data-testid="desk-vote-cast">
        {t('proceed.vote.cast', { count: vote.cast, total })}
      </p>
      {may && (
        <Button kind="primary" data-testid="desk-vote-close" onClick={() => void desk.act({ verb: 'voteClose' })}>
          {t('proceed.vote.close')}
        </Button>
      )}
    </div>
  );
}

function Result({ vote, counts, may }: { vote: Vote; counts: readonly number[]; may: boolean }) {
  const t = useT();
  const desk = useDesk();
  const percentOf = (count: number): number => (vote.cast === 0 ? 0 : Math.round((count / vote.cast) * 100));
  return (
    <div className="desk-panel-form">
      <p className="desk-vote-question">{vote.question}</p>
      <ul className="desk-vote-result" data-testid="desk-vote-result">
        {vote.options.map((option, at) => {
          const count = counts[at] ?? 0;
          return (
            <li key={option}>
              <span>{t('proceed.vote.result', { option, count, percent: percentOf(count) })}</span>
              <progress max={Math.max(1, vote.cast)} value={count} aria-hidden="true" />
            </li>
          );
        })}
      </ul>
      <p>{t('proceed.vote.total', { count: vote.cast })}</p>
      {!vote.isSecret && <Ballots vote={vote} />}
      {may && (
        <Button data-testid="desk-vote-dismiss" onClick={() => void desk.act({ verb: 'voteDismiss' })}>
          {t('proceed.vote.dismiss')}
        </Button>
      )}
    </div>
  );
}

function Ballots({ vote }: { vote: Vote }) {
  const t = useT();
  const desk = useDesk();
  const ballots = useQuery({
    queryKey: ['desk-ballots', vote.id],
    queryFn: () => desk.api.ballots({ params: { meetId: desk.meetId, voteId: vote.id } }),
    meta: { quiet: 'unloaded' },
  });
  return (
    <details className="desk-ballots" data-testid="desk-ballots">
      <summary>{t('proceed.vote.who')}</summary>
      {ballots.isPending && <p>{t('proceed.vote.loading')}</p>}
      {ballots.isError && <ErrorState retry={() => void ballots.refetch()} />}
      <ul>
        {Object.entries(ballots.data ?? []).map(([key, { name, option }]) => (
          <li key={key}>
            {name}: {vote.options[option]}
          </li>
        ))}
      </ul>
    </details>
  );
}
