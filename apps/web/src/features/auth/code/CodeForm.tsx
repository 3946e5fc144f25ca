import type { FactorDemand } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type ComponentProps, type FormEvent } from 'react';
import { api, isApiError, sentenceOf } from '../../../lib/api/index.ts';
import { deviceId, keepLastSignIn, session } from '../../../lib/browser.ts';
import { encryptPassword } from '../../../lib/encrypt.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { demandOf } from '../demand.ts';
import { isPhoneNumber, useCode } from './useCode.ts';

type FieldName = 'phone' | 'code' | 'newPassword' | 'again';
type Fault = 'phoneWrong' | 'codeMissing' | 'codeWrong' | 'newPasswordMissing' | 'againDiffers';

interface CodeFormProps {
  /** `password`: sets a new one, and signs in with it. */
  purpose: 'signIn' | 'password';
  tenantUri: string | undefined;
  onSignedIn: () => void;
  onFactor: (demand: FactorDemand) => void;
}

const NOTHING: Record<FieldName, string> = { phone: '', code: '', newPassword: '', again: '' };
const CODE = /^\d{6}$/;

/** Signs in by a code that is sent to a phone, or sets a new password with it. */
export function CodeForm({ purpose, tenantUri, onSignedIn, onFactor }: CodeFormProps) {
  const t = useTexts('auth');
  const code = useCode(tenantUri);
  const enter = useEnter(purpose, onSignedIn, onFactor);
  const { form, values, field, tell } = useFields();
  const send = () => {
    if (!tell(isPhoneNumber(values.phone) ? {} : { phone: 'phoneWrong' })) return;
    code.send(values.phone.trim());
    form.current?.querySelector<HTMLInputElement>('[name=code]')?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tell(faultsOf(values, purpose))) enter.mutate({ ...values, ticket: code.ticket });
  };

  const failure = code.error ?? enter.error;
  return (
    <form ref={form} className="login-form" noValidate onSubmit={submit} data-testid="code-form">
      <TextField
        {...field('phone')}
        label={t('code.phone')}
        type="tel"
        autoComplete="tel"
        autoFocus
        maxLength={30}
        data-testid="code-phone"
      />
      <CodeField {...field('code')} code={code} onSend={send} />
      <p className="login-code-note" role="status" data-testid="code-note">
        {code.ticket !== '' && t('code.sent')}
      </p>
      {purpose === 'password' &&
        (['newPassword', 'again'] as const).map((name) => (
          <TextField
            key={name}
            {...field(name)}
            label={t(name === 'newPassword' ? 'newPassword' : 'newPasswordAgain')}
            type="password"
            autoComplete="new-password"
            maxLength={128}
            data-testid={`code-${name}`}
          />
        ))}
      {failure && (
        <p className="login-error" role="alert" data-testid="login-error">
          {sentenceOf(failure) ?? t('unreachable')}
        </p>
      )}
      <Button type="submit" kind="primary" large busy={enter.isPending} data-testid="code-submit">
        {t(purpose === 'password' ? 'submitNew' : 'submit')}
      </Button>
    </form>
  );
}

/** The fields, what was typed in them, and their errors. */
function useFields() {
  const t = useTexts('auth');
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(NOTHING);
  const [faults, setFaults] = useState<Partial<Record<FieldName, Fault>>>({});

  const field = (name: FieldName) => ({
    name,
    value: values[name],
    error: faults[name] && t(`code.${faults[name]}`),
    required: true,
    onChange: (event: { target: { value: string } }) => {
      setValues({ ...values, [name]: event.target.value });
      setFaults({ ...faults, [name]: undefined });
    },
  });
  const tell = (found: Partial<Record<FieldName, Fault>>): boolean => {
    setFaults(found);
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus();
    return first === undefined;
  };
  return { form, values, field, tell };
}

interface CodeFieldProps extends Omit<ComponentProps<typeof TextField>, 'label'> {
  code: ReturnType<typeof useCode>;
  onSend: () => void;
}

/** The code, with the button that has one sent. */
function CodeField({ code: { isSending, left }, onSend, ...field }: CodeFieldProps) {
  const t = useTexts('auth');
  return (
    <TextField
      {...field}
      label={t('code.code')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      data-testid="code-code"
      suffix={
        <button
          type="button"
          className="login-code-send"
          disabled={isSending || left > 0}
          data-testid="code-send"
          onClick={onSend}
        >
          {left > 0 ? t('code.again', { seconds: left }) : t('code.send')}
        </button>
      }
    />
  );
}

function faultsOf(values: typeof NOTHING, purpose: CodeFormProps['purpose']): Partial<Record<FieldName, Fault>> {
  const { phone, code, newPassword, again } = values;
  const isNew = purpose === 'password';
  return {
    ...(!isPhoneNumber(phone) && { phone: 'phoneWrong' as const }),
    ...(!CODE.test(code.trim()) && { code: code.trim() === '' ? ('codeMissing' as const) : ('codeWrong' as const) }),
    ...(isNew && newPassword === '' && { newPassword: 'newPasswordMissing' as const }),
    ...(isNew && again !== newPassword && { again: 'againDiffers' as const }),
  };
}

/** Signs in by the code, or by the password that it sets. */
function useEnter(purpose: CodeFormProps['purpose'], onSignedIn: () => void, onFactor: CodeFormProps['onFactor']) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (typed: typeof NOTHING & { ticket: string }) => {
      const given = { phoneNumber: typed.phone.trim(), code: typed.code.trim(), ticket: typed.ticket || '-' };
      if (purpose === 'signIn') return api.hrsms.login({ body: { ...given, deviceId: deviceId() } });
      const { publicKey } = await api.auth.loginMode({ query: {} });
      const encrypted = () => encryptPassword(typed.newPassword, publicKey);
      const { account, tenantId } = await api.hrsms.setPassword({ body: { ...given, password: await encrypted() } });
      const body = { account, tenant: tenantId, password: await encrypted(), deviceId: deviceId() };
      return api.auth.login({ body });
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
