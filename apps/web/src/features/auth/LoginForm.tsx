import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { ApiError } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { canEncrypt } from './encrypt.ts';
import { useLogin, type Credentials } from './useLogin.ts';

const MISSING = { account: 'accountMissing', password: 'passwordMissing', captcha: 'captchaMissing' } as const;

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const t = useTexts('auth');
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<Credentials>({ account: '', password: '', captcha: '' });
  const [missing, setMissing] = useState<readonly (keyof Credentials)[]>([]);
  const [visible, setVisible] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const { login, needsCaptcha, captcha, checkCaptcha } = useLogin(onSignedIn);

  const field = (name: keyof Credentials) => ({
    name,
    value: values[name],
    error: missing.includes(name) ? t(MISSING[name]) : undefined,
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [name]: event.target.value });
      setMissing(missing.filter((other) => other !== name));
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const needed: (keyof Credentials)[] = needsCaptcha ? ['account', 'password', 'captcha'] : ['account', 'password'];
    const empty = needed.filter((name) => values[name].trim() === '');
    setMissing(empty);
    if (empty[0]) {
      form.current?.querySelector<HTMLInputElement>(`[name=${empty[0]}]`)?.focus();
      return;
    }
    login.mutate({ ...values, account: values.account.trim() }, { onError: () => setValues((now) => ({ ...now, captcha: '' })) });
  };

  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));

  return (
    <form ref={form} className="login-form" noValidate onSubmit={submit}>
      {!canEncrypt() && (
        <p className="login-error" role="alert">
          {t('insecure')}
        </p>
      )}
      <TextField
        {...field('account')}
        label={t('account')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        maxLength={120}
        required
        data-testid="login-account"
        onBlur={() => void checkCaptcha(values.account.trim())}
      />
      <TextField
        {...field('password')}
        label={t('password')}
        type={visible ? 'text' : 'password'}
        autoComplete="current-password"
        maxLength={128}
        required
        hint={capsLock ? t('capsLock') : undefined}
        data-testid="login-password"
        onKeyDown={noticeCapsLock}
        onKeyUp={noticeCapsLock}
        onBlur={() => setCapsLock(false)}
        suffix={
          <button
            type="button"
            className="login-eye"
            aria-label={t(visible ? 'hidePassword' : 'showPassword')}
            aria-pressed={visible}
            data-testid="login-show-password"
            onClick={() => setVisible(!visible)}
          >
            <Icon name={visible ? 'eyeOff' : 'eye'} />
          </button>
        }
      />
      {needsCaptcha && (
        <div className="login-captcha">
          <TextField {...field('captcha')} label={t('captcha')} autoComplete="off" maxLength={20} required data-testid="login-captcha" />
          <button type="button" title={t('captchaRefresh')} aria-label={t('captchaRefresh')} onClick={() => void captcha.refetch()}>
            {captcha.data && <img src={captcha.data.image} alt={t('captchaImage')} />}
          </button>
        </div>
      )}
      {login.isError && (
        <p className="login-error" role="alert" data-testid="login-error">
          {sentenceOf(login.error) ?? t('unreachable')}
        </p>
      )}
      <Button type="submit" kind="primary" large busy={login.isPending} data-testid="login-submit">
        {t('submit')}
      </Button>
    </form>
  );
}

/** The server's sentence; undefined when it could not be asked. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof ApiError && error.httpStatus > 0 && error.message !== '' ? error.message : undefined;
}
