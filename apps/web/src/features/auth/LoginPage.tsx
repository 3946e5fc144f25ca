import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { system } from '../../lib/browser.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ownPath } from '../../lib/paths.ts';
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Loading } from '../../ui/states.tsx';
import { LoginForm } from './LoginForm.tsx';
import './texts.ts';
import './login.css';

const QrSignIn = lazy(() => loadChunk(async () => ({ default: (await import('./scan/QrSignIn.tsx')).QrSignIn })));

/** Signs in with account and password, or with a phone, then goes to the page the user wanted to open. */
export function LoginPage() {
  const t = useTexts('auth');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [isByQr, setByQr] = useState(false);
  const onSignedIn = () => void navigate(ownPath(params.get('redirect')), { replace: true });
  const title = t(system === 'admin' ? 'titleAdmin' : 'title');

  useEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <div className="login">
      <header className="login-language">
        <LanguageSwitch />
      </header>
      <main className="login-card">
        <div className="login-brand">
          <Logo open />
          <p>{t('lead')}</p>
        </div>
        <h1>{title}</h1>
        {isByQr ? (
          <Suspense fallback={<Loading />}>
            <QrSignIn onSignedIn={onSignedIn} />
          </Suspense>
        ) : (
          <LoginForm onSignedIn={onSignedIn} />
        )}
        {system !== 'admin' && (
          <button
            type="button"
            className="login-organisation login-other-mode"
            aria-pressed={isByQr}
            data-testid="login-other-mode"
            onClick={() => setByQr(!isByQr)}
          >
            {t(isByQr ? 'byPassword' : 'byQr')}
          </button>
        )}
        {system !== 'admin' && (
          <p className="login-join">
            <Link to="/join" data-testid="login-join">
              {t('join')}
            </Link>
          </p>
        )}
      </main>
    </div>
  );
}
