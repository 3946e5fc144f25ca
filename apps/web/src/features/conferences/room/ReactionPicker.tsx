import { REACTIONS, type Reaction } from '@rmeet/contract';
import type { KeyboardEvent } from 'react';
import type { Call } from '../../../call/index.ts';
import { reportError } from '../../../lib/api/index.ts';
import { useT } from '../texts.ts';
import { ReactionImage } from './ReactionImage.tsx';
import './reactions.css';

/** The reactions as buttons in a row; arrow keys move along it. */
export function ReactionChoices({ call, onChosen }: { call: Call; onChosen?: () => void }) {
  const t = useT();
  const react = (reaction: Reaction) => {
    call.api.react({ params: { meetId: call.meetId }, body: { reaction } }).catch(reportError);
    onChosen?.();
  };
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
          onClick={() => react(reaction)}
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
