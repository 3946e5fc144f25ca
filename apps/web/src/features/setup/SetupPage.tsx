import { decodeContact } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { api, isApiError, sentenceOf } from '../../lib/api/index.ts';
import { session } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { PageHelp } from '../../ui/PageHelp.tsx';
import { showFallback } from '../../ui/screenFallback.tsx';
import { Loading } from '../../ui/states.tsx';
import { NextSteps, type SetUp } from './NextSteps.tsx';
import { SetupForm } from './SetupForm.tsx';
import './texts.ts';
import './setup.css';

/** Command that prints the link, run in Rmeet's working directory unless RMEET_DATA names another folder. */
const SHOW_LINK = 'cat data/setup-link';

/** The setup of a new installation: a form for the holder of the link, then the next steps. */
export function SetupPage({ secret }: { secret: string | null }) {
  const t = useTexts('setup');
  const [done, setDone] = useState<SetUp | null>(null);
  useEffect(() => {
    document.title = `${t('title')} · Rmeet`;
    showFallback();
  }, [t]);
  return (
    <div className="setup">
      <header className="setup-language">
        <PageHelp page="setup" />
        <LanguageSwitch />
      </header>
      <main className="setup-card">
        <div className="setup-brand">
          <Logo open />
        </div>
        {done ? <NextSteps done={done} /> : <Beginning secret={secret} onDone={setDone} />}
      </main>
    </div>
  );
}

/** The server's answer about the link; only the secret decides whether there is a form. */
function Beginning({ secret, onDone }: { secret: string | null; onDone: (done: SetUp) => void }) {
  const t = useTexts('setup');
  const begun = useQuery({
    queryKey: ['setup', secret],
    queryFn: async () => {
      if (!(await api.setup.state()).isOpen) return 'done' as const;
      return secret === null ? null : api.setup.begin({ body: { secret } });
    },
    meta: { quiet: true },
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (begun.isPending) return <Loading />;
  if (begun.data === 'done' || isApiError(begun.error, 'SETUP_DONE')) return <SetUpAlready />;
  if (begun.data === null) return <WhereTheLinkIs />;
  if (isApiError(begun.error, 'SETUP_LINK_INVALID')) return <WhereTheLinkIs fault={begun.error.message} />;
  if (begun.isError) {
    return (
      <Said title={t('title')}>
        <p role="alert" className="setup-fault">
          {sentenceOf(begun.error) ?? t('unreachable')}
        </p>
        <Button onClick={() => void begun.refetch()}>{t('retry')}</Button>
      </Said>
    );
  }
  return <SetupForm secret={secret ?? ''} begun={begun.data} onDone={onDone} />;
}

function Said({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="setup-said">
      <h1>{title}</h1>
      {children}
    </div>
  );
}

function WhereTheLinkIs({ fault }: { fault?: string }) {
  const t = useTexts('setup');
  return (
    <Said title={t('link.title')}>
      {fault !== undefined && (
        <p role="alert" className="setup-fault" data-testid="setup-fault">
          {fault}
        </p>
      )}
      <p>{t('link.hint')}</p>
      <pre className="setup-command">{SHOW_LINK}</pre>
      <p className="setup-hint">{t('link.again')}</p>
    </Said>
  );
}

/** Operators see the next steps again, with the tests; all others see where to sign in. */
function SetUpAlready() {
  const t = useTexts('setup');
  const operator = useQuery({
    queryKey: ['setup-operator'],
    queryFn: () => api.operators.current(),
    enabled: session.token !== null && !session.isForeign,
    meta: { quiet: true },
    retry: false,
    staleTime: Infinity,
  });
  if (operator.isLoading) return <Loading />;
  if (operator.data) {
    const { account, email } = operator.data;
    return (
      <NextSteps
        done={{
          operator: account,
          administrator: null,
          email: decodeContact(email),
          origin: location.origin,
          isSignedIn: true,
        }}
      />
    );
  }
  return (
    <Said title={t('done.before')}>
      <p>{t('done.beforeHint')}</p>
      <p className="setup-ways">
        <a href="/">{t('done.signIn')}</a>
        <a href="/admin/">{t('done.signInAdmin')}</a>
      </p>
    </Said>
  );
}
