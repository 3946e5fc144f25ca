import type { SsoChoice } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearchParams } from 'react-router';
import { api, sentenceOf } from '../../../lib/api/index.ts';
import { lastSignIn, session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { loginPath, ownPath } from '../../../lib/paths.ts';
import { goToProvider } from '../../../lib/sso.ts';
import { Button } from '../../../ui/Button.tsx';
import { Loading } from '../../../ui/states.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import { SsoCard } from './SsoCard.tsx';
import { SsoPage } from './SsoPage.tsx';

/**
 * `/rmeetsso`, the entry for portals of an organisation (`?tenant=`): goes to its identity provider; with an answer of
 * one, the same as `/sso`.
 */
export function EnterpriseSsoPage() {
  const t = useTexts('sso');
  const [params] = useSearchParams();
  const tenantUri = params.get('tenant')?.trim() || lastSignIn()?.tenantId;
  const { data, error, refetch } = useQuery({
    queryKey: ['enterpriseProviders', tenantUri ?? null],
    queryFn: () => api.auth.loginMode({ query: tenantUri === undefined ? {} : { tenantUri } }),
    meta: { quiet: true },
  });
  if (['code', 'ticket', 'error'].some((name) => params.has(name))) return <SsoPage />;
  const redirect = ownPath(params.get('redirect'));
  if (session.token !== null) return <Navigate replace to={redirect} />;
  const providers = data?.providers;
  return (
    <SsoCard title={t('title')}>
      {error !== null ? (
        <Failed said={sentenceOf(error) ?? t('unreachable')} redirect={redirect} onAgain={() => void refetch()} />
      ) : !providers ? (
        <Loading />
      ) : (
        <Entry providers={providers} redirect={redirect} />
      )}
    </SsoCard>
  );
}

function Entry({ providers, redirect }: { providers: readonly SsoChoice[]; redirect: string }) {
  const t = useTexts('sso');
  const [first, ...others] = providers;
  if (!first) return <Failed said={t('none')} redirect={redirect} />;
  if (others.length === 0) return <Going providerId={first.id} redirect={redirect} />;
  return <ProviderButtons providers={providers} redirect={redirect} />;
}

/** What went wrong, and the ways on. */
function Failed({ said, redirect, onAgain }: { said: string; redirect: string; onAgain?: () => void }) {
  const t = useTexts('sso');
  return (
    <>
      <p className="login-error" role="alert" data-testid="sso-error">
        {said}
      </p>
      {onAgain && (
        <Button kind="primary" large data-testid="sso-again" onClick={onAgain}>
          {t('again')}
        </Button>
      )}
      <p className="login-join">
        <Link to={loginPath(redirect)} replace data-testid="sso-back">
          {t('back')}
        </Link>
      </p>
    </>
  );
}

function Going({ providerId, redirect }: { providerId: string; redirect: string }) {
  const t = useTexts('sso');
  const going = useQuery({
    queryKey: ['goToProvider', providerId],
    queryFn: async () => {
      await goToProvider({ purpose: 'signIn', providerId, redirect });
      return null;
    },
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
  if (!going.isError) return <Loading />;
  const said = sentenceOf(going.error) ?? t('unreachable');
  return <Failed said={said} redirect={redirect} onAgain={() => void going.refetch()} />;
}
