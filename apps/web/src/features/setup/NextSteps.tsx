import { useEffect, useRef, type ReactNode } from 'react';
import type { contract, Data } from '@rmeet/contract';
import { isApiError, sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
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

type Settings = Data<typeof contract.setup.checks>;

const BACKUP_FOLDER = 'RMEET_BACKUP_FOLDER=/var/backups/rmeet';

/** The end of the setup: what to do so that people meet, and trials of what was set. */
export function NextSteps({ done }: { done: SetUp }) {
  const t = useTexts('setup');
  const checks = useChecks(done.isSignedIn);
  if (checks.isLoading) return <Loading />;
  return (
    <Steps done={done} settings={checks.data}>
      {checks.isError && !isApiError(checks.error, 'FORBIDDEN') && (
        <div className="setup-fault" role="alert">
          <p>{sentenceOf(checks.error) ?? t('unreachable')}</p>
          <Button onClick={() => void checks.refetch()}>{t('retry')}</Button>
        </div>
      )}
    </Steps>
  );
}

/**
 * Without settings nothing can be tried: users who are not signed in, or do not manage the platform, read what to
 * set.
 */
function Steps({
  done: { operator, administrator, email, origin, isSignedIn },
  settings,
  children,
}: {
  done: SetUp;
  settings: Settings | undefined;
  children: ReactNode;
}) {
  const t = useTexts('setup');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const steps: { title: string; content: ReactNode }[] = [];
  if (administrator !== null)
    steps.push({
      title: t('next.users'),
      content: <p>{t('next.usersHint', { address: `${origin}/manage/`, account: administrator })}</p>,
    });
  steps.push(
    {
      title: t('next.media'),
      content: settings ? <MediaCheck media={settings.media} /> : <p>{t('next.mediaHint')}</p>,
    },
    {
      title: t('next.mail'),
      content: settings ? <MailTest mail={settings.mail} email={email} /> : <p>{t('next.mailHint')}</p>,
    },
  );
  if (settings?.isSelfSigned && location.protocol === 'https:')
    steps.push({ title: t('next.certificate'), content: <p>{t('next.certificateHint')}</p> });
  if (!settings?.hasBackups) steps.push({ title: t('next.backup'), content: <Backups /> });
  return (
    <div className="setup-said" data-testid="setup-next">
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {t('next.title')}
        </h1>
        <p className="setup-hint">{t(isSignedIn ? 'next.signedIn' : 'next.notSignedIn', { account: operator })}</p>
      </div>
      {children}
      {steps.map(({ title, content }, index) => (
        <Step key={title} number={index + 1} title={title}>
          {content}
        </Step>
      ))}
      <a className="button button-primary button-large" href="/admin/" data-testid="setup-admin">
        {t('next.admin')}
      </a>
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
