import type { contract, Data, FactorDemand } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type FormEvent } from 'react';
import { api, isApiError, sentenceOf } from '../../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session } from '../../../lib/browser.ts';
import { canEncrypt, encryptPassword } from '../../../lib/encrypt.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { demandOf } from '../demand.ts';

type Invited = Data<typeof contract.invitations.read>;
type FieldName = 'password' | 'again';
type Fault = 'passwordMissing' | 'againDiffers';

interface InvitationFormProps {
  secret: string;
  invited: Invited;
  onSignedIn: () => void;
  /** The password is set, and a second factor is due. */
  onFactor: (demand: FactorDemand) => void;
}

/** Asks an invited person for the first password, under the rules of the organisation. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX of one form
export function InvitationForm({ secret, invited, onSignedIn, onFactor }: InvitationFormProps) {
  const t = useTexts('auth');
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState({ password: '', again: '' });
  const [faults, setFaults] = useState<Partial<Record<FieldName, Fault>>>({});
  const accept = useAccept(secret, onSignedIn, onFactor);
  const { account, name, branding, passwordRules, expiresAt } = invited;

  const field = (of: FieldName) => ({
    name: of,
    value: values[of],
    error: faults[of] && t(`invitation.${faults[of]}`),
    required: true,
    type: 'password',
    autoComplete: 'new-password',
    maxLength: 128,
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [of]: event.target.value });
      setFaults({ ...faults, [of]: undefined });
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found: typeof faults = {
      ...(values.password === '' && { password: 'passwordMissing' as const }),
      ...(values.again !== values.password && { again: 'againDiffers' as const }),
    };
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    else accept.mutate(values.password);
  };

  return (
    <form ref={form} className="login-form" noValidate onSubmit={submit} data-testid="invitation-form">
      <p className="login-invitation-lead">{t('invitation.lead', { organisation: branding.name })}</p>
      <p>{t('invitation.for', { name })}</p>
      {!canEncrypt() && (
        <p className="login-error" role="alert">
          {t('insecure')}
        </p>
      )}
      {/* Password managers store it with the password. */}
      <TextField
        name="account"
        label={t('invitation.account')}
        value={account}
        readOnly
        autoComplete="username"
        data-testid="invitation-account"
      />
      <TextField
        {...field('password')}
        label={t('invitation.password')}
        hint={t('invitation.rules', { length: passwordRules.minLength, kinds: passwordRules.minClasses })}
        autoFocus
        data-testid="invitation-password"
      />
      <TextField {...field('again')} label={t('invitation.again')} data-testid="invitation-again" />
      {accept.isError && (
        <p className="login-error" role="alert" data-testid="invitation-error">
          {sentenceOf(accept.error) ?? t('unreachable')}
        </p>
      )}
      <Button type="submit" kind="primary" large busy={accept.isPending} data-testid="invitation-submit">
        {t('invitation.submit')}
      </Button>
      <p className="login-invitation-rules">{t('invitation.until', { time: formatTime(expiresAt) })}</p>
    </form>
  );
}

/** Sets the password and signs in. */
function useAccept(secret: string, onSignedIn: () => void, onFactor: (demand: FactorDemand) => void) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (password: string) => {
      const { publicKey } = await api.auth.loginMode({ query: {} });
      const encrypted = await encryptPassword(password, publicKey);
      return api.invitations.accept({ body: { secret, password: encrypted, deviceId: deviceId() } });
    },
    onSuccess: ({ token, user }) => {
      session.open(token, user);
      keepLastSignIn(user);
      onSignedIn();
    },
    onError: (error) => {
      const demand = demandOf(error);
      if (demand) onFactor(demand);
    },
    retry: (failures, error) => failures < 1 && isApiError(error, 'SERVICE_BUSY'),
  });
}
