import { useEffect, useRef } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';

/** What was set up, as the next steps name it. */
export interface SetUp {
  operator: string;
  administrator: string;
  /** The address people use, or the one this page is at. */
  origin: string;
  isSignedIn: boolean;
}

/** The end of the setup: what to do so that people meet. */
export function NextSteps({ done: { operator, administrator, origin, isSignedIn } }: { done: SetUp }) {
  const t = useTexts('setup');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isEncrypted = location.protocol === 'https:';
  return (
    <div className="setup-said" data-testid="setup-next">
      <h1 ref={heading} tabIndex={-1}>{t('next.title')}</h1>
      <p>{t(isSignedIn ? 'next.signedIn' : 'next.notSignedIn', { account: operator })}</p>
      <ol className="setup-steps">
        <li>{t('next.users', { address: `${origin}/manage/`, account: administrator })}</li>
        <li>{t('next.ports')}</li>
        {isEncrypted && <li>{t('next.certificate')}</li>}
        <li>{t('next.mail')}</li>
        <li>{t('next.backup')}</li>
      </ol>
      <a className="button button-primary button-large" href="/admin/" data-testid="setup-admin">{t('next.admin')}</a>
    </div>
  );
}
