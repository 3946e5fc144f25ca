import { useEffect, useRef, type ReactNode } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Loading } from '../../ui/states.tsx';
import { useChecks } from './checks.ts';
import { MailTest } from './MailTest.tsx';
import { MediaCheck } from './MediaCheck.tsx';
import { Lines } from './Outcome.tsx';
import { Step } from './Section.tsx';

/** What was set up, as the next steps name it. */
export interface SetUp {
  operator: string;
  /** Null when the page is opened again later. */
  administrator: string | null;
  /** The operator's e-mail address, where there is one. */
  email: string;
  /** The address people use, or the one this page is at. */
  origin: string;
  isSignedIn: boolean;
}

const BACKUP_FOLDER = 'RMEET_BACKUP_FOLDER=/var/backups/rmeet';

/** The end of the setup: what to do so that people meet, and trials of what was set. */
export function NextSteps({ done: { operator, administrator, email, origin, isSignedIn } }: { done: SetUp }) {
  const t = useTexts('setup');
  const heading = useRef<HTMLHeadingElement>(null);
  const checks = useChecks(isSignedIn);
  useEffect(() => heading.current?.focus(), []);
  const settings = checks.data;
  const steps: { title: string; content: ReactNode }[] = [];
  if (administrator !== null) steps.push({ title: t('next.users'), content: <p className="setup-name">{t('next.usersHint', { address: `${origin}/manage/`, account: administrator })}</p> });
  steps.push(
    { title: t('next.media'), content: settings ? <MediaCheck media={settings.media} /> : <p>{t('next.mediaHint')}</p> },
    { title: t('next.mail'), content: settings ? <MailTest mail={settings.mail} email={email} /> : <p>{t('next.mailHint')}</p> },
  );
  if (settings?.isSelfSigned && location.protocol === 'https:') steps.push({ title: t('next.certificate'), content: <p>{t('next.certificateHint')}</p> });
  if (!settings?.hasBackups) steps.push({ title: t('next.backup'), content: <Backups /> });
  if (checks.isLoading) return <Loading />;
  return (
    <div className="setup-said" data-testid="setup-next">
      <div>
        <h1 ref={heading} tabIndex={-1}>{t('next.title')}</h1>
        <p className="setup-hint setup-name">{t(isSignedIn ? 'next.signedIn' : 'next.notSignedIn', { account: operator })}</p>
      </div>
      {steps.map(({ title, content }, index) => <Step key={title} number={index + 1} title={title}>{content}</Step>)}
      <a className="button button-primary button-large" href="/admin/" data-testid="setup-admin">{t('next.admin')}</a>
    </div>
  );
}

function Backups() {
  const t = useTexts('setup');
  return (
    <>
      <p>{t('next.backupHint')}</p>
      <Lines text={BACKUP_FOLDER} />
    </>
  );
}
