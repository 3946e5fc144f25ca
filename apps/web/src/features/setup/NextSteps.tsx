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

/** The result of the setup, used by the next steps. */
export interface SetUp {
  operator: string;
  /** Null if the page is opened again later. */
  administrator: string | null;
  /** The operator's e-mail address, if known. */
  email: string;
  /** The URL that people use, or the page's own. */
  origin: string;
  isSignedIn: boolean;
}

type Settings = Data<typeof contract.setup.checks>;

const BACKUP_FOLDER = 'RMEET_BACKUP_FOLDER=/var/backups/rmeet';

/** The end of the setup: the next steps, and tests of the settings. */
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
 * Without the settings nothing can be tested: users who are not signed in, or do not manage the platform, read which
 * values to set.
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
  if (settings && settings.lostPasskeys.length > 0)
    steps.push({ title: t('next.passkeys'), content: <LostPasskeys lost={settings.lostPasskeys} /> });
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

/** Passkeys that stopped with a changed address. */
function LostPasskeys({ lost }: { lost: Settings['lostPasskeys'] }) {
  const t = useTexts('setup');
  return (
    <>
      <p>{t('next.passkeysHint')}</p>
      <ul data-testid="lost-passkeys">
        {lost.map(({ name, count }) => (
          <li key={name}>{t('next.passkeysOf', { name, count })}</li>
        ))}
      </ul>
    </>
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
