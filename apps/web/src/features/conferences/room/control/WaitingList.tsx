import type { WaitingTerminal } from '@rmeet/contract';
import { useId } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { useT } from '../../texts.ts';
import type { PeopleDialog } from './PeopleDialogs.tsx';
import type { Control } from './useControl.ts';

interface WaitingListProps {
  waiting: readonly WaitingTerminal[];
  control: Control;
  onDialog: (dialog: PeopleDialog) => void;
}

/** People waiting for admission, with their messages. */
export function WaitingList({ waiting, control: { send }, onDialog }: WaitingListProps) {
  const t = useT();
  const id = useId();
  const admit = (termIds: string[]) => void send({ verb: 'admit', termIds });
  return (
    <section className="waiting" aria-labelledby={id}>
      <div className="waiting-title">
        <h3 id={id}>{t('people.waiting', { count: waiting.length })}</h3>
        {waiting.length > 1 && (
          <Button kind="primary" data-testid="admit-all" onClick={() => admit(waiting.map((each) => each.termId))}>
            {t('people.admitAll')}
          </Button>
        )}
      </div>
      <ul>
        {waiting.map(({ termId, name, message }) => (
          <li key={termId} className="person" data-testid="waiting-person">
            <span className="person-name">
              {name}
              {message !== null && (
                <q className="waiting-message" data-testid="waiting-message">
                  {message}
                </q>
              )}
            </span>
            <Button
              kind="quiet"
              aria-label={t('people.refuseOne', { name })}
              data-testid={`refuse-${termId}`}
              onClick={() => onDialog({ kind: 'refuse', people: [{ termId, name }] })}
            >
              {t('people.refuse')}
            </Button>
            <Button
              kind="primary"
              aria-label={t('people.admitOne', { name })}
              data-testid={`admit-${termId}`}
              onClick={() => admit([termId])}
            >
              {t('people.admit')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
