import type { FactorDemand, SignInMode, SsoChoice } from '@rmeet/contract';
import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { system } from '../../lib/browser.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { ownPath } from '../../lib/paths.ts';
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx';
import { PageHelp } from '../../ui/PageHelp.tsx';
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
const ProviderButtons = lazily(async () => (await import('./sso/ProviderButtons.tsx')).ProviderButtons);
const FactorStep = lazily(async () => (await import('./factor/FactorStep.tsx')).FactorStep);
const PasskeySignIn = lazily(async () => (await import('./passkey/PasskeySignIn.tsx')).PasskeySignIn);
const PasskeyAutofill = lazily(async () => (await import('./passkey/PasskeyAutofill.tsx')).PasskeyAutofill);
const CodeForm = lazily(async () => (await import('./code/CodeForm.tsx')).CodeForm);
const CertificateSignIn = lazily(async () => (await import('./certificate/CertificateSignIn.tsx')).CertificateSignIn);

/** Signs in by one way, with the others behind it, then goes to the page the user wanted to open. */
export function LoginPage() {
  const t = useTexts('auth');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const ways = useLoginModes();
  const { modes, providers } = ways;
  const [chosen, choose] = useState<Shown | null>(null);
  const [demand, setDemand] = useState<FactorDemand | null>(null);
  const shown = demand ? null : (chosen ?? modes[0] ?? 'PASSWORD');
  // Administrators can use their password in any case.
  const isForAdmins = !modes.includes('PASSWORD');
  const others: Shown[] = [
    ...modes,
    ...(modes.includes('SMS') ? (['RESET'] as const) : []),
    ...(isForAdmins ? (['PASSWORD'] as const) : []),
  ];
  const title = shown === 'RESET' ? t('code.title') : t(system === 'admin' ? 'titleAdmin' : 'title');
  const only = providers.length === 1 ? providers[0] : undefined;
  const redirect = ownPath(params.get('redirect'));
  const onSignedIn = () => void navigate(redirect, { replace: true });
  const ends = { onSignedIn, onFactor: setDemand };

  useEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <div className="login">
      <header className="login-language">
        <PageHelp page="sign-in" />
        <LanguageSwitch />
      </header>
      <main className="login-card">
        <div className="login-brand">
          <Logo open />
          <p>{t('lead')}</p>
        </div>
        <h1>{title}</h1>
        <Suspense fallback={<Loading />}>
          {demand && <FactorStep demand={demand} onSignedIn={onSignedIn} onRestart={() => setDemand(null)} />}
          {shown && <Way {...ends} {...ways} shown={shown} redirect={redirect} />}
        </Suspense>
        {!demand && (
          <OtherModes
            modes={others.filter((mode) => mode !== shown)}
            only={only}
            isForAdmins={isForAdmins}
            onChoose={choose}
          />
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

interface WayProps extends ReturnType<typeof useLoginModes> {
  shown: Shown;
  redirect: string;
  onSignedIn: () => void;
  onFactor: (demand: FactorDemand) => void;
}

/** The shown way to sign in. */
function Way({ shown, modes, providers, redirect, tenantUri, ...ends }: WayProps) {
  if (shown === 'PASSWORD')
    return (
      <>
        <LoginForm {...ends} />
        {/* It brings passkeys to the suggestions of the form, which does not wait for it. */}
        <Suspense>{modes.includes('PASSKEY') && <PasskeyAutofill {...ends} />}</Suspense>
      </>
    );
  if (shown === 'PASSKEY') return <PasskeySignIn {...ends} />;
  if (shown === 'SSO') return <ProviderButtons providers={providers} redirect={redirect} />;
  if (shown === 'QR') return <QrSignIn {...ends} />;
  if (shown === 'CERTIFICATE') return <CertificateSignIn tenantUri={tenantUri} {...ends} />;
  const purpose = shown === 'SMS' ? 'signIn' : 'password';
  return <CodeForm key={shown} purpose={purpose} tenantUri={tenantUri} {...ends} />;
}

interface OtherModesProps {
  modes: readonly Shown[];
  /** The identity provider of mode SSO, if there is one only. */
  only: SsoChoice | undefined;
  /** The password is for administrators only. */
  isForAdmins: boolean;
  onChoose: (mode: Shown) => void;
}

/** The ways to sign in that are not shown. */
function OtherModes({ modes, only, isForAdmins, onChoose }: OtherModesProps) {
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
          {mode === 'SSO' && only
            ? t('ssoWith', { name: only.name })
            : t(mode === 'PASSWORD' && isForAdmins ? 'mode.ADMIN' : `mode.${mode}`)}
        </button>
      ))}
    </div>
  );
}
