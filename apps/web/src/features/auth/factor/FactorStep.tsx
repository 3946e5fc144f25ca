import type { FactorDemand, FactorWay } from '@rmeet/contract';
import { useState, type FormEvent } from 'react';
import { isApiError, sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import '../../../ui/factor/texts.ts';
import { Enrolment } from './Enrolment.tsx';
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

function CodeStep({ demand, onSignedIn, onRestart }: FactorStepProps) {
  const t = useTexts('auth');
  const factor = useTexts('factor');
  const { ticket, ways, canRemember } = demand;
  const [way, setWay] = useState<FactorWay>(ways[0] ?? 'TOTP');
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<'codeMissing' | 'codeWrong'>();
  const [remembers, setRemembers] = useState(false);
  const sent = useSentCode(ticket);
  const check = useCheck(ticket, onSignedIn);
  const isSent = way === 'MAIL' || way === 'SMS';
  const error = check.error ?? sent.error;
  const isOver = isApiError(error, 'FACTOR_TICKET_INVALID');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultOf(way, typed);
    setFault(found);
    if (found === undefined) check.mutate({ way, code: typed, remember: remembers });
  };
  const choose = (next: FactorWay) => {
    setWay(next);
    setTyped('');
    setFault(undefined);
    check.reset();
  };

  return (
    <form className="login-form" noValidate onSubmit={submit}>
      <p className="login-factor-lead">{t(`factor.lead.${way}`)}</p>
      <div className={isSent ? 'login-code' : undefined}>
        <TextField
          key={way}
          label={factor(way === 'RECOVERY' ? 'way.RECOVERY' : 'code')}
          value={typed}
          error={fault && factor(fault)}
          inputMode={way === 'RECOVERY' ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={way === 'RECOVERY' ? 20 : 7}
          autoFocus
          required
          data-testid="factor-code"
          onChange={({ target }) => {
            setTyped(target.value);
            setFault(undefined);
          }}
        />
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
      {canRemember && <Remember checked={remembers} onChange={setRemembers} />}
      {error && (
        <p className="login-error" role="alert" data-testid="login-error">
          {sentenceOf(error) ?? t('unreachable')}
        </p>
      )}
      {isOver ? (
        <Button kind="primary" large data-testid="factor-again" onClick={onRestart}>
          {t('factor.again')}
        </Button>
      ) : (
        <Button type="submit" kind="primary" large busy={check.isPending} data-testid="factor-submit">
          {t('submit')}
        </Button>
      )}
      {ways
        .filter((one) => one !== way)
        .map((one) => (
          <button
            key={one}
            type="button"
            className="login-organisation"
            data-testid={`factor-way-${one}`}
            onClick={() => choose(one)}
          >
            {t('factor.other', { way: factor(`way.${one}`) })}
          </button>
        ))}
    </form>
  );
}
