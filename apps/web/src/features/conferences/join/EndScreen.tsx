import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { CallEnd } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { useT } from '../texts.ts';

/** Ends after which the same meeting can be entered again. */
const CAN_RETURN: ReadonlySet<CallEnd> = new Set(['left', 'gone', 'elsewhere']);

/** What happened, and the way on. */
export function EndScreen({ end, signedIn, onAgain, onOther }: { end: CallEnd; signedIn: boolean; onAgain: () => void; onOther: () => void }) {
  const t = useT();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="join">
      <header className="join-header">
        <Logo open />
      </header>
      <main className="join-main join-main-narrow">
        <section className="join-card" data-testid="call-ended" data-end={end}>
          <h1 ref={title} tabIndex={-1}>
            {t(`end.${end}`)}
          </h1>
          <p className="join-lead">{t(`end.${end}Hint`)}</p>
          {CAN_RETURN.has(end) && (
            <Button kind="primary" large data-testid="end-again" onClick={onAgain}>
              {t('end.again')}
            </Button>
          )}
          {signedIn ? (
            <Link className="join-way" to="/myMeeting" data-testid="end-home">
              {t('end.home')}
            </Link>
          ) : (
            <button type="button" className="link-button join-way" data-testid="end-other" onClick={onOther}>
              {t('end.other')}
            </button>
          )}
        </section>
      </main>
    </div>
  );
}
