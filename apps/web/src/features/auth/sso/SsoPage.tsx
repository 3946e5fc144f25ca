import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { api, sentenceOf } from '../../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session, system } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { loginPath, ownPath } from '../../../lib/paths.ts';
import { attemptOf, forgetAttempt, goToProvider, type SsoAttempt } from '../../../lib/sso.ts';
import { Button } from '../../../ui/Button.tsx';
import { Loading } from '../../../ui/states.tsx';
import { demandOf } from '../demand.ts';
import { FactorStep } from '../factor/FactorStep.tsx';
import { SsoCard } from './SsoCard.tsx';

/** Why an answer was not sent to the server. */
type Fault = 'denied' | 'failed' | 'otherBrowser';

class NotSent extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}

/** Finishes what this tab began, with the answer in the address. Resolves with the path to go to. */
async function finish(params: URLSearchParams): Promise<SsoAttempt> {
  const error = params.get('error');
  if (error !== null) throw new NotSent(error === 'access_denied' ? 'denied' : 'failed');
  const attempt = attemptOf(params.get('state'));
  if (!attempt) throw new NotSent('otherBrowser');
  const { state, secret } = attempt;
  const sent = Object.fromEntries(
    ['code', 'ticket', 'iss'].flatMap((name) => {
      const value = params.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  if (attempt.purpose === 'link') {
    await api.sso.link({ body: { state, secret, ...sent } });
    forgetAttempt();
    return attempt;
  }
  const { token, user, redirect } = await api.sso.verifyToToken({
    body: { state, secret, ...sent, deviceId: deviceId() },
  });
  forgetAttempt();
  session.open(token, user);
  keepLastSignIn(user);
  return { ...attempt, redirect };
}

/** `/sso`: where identity providers send people back to. */
export function SsoPage() {
  const t = useTexts('sso');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const state = params.get('state') ?? '';
  const { data, error } = useQuery({
    queryKey: ['sso', state],
    queryFn: () => finish(params),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
  useEffect(() => {
    if (!data) return;
    const path = ownPath(data.redirect);
    if (data.purpose === 'link') toast('success', () => t('linked'));
    if (data.app === system) void navigate(path, { replace: true });
    else location.replace(`/${data.app}/#${path}`);
  }, [data, navigate, t]);

  if (error === null)
    return (
      <SsoCard title={t('title')}>
        <Loading />
      </SsoCard>
    );
  const demand = demandOf(error);
  if (demand)
    return (
      <SsoCard title={t('title')}>
        <FactorStep
          demand={demand}
          onSignedIn={() => void navigate(ownPath(attemptOf(state)?.redirect ?? '/'), { replace: true })}
          onRestart={() => void navigate('/login', { replace: true })}
        />
      </SsoCard>
    );
  const said = error instanceof NotSent ? t(error.fault) : (sentenceOf(error) ?? t('unreachable'));
  return (
    <SsoCard title={t('title')}>
      <Refused said={said} attempt={attemptOf(params.get('state'))} />
    </SsoCard>
  );
}

/** What went wrong, and the ways on. */
function Refused({ said, attempt }: { said: string; attempt: SsoAttempt | null }) {
  const t = useTexts('sso');
  const again = useMutation({ meta: { quiet: true }, mutationFn: (of: SsoAttempt) => goToProvider(of) });
  const back = session.token === null ? loginPath(attempt?.redirect ?? '/') : '/userInfo';
  return (
    <>
      <p className="login-error" role="alert" data-testid="sso-error">
        {again.isError ? (sentenceOf(again.error) ?? t('unreachable')) : said}
      </p>
      {attempt && (
        <Button
          kind="primary"
          large
          busy={again.isPending}
          data-testid="sso-again"
          onClick={() => again.mutate(attempt)}
        >
          {t('again')}
        </Button>
      )}
      <p className="login-join">
        <Link to={back} replace data-testid="sso-back">
          {t(session.token === null ? 'back' : 'backToAccount')}
        </Link>
      </p>
    </>
  );
}
