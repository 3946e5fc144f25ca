import { deviceOf } from '@rmeet/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api, sentenceOf } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { Loading } from '../../../ui/states.tsx';
import '../texts.ts';
import '../login.css';

/** On a phone that has scanned the code of a sign-in page: asks whether that browser may sign in. */
export function ScanPage() {
  const t = useTexts('auth');
  const [params] = useSearchParams();
  const code = params.get('code') ?? '';
  const title = t('scan.title');
  useEffect(() => {
    document.title = title;
  }, [title]);
  const scan = useQuery({
    queryKey: ['scan', code],
    queryFn: () => api.scanLogon.scan({ body: { code } }),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
  const answer = useMutation({
    meta: { quiet: true },
    mutationFn: (accept: boolean) => api.scanLogon.answer({ body: { code, accept } }),
  });
  const error = scan.error ?? answer.error;
  return (
    <div className="login">
      <main className="login-card login-scan">
        <div className="login-brand">
          <Logo open />
        </div>
        <h1>{title}</h1>
        {error !== null ? (
          <Said text={sentenceOf(error) ?? t('unreachable')} isError />
        ) : answer.isSuccess ? (
          <Said text={t(answer.variables ? 'scan.done' : 'scan.refused')} />
        ) : scan.data ? (
          <Question asked={scan.data} busy={answer.isPending} onAnswer={(accept) => answer.mutate(accept)} />
        ) : (
          <Loading />
        )}
      </main>
    </div>
  );
}

function Said({ text, isError = false }: { text: string; isError?: boolean }) {
  const t = useTexts('auth');
  return (
    <>
      <p className={isError ? 'login-error' : undefined} role={isError ? 'alert' : 'status'} data-testid="scan-said">
        {text}
      </p>
      <p className="login-join">
        <Link to="/" replace>
          {t('scan.home')}
        </Link>
      </p>
    </>
  );
}

interface QuestionProps {
  asked: Awaited<ReturnType<typeof api.scanLogon.scan>>;
  busy: boolean;
  onAnswer: (accept: boolean) => void;
}

/** Which browser asks, and from where: a code may have been sent by somebody else. */
function Question({ asked: { userAgent, address, askedAt }, busy, onAnswer }: QuestionProps) {
  const t = useTexts('auth');
  const { browser, system } = deviceOf(userAgent);
  const device = [browser, system].filter((part) => part !== null).join(' · ') || t('scan.unknownDevice');
  return (
    <>
      <p>{t('scan.question', { name: session.user?.name ?? '' })}</p>
      <dl className="login-scan-facts" data-testid="scan-facts">
        <dt>{t('scan.device')}</dt>
        <dd>{device}</dd>
        <dt>{t('scan.address')}</dt>
        <dd>{address}</dd>
        <dt>{t('scan.time')}</dt>
        <dd>{formatTime(askedAt)}</dd>
      </dl>
      <p className="login-scan-warning">{t('scan.warning')}</p>
      <div className="login-scan-buttons">
        <Button kind="primary" large busy={busy} data-testid="scan-accept" onClick={() => onAnswer(true)}>
          {t('scan.accept')}
        </Button>
        <Button large busy={busy} data-testid="scan-refuse" onClick={() => onAnswer(false)}>
          {t('scan.refuse')}
        </Button>
      </div>
    </>
  );
}
