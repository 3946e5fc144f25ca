import type { FactorDemand } from '@rmeet/contract';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { Cancelled, isApiError, sentenceOf } from '../../lib/api/index.ts';
import { canEncrypt } from '../../lib/encrypt.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { QueueNote } from '../../ui/QueueNote.tsx';
import { OrganisationChoice } from './OrganisationChoice.tsx';
import { OrganisationField } from './OrganisationField.tsx';
import { useLogin, type Credentials } from './useLogin.ts';
import { useOrganisation } from './useOrganisation.ts';

type Typed = Exclude<keyof Credentials, 'tenant'>;
type FieldName = Typed | 'again';
type Fault = 'accountMissing' | 'passwordMissing' | 'newPasswordMissing' | 'againDiffers';

const MISSING = {
  account: 'accountMissing',
  password: 'passwordMissing',
  newPassword: 'newPasswordMissing',
} as const satisfies Record<Typed, Fault>;
const NOTHING: Record<FieldName, string> = { account: '', password: '', newPassword: '', again: '' };

interface SignInProps {
  onSignedIn: () => void;
  onFactor: (demand: FactorDemand) => void;
}

// oxlint-disable-next-line max-lines-per-function -- plain JSX of one form
export function LoginForm({ onSignedIn, onFactor }: SignInProps) {
  const t = useTexts('auth');
  const {
    form,
    values,
    login,
    isWaiting,
    isProving,
    cancel,
    needsNewPassword,
    choices,
    checkCaptcha,
    edited,
    organisation,
    field,
    signIn,
    submit,
  } = useLoginForm({ onSignedIn, onFactor });
  const [visible, setVisible] = useState(false);

  const typeOrganisation = (text: string) => {
    organisation.type(text);
    edited('tenant');
  };

  const choose = (tenantId: string, name: string) => {
    organisation.choose(tenantId, name);
    signIn(tenantId);
  };

  const isChoosing = choices.length > 0;
  // The organisation choice explains itself.
  const isToldElsewhere = login.error instanceof Cancelled || isApiError(login.error, 'TENANT_AMBIGUOUS');
  const fault = login.isError && !isToldElsewhere && (
    <p className="login-error" role="alert" data-testid="login-error">
      {sentenceOf(login.error) ?? t('unreachable')}
    </p>
  );

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
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        maxLength={120}
        required
        data-testid="login-account"
        onBlur={() => void checkCaptcha(values.account.trim())}
      />
      <PasswordField {...field('password')} visible={visible} onVisible={setVisible} />
      {organisation.isAsked && !isChoosing && (
        <OrganisationField {...organisation} onShow={organisation.show} onType={typeOrganisation} />
      )}
      {needsNewPassword && (
        <>
          {/* Explains the two additional fields, so it comes before them. */}
          {fault}
          <NewPasswordFields field={field} visible={visible} />
        </>
      )}
      {!needsNewPassword && fault}
      {isChoosing ? (
        <OrganisationChoice tenants={choices} busy={login.isPending} onChoose={choose} />
      ) : (
        <Button type="submit" kind="primary" large busy={login.isPending} data-testid="login-submit">
          {t(isProving ? 'proving' : needsNewPassword ? 'submitNew' : 'submit')}
        </Button>
      )}
      {isWaiting && <QueueNote onCancel={cancel} />}
    </form>
  );
}

/** The form's values, their errors, and the sign-in. */
function useLoginForm({ onSignedIn, onFactor }: SignInProps) {
  const t = useTexts('auth');
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(NOTHING);
  const [faults, setFaults] = useState<Partial<Record<FieldName, Fault>>>({});
  const session = useLogin(onSignedIn, onFactor);
  const { login, needsNewPassword, edited } = session;
  const organisation = useOrganisation(values.account);

  const field = (name: FieldName) => ({
    name,
    value: values[name],
    error: faults[name] && t(faults[name]),
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [name]: event.target.value });
      setFaults({ ...faults, [name]: undefined });
      if (name !== 'again') edited(name);
    },
  });

  const faultsNow = (): Partial<Record<FieldName, Fault>> => {
    const needed: Typed[] = ['account', 'password', ...(needsNewPassword ? (['newPassword'] as const) : [])];
    const missing = Object.fromEntries(
      needed.filter((name) => values[name].trim() === '').map((name) => [name, MISSING[name]]),
    );
    return needsNewPassword && values.again !== values.newPassword ? { ...missing, again: 'againDiffers' } : missing;
  };

  const signIn = (tenant: string | undefined) => {
    const { again: _, ...credentials } = values;
    const onError = (error: Error) =>
      (isApiError(error, 'BAD_CREDENTIALS') || isApiError(error, 'TENANT_NEEDED')) && organisation.show();
    login.mutate({ ...credentials, account: values.account.trim(), tenant }, { onError });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsNow();
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
      return;
    }
    signIn(organisation.wanted());
  };

  return { ...session, form, values, organisation, field, signIn, submit };
}

type Field = ReturnType<ReturnType<typeof useLoginForm>['field']>;

interface PasswordFieldProps extends Field {
  visible: boolean;
  onVisible: (visible: boolean) => void;
}

/** The password, which can be made visible; warns of Caps Lock. */
function PasswordField({ visible, onVisible, ...field }: PasswordFieldProps) {
  const t = useTexts('auth');
  const [capsLock, setCapsLock] = useState(false);
  const noticeCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <TextField
      {...field}
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
          onClick={() => onVisible(!visible)}
        >
          <Icon name={visible ? 'eyeOff' : 'eye'} />
        </button>
      }
    />
  );
}

function NewPasswordFields({ field, visible }: { field: (name: FieldName) => Field; visible: boolean }) {
  const t = useTexts('auth');
  return (
    <>
      <TextField
        {...field('newPassword')}
        label={t('newPassword')}
        type={visible ? 'text' : 'password'}
        autoComplete="new-password"
        autoFocus
        maxLength={128}
        required
        data-testid="login-new-password"
      />
      <TextField
        {...field('again')}
        label={t('newPasswordAgain')}
        type={visible ? 'text' : 'password'}
        autoComplete="new-password"
        maxLength={128}
        required
        data-testid="login-new-password-again"
      />
    </>
  );
}
