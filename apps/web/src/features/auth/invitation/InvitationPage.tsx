import type { FactorDemand } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, ApiError, sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { Loading } from '../../../ui/states.tsx';
import { FactorStep } from '../factor/FactorStep.tsx';
import { InvitationForm } from './InvitationForm.tsx';
import '../texts.ts';
import '../login.css';

/** Opened by the link of an invitation: its person sets the first password, and is signed in. */
export function InvitationPage() {
  const t = useTexts('auth');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const secret = params.get('secret') ?? '';
  const title = t('invitation.title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  const invitation = useQuery({
    queryKey: ['invitation', secret],
    queryFn: () => api.invitations.read({ body: { secret } }),
    enabled: secret !== '',
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });

  const [demand, setDemand] = useState<FactorDemand | null>(null);
  const onSignedIn = () => void navigate('/', { replace: true });

  const content = (): ReactNode => {
    if (demand)
      return (
        <FactorStep
          demand={demand}
          onSignedIn={onSignedIn}
          onRestart={() => void navigate('/login', { replace: true })}
        />
      );
    if (secret === '') return <Refused text={t('invitation.noSecret')} />;
    if (invitation.data)
      return <InvitationForm secret={secret} invited={invitation.data} onSignedIn={onSignedIn} onFactor={setDemand} />;
    if (!invitation.isError) return <Loading />;
    return (
      <Refused
        text={sentenceOf(invitation.error) ?? t('unreachable')}
        // Only a refusal is final.
        {...(invitation.error instanceof ApiError && invitation.error.httpStatus === 406
          ? {}
          : { retry: () => void invitation.refetch() })}
      />
    );
  };

  return (
    <div className="login">
      <header className="login-language">
        <LanguageSwitch />
      </header>
      <main className="login-card login-invitation" data-testid="invitation">
        <div className="login-brand">
          <Logo open />
        </div>
        <h1>{title}</h1>
        {content()}
      </main>
    </div>
  );
}

function Refused({ text, retry }: { text: string; retry?: () => void }) {
  const t = useTexts('auth');
  return (
    <>
      <p className="login-error" role="alert" data-testid="invitation-refused">
        {text}
      </p>
      {retry && (
        <p className="login-join">
          <Button onClick={retry}>{t('invitation.retry')}</Button>
        </p>
      )}
      <p className="login-join">
        <Link to="/login" replace>
          {t('invitation.login')}
        </Link>
      </p>
    </>
  );
}
