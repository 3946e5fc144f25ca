import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { CallEnd } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { useT } from '../texts.ts';

interface EndScreenProps {
  end: CallEnd;
  /** The reason given for a refusal or a removal; empty if none was given. */
  reason: string;
  /** False if the person was removed for good. */
  canReturn: boolean;
  signedIn: boolean;
  onAgain: () => void;
  onOther: () => void;
}

/** Ends after which the user can rejoin the same meeting. */
const CAN_RETURN: ReadonlySet<CallEnd> = new Set(['left', 'gone', 'elsewhere', 'removed', 'refused']);

/** Why the call ended, and how to continue. */
export function EndScreen({ end, reason, canReturn, signedIn, onAgain, onOther }: EndScreenProps) {
  const t = useT();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const isForGood = end === 'removed' && !canReturn;
  return (
    <div className="join">
      <header className="join-header">
        <Logo open />
        <LanguageSwitch />
      </header>
      <main className="join-main join-main-narrow">
        <section className="join-card" data-testid="call-ended" data-end={end} data-can-return={!isForGood}>
          <h1 ref={title} tabIndex={-1}>
            {t(`end.${end}`)}
          </h1>
          {reason !== '' && (
            <p className="end-reason" data-testid="end-reason">
              {t('end.reason')} <q>{reason}</q>
            </p>
          )}
          <p className="join-lead">{isForGood ? t('end.removedForGoodHint') : t(`end.${end}Hint`)}</p>
          {CAN_RETURN.has(end) && !isForGood && (
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
