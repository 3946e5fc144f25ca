import type { FactorDemand } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api } from '../../../lib/api/index.ts';
import { deviceId } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { canUsePasskeys } from '../../../lib/passkeys.ts';
import { RecoveryCodes } from '../../../ui/factor/RecoveryCodes.tsx';
import { TotpSecret } from '../../../ui/factor/TotpSecret.tsx';
import { Loading } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { FactorEnd } from './FactorEnd.tsx';
import { faultOf } from './faultOf.ts';
import { Remember } from './Remember.tsx';
import { useEnrol, useEnrolPasskey } from './useFactor.ts';

interface EnrolmentProps {
  demand: FactorDemand;
  onSignedIn: () => void;
  onRestart: () => void;
}

/** Sets up a factor, without which the account may not sign in; then shows the recovery codes. */
export function Enrolment({ demand: { ticket, canRemember }, onSignedIn, onRestart }: EnrolmentProps) {
  const factor = useTexts('factor');
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<'codeMissing' | 'codeWrong'>();
  const [remembers, setRemembers] = useState(false);
  const start = useSecret(ticket);
  const enrol = useEnrol(ticket);
  const passkey = useEnrolPasskey(ticket);
  const done = enrol.data ?? passkey.data;
  if (done) return <RecoveryCodes titled codes={done.recoveryCodes} onKept={onSignedIn} />;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultOf('TOTP', typed);
    setFault(found);
    passkey.reset();
    if (found === undefined) enrol.mutate({ code: typed, remember: remembers });
  };

  return (
    <form className="login-form" noValidate onSubmit={submit} data-testid="factor-enrolment">
      <p className="login-factor-lead">{factor('step.enrol')}</p>
      {start.isPending && <Loading />}
      {start.data && <TotpSecret {...start.data} />}
      {start.data && (
        <TextField
          label={factor('code')}
          value={typed}
          error={fault && factor(fault)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          data-testid="factor-code"
          onChange={({ target }) => {
            setTyped(target.value);
            setFault(undefined);
          }}
        />
      )}
      {start.data && canRemember && <Remember checked={remembers} onChange={setRemembers} />}
      <FactorEnd
        error={enrol.error ?? passkey.error ?? start.error}
        isOver={start.isError}
        busy={enrol.isPending}
        label={factor('step.confirm')}
        onRestart={onRestart}
      />
      {start.data && canUsePasskeys() && (
        <PasskeyInstead
          busy={passkey.isPending}
          onChoose={() => {
            enrol.reset();
            passkey.mutate(remembers);
          }}
        />
      )}
    </form>
  );
}

function PasskeyInstead({ busy, onChoose }: { busy: boolean; onChoose: () => void }) {
  const factor = useTexts('factor');
  return (
    <button
      type="button"
      className="login-organisation"
      aria-busy={busy}
      data-testid="factor-enrol-passkey"
      onClick={() => {
        if (!busy) onChoose();
      }}
    >
      {factor('step.enrolPasskey')}
    </button>
  );
}

/** The secret that is set up; the same one until the page is left. */
function useSecret(ticket: string) {
  return useQuery({
    queryKey: ['enrolment', ticket],
    queryFn: () => api.multiauth.startEnrolment({ body: { ticket, deviceId: deviceId() } }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
}
