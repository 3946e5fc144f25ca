import { useEffect } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ownPath } from '../../lib/paths.ts';
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { LoginForm } from './LoginForm.tsx';
import './texts.ts';
import './login.css';

/** Signs in with account and password, then goes to the page the user wanted to open. */
export function LoginPage() {
  const t = useTexts('auth');
  const navigate = useNavigate();
  const [params] = useSearchParams();
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
        <LoginForm onSignedIn={() => void navigate(ownPath(params.get('redirect')), { replace: true })} />
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
