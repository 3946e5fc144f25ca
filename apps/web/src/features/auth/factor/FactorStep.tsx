import type { FactorDemand, FactorWay } from '@rmeet/contract';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import '../../../ui/factor/texts.ts';
import { Enrolment } from './Enrolment.tsx';
import { FactorEnd } from './FactorEnd.tsx';
import { faultOf } from './faultOf.ts';
import { Remember } from './Remember.tsx';
import { useCheck, useSentCode } from './useFactor.ts';

interface FactorStepProps {
  demand: FactorDemand;
  onSignedIn: () => void;
  /** Back to the first way to sign in. */
  onRestart: () => void;
}

/** The second step of a sign-in: a code, or setting a factor up if the account has none. */
export function FactorStep({ demand, onSignedIn, onRestart }: FactorStepProps) {
  const t = useTexts('auth');
  return (
    <div data-testid="factor-step">
      {demand.enrol ? (
        <Enrolment demand={demand} onSignedIn={onSignedIn} onRestart={onRestart} />
      ) : (
        <CodeStep demand={demand} onSignedIn={onSignedIn} onRestart={onRestart} />
      )}
      <p className="login-modes">
        <button type="button" className="login-organisation" data-testid="factor-restart" onClick={onRestart}>
          {t('factor.restart')}
        </button>
      </p>
    </div>
  );
}

/** The typed code, the way that it belongs to, and what is wrong with it. */
function useCodeForm({ demand: { ticket, ways }, onSignedIn }: Pick<FactorStepProps, 'demand' | 'onSignedIn'>) {
  const [way, setWay] = useState<FactorWay>(ways[0] ?? 'TOTP');
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<'codeMissing' | 'codeWrong'>();
  const [remembers, setRemembers] = useState(false);
  const check = useCheck(ticket, onSignedIn);
  const type = (text: string) => {
    setTyped(text);
    setFault(undefined);
  };
  return {
    way,
    typed,
    fault,
    remembers,
    setRemembers,
    check,
    type,
    choose: (next: FactorWay) => {
      setWay(next);
      type('');
      check.reset();
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      const found = faultOf(way, typed);
      setFault(found);
      if (found === undefined) check.mutate({ way, code: typed, remember: remembers });
    },
  };
}

function CodeStep({ demand, onSignedIn, onRestart }: FactorStepProps) {
  const t = useTexts('auth');
  const factor = useTexts('factor');
  const form = useCodeForm({ demand, onSignedIn });
  const sent = useSentCode(demand.ticket);
  const { way, check, remembers, setRemembers } = form;
  const isSent = way === 'MAIL' || way === 'SMS';

  return (
    <form className="login-form" noValidate onSubmit={form.submit}>
      <p className="login-factor-lead">{t(`factor.lead.${way}`)}</p>
      <div className={isSent ? 'login-code' : undefined}>
        <CodeField key={way} {...form} />
        {isSent && (
          <Button
            busy={sent.isSending}
            disabled={sent.left > 0}
            data-testid="factor-send"
            onClick={() => sent.send(way)}
          >
            {sent.left > 0 ? t('code.again', { seconds: sent.left }) : t('code.send')}
          </Button>
        )}
      </div>
      {isSent && (
        <p className="login-factor-lead" role="status">
          {sent.sentTo !== '' && t('factor.sentTo', { contact: sent.sentTo })}
        </p>
      )}
      {demand.canRemember && <Remember checked={remembers} onChange={setRemembers} />}
      <FactorEnd error={check.error ?? sent.error} busy={check.isPending} label={t('submit')} onRestart={onRestart} />
      {demand.ways
        .filter((one) => one !== way)
        .map((one) => (
          <button
            key={one}
            type="button"
            className="login-organisation"
            data-testid={`factor-way-${one}`}
            onClick={() => form.choose(one)}
          >
            {t('factor.other', { way: factor(`way.${one}`) })}
          </button>
        ))}
    </form>
  );
}

function CodeField({ way, typed, fault, type }: ReturnType<typeof useCodeForm>) {
  const factor = useTexts('factor');
  const isRecovery = way === 'RECOVERY';
  return (
    <TextField
      label={factor(isRecovery ? 'way.RECOVERY' : 'code')}
      value={typed}
      error={fault && factor(fault)}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={isRecovery ? 20 : 7}
      autoFocus
      required
      data-testid="factor-code"
      onChange={({ target }) => type(target.value)}
    />
  );
}
