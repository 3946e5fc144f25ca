import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { Ballot } from './prepared.ts';
import { useT } from './texts.ts';

interface PreparedVotesProps {
  prepared: readonly Ballot[];
  onOpen: (ballot: Ballot) => Promise<void>;
  onDrop: (ballot: Ballot) => void;
}

/** The votes that were prepared for this meeting, each opened by one press. */
export function PreparedVotes({ prepared, onOpen, onDrop }: PreparedVotesProps) {
  const t = useT();
  return (
    <ul className="vote-prepared" aria-label={t('prepared')} data-testid="vote-prepared">
      {prepared.map((ballot, at) => (
        // Two may be the same.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={`${ballot.question} ${at}`}>
          <span>
            <strong>{ballot.question}</strong>
            <small>{ballot.options.join(' · ')}</small>
          </span>
          <Button
            aria-label={t('startOf', { question: ballot.question })}
            data-testid={`vote-start-${at}`}
            onClick={() => void onOpen(ballot)}
          >
            {t('start')}
          </Button>
          <IconButton
            icon="close"
            label={t('drop', { question: ballot.question })}
            data-testid={`vote-drop-${at}`}
            onClick={() => onDrop(ballot)}
          />
        </li>
      ))}
    </ul>
  );
}
