import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, sentenceOf } from '../../lib/api/index.ts';
import { encryptPassword } from '../../lib/encrypt.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { askPasskey, canUsePasskeys, passkeyFaultOf } from '../../lib/passkeys.ts';
import { Button } from '../Button.tsx';
import { TextField } from '../TextField.tsx';
import { PageDialog } from '../PageDialog.tsx';
import './factor.css';
import './texts.ts';

const WAYS = ['PASSWORD', 'TOTP', 'RECOVERY'] as const;
type Way = (typeof WAYS)[number];

/** Asks for the password, a code or a passkey before a sensitive action. */
export function ProofDialog({ onAnswer }: { onAnswer: (isProven: boolean) => void }) {
  const t = useTexts('factor');
  const [way, setWay] = useState<Way>('PASSWORD');
  const [typed, setTyped] = useState('');
  const [isMissing, setMissing] = useState(false);
  const own = useQuery({ queryKey: ['own-factors'], queryFn: () => api.multiauth.own(), meta: { quiet: true } });
  const prove = useProof(onAnswer);
  const hasApp = (own.data?.totpSince ?? null) !== null;
  const hasPasskey = (own.data?.passkeys ?? 0) > 0;
  const has: Record<Way, boolean> = { PASSWORD: true, TOTP: hasApp, RECOVERY: hasApp || hasPasskey };
  const others = WAYS.filter((one) => has[one] && one !== way);
  const fault = passkeyFaultOf(prove.error);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(typed.trim() === '');
    if (typed.trim() !== '') prove.mutate({ way, typed });
  };
  const choose = (next: Way) => {
    setWay(next);
    setTyped('');
    setMissing(false);
    prove.reset();
  };

  return (
    <PageDialog title={t('proof.title')} testId="proof" onClose={() => onAnswer(false)}>
      <form className="factor-proof" noValidate onSubmit={submit}>
        <p>{t('proof.lead')}</p>
        <SecretField key={way} way={way} typed={typed} isMissing={isMissing} onType={setTyped} />
        {prove.isError && (
          <p className="factor-error" role="alert" data-testid="proof-error">
            {fault ? t(`passkey.fault.${fault}`) : (sentenceOf(prove.error) ?? t('proof.lead'))}
          </p>
        )}
        {hasPasskey && canUsePasskeys() && (
          <OtherWay way="PASSKEY" onChoose={() => prove.mutate({ way: 'PASSKEY', typed: '' })} />
        )}
        {others.map((one) => (
          <OtherWay key={one} way={one} onChoose={() => choose(one)} />
        ))}
        <div className="factor-buttons">
          <Button type="submit" kind="primary" busy={prove.isPending} data-testid="proof-submit">
            {t('proof.submit')}
          </Button>
          <Button onClick={() => onAnswer(false)}>{t('proof.cancel')}</Button>
        </div>
      </form>
    </PageDialog>
  );
}

function OtherWay({ way, onChoose }: { way: Way | 'PASSKEY'; onChoose: () => void }) {
  const t = useTexts('factor');
  return (
    <button type="button" className="factor-link" data-testid={`proof-${way}`} onClick={onChoose}>
      {t(way === 'PASSWORD' ? 'proof.usePassword' : `proof.use${way}`)}
    </button>
  );
}

interface SecretFieldProps {
  way: Way;
  typed: string;
  isMissing: boolean;
  onType: (text: string) => void;
}

function SecretField({ way, typed, isMissing, onType }: SecretFieldProps) {
  const t = useTexts('factor');
  const isPassword = way === 'PASSWORD';
  return (
    <TextField
      label={isPassword ? t('proof.password') : t(`way.${way}`)}
      type={isPassword ? 'password' : 'text'}
      autoComplete={isPassword ? 'current-password' : 'one-time-code'}
      inputMode={way === 'TOTP' ? 'numeric' : 'text'}
      maxLength={isPassword ? 128 : 20}
      value={typed}
      error={isMissing ? t(isPassword ? 'proof.passwordMissing' : 'codeMissing') : undefined}
      required
      data-focus
      data-testid="proof-secret"
      onChange={({ target }) => onType(target.value)}
    />
  );
}

function useProof(onAnswer: (isProven: boolean) => void) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async ({ way, typed }: { way: Way | 'PASSKEY'; typed: string }) => {
      if (way === 'PASSKEY')
        return api.passkeys.prove({ body: { response: await askPasskey(await api.passkeys.startProof()) } });
      if (way !== 'PASSWORD') return api.multiauth.prove({ body: { way, code: typed.trim() } });
      const { publicKey } = await api.auth.loginMode({ query: {} });
      return api.multiauth.prove({ body: { password: await encryptPassword(typed, publicKey) } });
    },
    onSuccess: () => onAnswer(true),
  });
}
