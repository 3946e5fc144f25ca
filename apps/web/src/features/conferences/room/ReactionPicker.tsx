import { REACTIONS, type Reaction } from '@rmeet/contract';
import type { KeyboardEvent } from 'react';
import { useT } from '../texts.ts';
import { ReactionImage } from './ReactionImage.tsx';
import './reactions.css';

/** The reactions as buttons in a row; arrow keys move along it. */
export function ReactionChoices({ onReact }: { onReact: (reaction: Reaction) => void }) {
  const t = useT();
  return (
    <div className="reaction-choices" role="group" aria-label={t('reactions.title')} onKeyDown={moveAlong}>
      {REACTIONS.map((reaction) => (
        <button
          key={reaction}
          type="button"
          className="reaction-choice"
          aria-label={t(`reactions.${reaction}`)}
          title={t(`reactions.${reaction}`)}
          data-testid={`react-${reaction}`}
          onClick={() => onReact(reaction)}
        >
          <ReactionImage reaction={reaction} />
        </button>
      ))}
    </div>
  );
}

function moveAlong(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  buttons.at((buttons.indexOf(document.activeElement as HTMLButtonElement) + step) % buttons.length)?.focus();
}
