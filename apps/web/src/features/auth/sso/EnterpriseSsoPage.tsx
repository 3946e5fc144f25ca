import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useSearchParams } from 'react-router';
import { sentenceOf } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { loginPath, ownPath } from '../../../lib/paths.ts';
import { goToProvider } from '../../../lib/sso.ts';
import { Button } from '../../../ui/Button.tsx';
import { Loading } from '../../../ui/states.tsx';
import { useLoginModes } from '../useLoginModes.ts';
import { ProviderButtons } from './ProviderButtons.tsx';
import { SsoCard } from './SsoCard.tsx';
import { SsoPage } from './SsoPage.tsx';

/**
 * `/rmeetsso`, the entry for portals of an organisation (`?tenant=`): goes to its identity provider; with an answer of
 * one, the same as `/sso`.
 */
export function EnterpriseSsoPage() {
  const t = useTexts('auth');
  const [params] = useSearchParams();
  const { providers, isLoading } = useLoginModes();
  if (['code', 'ticket', 'error'].some((name) => params.has(name))) return <SsoPage />;
  const redirect = ownPath(params.get('redirect'));
  if (session.token !== null) return <Navigate replace to={redirect} />;
  const [first, ...others] = providers;
  return (
    <SsoCard title={t('sso.title')}>
      {isLoading ? (
        <Loading />
      ) : !first ? (
        <NoProvider redirect={redirect} />
      ) : others.length === 0 ? (
        <Going providerId={first.id} redirect={redirect} />
      ) : (
        <ProviderButtons providers={providers} redirect={redirect} />
      )}
    </SsoCard>
  );
}

function NoProvider({ redirect }: { redirect: string }) {
  const t = useTexts('auth');
  return (
    <>
      <p className="login-error" role="alert" data-testid="sso-error">
        {t('sso.none')}
      </p>
      <p className="login-join">
        <Link to={loginPath(redirect)} replace>
          {t('sso.back')}
        </Link>
      </p>
    </>
  );
}

function Going({ providerId, redirect }: { providerId: string; redirect: string }) {
  const t = useTexts('auth');
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
  return (
    <>
      <p className="login-error" role="alert" data-testid="sso-error">
        {sentenceOf(going.error) ?? t('unreachable')}
      </p>
      <Button kind="primary" large data-testid="sso-again" onClick={() => void going.refetch()}>
        {t('sso.again')}
      </Button>
      <p className="login-join">
        <Link to={loginPath(redirect)} replace>
          {t('sso.back')}
        </Link>
      </p>
    </>
  );
}
