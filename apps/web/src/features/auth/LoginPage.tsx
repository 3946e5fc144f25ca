import type { SignInMode } from '@rmeet/contract';
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { system } from '../../lib/browser.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ownPath } from '../../lib/paths.ts';
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Loading } from '../../ui/states.tsx';
import { LoginForm } from './LoginForm.tsx';
import { useLoginModes } from './useLoginModes.ts';
import './texts.ts';
import './login.css';

/** `RESET`: a new password by a code. */
type Shown = SignInMode | 'RESET';

const lazily = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(() => loadChunk(async () => ({ default: await load() })));
const QrSignIn = lazily(async () => (await import('./scan/QrSignIn.tsx')).QrSignIn);
const CodeForm = lazily(async () => (await import('./code/CodeForm.tsx')).CodeForm);

/** Signs in by one way, with the others behind it, then goes to the page the user wanted to open. */
export function LoginPage() {
  const t = useTexts('auth');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const { modes, tenantUri } = useLoginModes();
  const [chosen, choose] = useState<Shown | null>(null);
  const shown = chosen ?? modes[0] ?? 'PASSWORD';
  // Administrators can use their password in any case.
  const isForAdmins = !modes.includes('PASSWORD');
  const others: Shown[] = [
    ...modes,
    ...(modes.includes('SMS') ? (['RESET'] as const) : []),
    ...(isForAdmins ? (['PASSWORD'] as const) : []),
  ];
  const title = shown === 'RESET' ? t('code.title') : t(system === 'admin' ? 'titleAdmin' : 'title');
  const onSignedIn = () => void navigate(ownPath(params.get('redirect')), { replace: true });

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
        <Suspense fallback={<Loading />}>
          {shown === 'PASSWORD' && <LoginForm onSignedIn={onSignedIn} />}
          {shown === 'QR' && <QrSignIn onSignedIn={onSignedIn} />}
          {(shown === 'SMS' || shown === 'RESET') && (
            <CodeForm
              key={shown}
              purpose={shown === 'SMS' ? 'signIn' : 'password'}
              tenantUri={tenantUri}
              onSignedIn={onSignedIn}
            />
          )}
        </Suspense>
        <OtherModes modes={others.filter((mode) => mode !== shown)} isForAdmins={isForAdmins} onChoose={choose} />
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

interface OtherModesProps {
  modes: readonly Shown[];
  /** The password is for administrators only. */
  isForAdmins: boolean;
  onChoose: (mode: Shown) => void;
}

/** The ways to sign in that are not shown. */
function OtherModes({ modes, isForAdmins, onChoose }: OtherModesProps) {
  const t = useTexts('auth');
  return (
    <div className="login-modes" role="group" aria-label={t('modes')}>
      {modes.map((mode) => (
        <button
          key={mode}
          type="button"
          className={`login-organisation login-mode-${mode.toLowerCase()}`}
          data-testid={`login-mode-${mode}`}
          onClick={() => onChoose(mode)}
        >
          {t(mode === 'PASSWORD' && isForAdmins ? 'mode.ADMIN' : `mode.${mode}`)}
        </button>
      ))}
    </div>
  );
}
