import { VOTE_OPTIONS } from '@rmeet/conference';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Ballot } from './prepared.ts';
import { useT } from './texts.ts';

const QUESTION_LENGTH = 200;
const OPTION_LENGTH = 60;
const KINDS = ['quick', 'choices'] as const;
type Kind = (typeof KINDS)[number];

/** An option being edited; it has a key because two options may have the same text for a while. */
interface Option {
  key: number;
  text: string;
}

let made = 0;
const optionOf = (text: string): Option => ({ key: ++made, text });

interface VoteFormProps {
  /** Resolves with whether the vote was opened. */
  onOpen: (ballot: Ballot) => Promise<boolean>;
  onPrepare: (ballot: Ballot) => void;
}

/** What the form holds, and the ballot it makes. */
function useBallot() {
  const t = useT();
  const [question, setQuestion] = useState('');
  const [kind, setKind] = useState<Kind>('quick');
  const [own, setOwn] = useState(() => ['', ''].map(optionOf));
  const [isSecret, setSecret] = useState(true);
  const options =
    kind === 'quick'
      ? [t('yes'), t('no'), t('abstain')]
      : own.map(({ text }) => text.trim()).filter((option) => option !== '');
  const isDoubled = new Set(options).size < options.length;
  return {
    fields: { question, setQuestion, kind, setKind, own, setOwn, isSecret, setSecret },
    ballot: { question: question.trim(), options, isSecret },
    isDoubled,
    isWhole: question.trim() !== '' && options.length >= VOTE_OPTIONS.min && !isDoubled,
    clear: () => {
      setQuestion('');
      setOwn(['', ''].map(optionOf));
    },
  };
}

/** A question with yes, no and abstain, or with own options; opened at once or kept for later. */
export function VoteForm({ onOpen, onPrepare }: VoteFormProps) {
  const t = useT();
  const { fields, ballot, isDoubled, isWhole, clear } = useBallot();
  const [isBusy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    await onOpen(ballot);
    setBusy(false);
  };
  const prepare = () => {
    onPrepare(ballot);
    clear();
  };
  return (
    <form
      className="vote-control"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole && !isBusy) void open();
      }}
    >
      <input
        className="vote-control-field"
        value={fields.question}
        maxLength={QUESTION_LENGTH}
        placeholder={t('questionHint')}
        aria-label={t('question')}
        autoComplete="off"
        data-focus
        data-testid="vote-question"
        onChange={(event) => fields.setQuestion(event.target.value)}
      />
      <KindChoice kind={fields.kind} onChoose={fields.setKind} />
      {fields.kind === 'choices' && <OptionFields options={fields.own} onChange={fields.setOwn} />}
      {isDoubled && (
        <p className="vote-fault" role="alert">
          {t('same')}
        </p>
      )}
      <SecretSwitch on={fields.isSecret} onToggle={fields.setSecret} />
      <div className="vote-acts">
        <Button disabled={!isWhole} data-testid="vote-prepare" onClick={prepare}>
          {t('prepare')}
        </Button>
        <Button kind="primary" type="submit" busy={isBusy} disabled={!isWhole} data-testid="vote-begin">
          {t('open')}
        </Button>
      </div>
    </form>
  );
}

function SecretSwitch({ on, onToggle }: { on: boolean; onToggle: (on: boolean) => void }) {
  const t = useT();
  return (
    <label className="vote-secret">
      <input
        type="checkbox"
        role="switch"
        checked={on}
        data-testid="vote-secret"
        onChange={(event) => onToggle(event.target.checked)}
      />
      <span>
        {t('secret')}
        <small>{t('secretHint')}</small>
      </span>
    </label>
  );
}

function KindChoice({ kind, onChoose }: { kind: Kind; onChoose: (kind: Kind) => void }) {
  const t = useT();
  return (
    <div className="vote-kinds" role="radiogroup" aria-label={t('kind')}>
      {KINDS.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="vote-kind"
            checked={kind === each}
            data-testid={`vote-kind-${each}`}
            onChange={() => onChoose(each)}
          />
          <span>{t(`kinds.${each}`)}</span>
        </label>
      ))}
    </div>
  );
}

function OptionFields({ options, onChange }: { options: readonly Option[]; onChange: (options: Option[]) => void }) {
  const t = useT();
  return (
    <>
      {options.map(({ key, text }, at) => (
        <div key={key} className="vote-option-line">
          <input
            className="vote-control-field"
            value={text}
            maxLength={OPTION_LENGTH}
            placeholder={t('option', { number: at + 1 })}
            aria-label={t('option', { number: at + 1 })}
            autoComplete="off"
            data-testid={`vote-choice-${at}`}
            onChange={(event) => onChange(options.with(at, { key, text: event.target.value }))}
          />
          {options.length > VOTE_OPTIONS.min && (
            <IconButton
              icon="close"
              label={t('removeOption', { number: at + 1 })}
              onClick={() => onChange(options.toSpliced(at, 1))}
            />
          )}
        </div>
      ))}
      {options.length < VOTE_OPTIONS.max && (
        <Button kind="quiet" data-testid="vote-add" onClick={() => onChange([...options, optionOf('')])}>
          {t('addOption')}
        </Button>
      )}
    </>
  );
}
