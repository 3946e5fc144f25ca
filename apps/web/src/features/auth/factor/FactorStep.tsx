import type { CodeWay, FactorDemand, FactorWay } from '@rmeet/contract';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { canUsePasskeys } from '../../../lib/passkeys.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import '../../../ui/factor/texts.ts';
import { Enrolment } from './Enrolment.tsx';
import { FactorEnd } from './FactorEnd.tsx';
import { faultOf } from './faultOf.ts';
import { Remember } from './Remember.tsx';
import { useCheck, useCheckPasskey, useSentCode } from './useFactor.ts';

interface FactorStepProps {
  demand: FactorDemand;
  onSignedIn: () => void;
  /** Back to the first way to sign in. */
  onRestart: () => void;
}

/** The second step of a sign-in: a passkey or a code, or setting a factor up if the account has none. */
export function FactorStep(props: FactorStepProps) {
  const t = useTexts('factor');
  return (
    <div data-testid="factor-step">
      {props.demand.enrol ? <Enrolment {...props} /> : <AnswerStep {...props} />}
      <p className="login-modes">
        <button type="button" className="login-organisation" data-testid="factor-restart" onClick={props.onRestart}>
          {t('step.restart')}
        </button>
      </p>
    </div>
  );
}

/** The way that is shown first: a passkey only where the browser has them. */
const usualWay = (ways: readonly FactorWay[]): FactorWay =>
  ways.find((way) => way !== 'PASSKEY' || canUsePasskeys()) ?? ways[0] ?? 'TOTP';

function AnswerStep(props: FactorStepProps) {
  const t = useTexts('factor');
  const { ticket, ways } = props.demand;
  const [way, choose] = useState<FactorWay>(() => usualWay(ways));
  const sent = useSentCode(ticket);
  const others = ways
    .filter((one) => one !== way)
    .map((one) => (
      <button
        key={one}
        type="button"
        className="login-organisation login-factor-way"
        data-testid={`factor-way-${one}`}
        onClick={() => choose(one)}
      >
        {t('step.other', { way: t(`way.${one}`) })}
      </button>
    ));
  return way === 'PASSKEY' ? (
    <PasskeyStep {...props}>{others}</PasskeyStep>
  ) : (
    <CodeStep key={way} {...props} way={way} sent={sent}>
      {others}
    </CodeStep>
  );
}

/** `children`: the other ways. */
function PasskeyStep({ demand, onSignedIn, onRestart, children }: FactorStepProps & { children: ReactNode }) {
  const t = useTexts('factor');
  const [remembers, setRemembers] = useState(false);
  const check = useCheckPasskey(demand.ticket, onSignedIn);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate(remembers);
  };
  return (
    <form className="login-form" noValidate onSubmit={submit}>
      <p className="login-factor-lead">{t('step.lead.PASSKEY')}</p>
      {demand.canRemember && <Remember checked={remembers} onChange={setRemembers} />}
      <FactorEnd error={check.error} busy={check.isPending} label={t('passkey.use')} onRestart={onRestart} />
      {children}
    </form>
  );
}

interface CodeStepProps extends FactorStepProps {
  way: CodeWay;
  sent: ReturnType<typeof useSentCode>;
  /** The other ways. */
  children: ReactNode;
}

/** The typed code, and what is wrong with it. */
function useCodeForm({ demand: { ticket }, way, onSignedIn }: Pick<CodeStepProps, 'demand' | 'way' | 'onSignedIn'>) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<'codeMissing' | 'codeWrong'>();
  const [remembers, setRemembers] = useState(false);
  const check = useCheck(ticket, onSignedIn);
  return {
    way,
    typed,
    fault,
    remembers,
    setRemembers,
    check,
    type: (text: string) => {
      setTyped(text);
      setFault(undefined);
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      const found = faultOf(way, typed);
      setFault(found);
      if (found === undefined) check.mutate({ way, code: typed, remember: remembers });
    },
  };
}

function CodeStep({ demand, way, sent, onSignedIn, onRestart, children }: CodeStepProps) {
  const t = useTexts('auth');
  const factor = useTexts('factor');
  const form = useCodeForm({ demand, way, onSignedIn });
  const { check, remembers, setRemembers } = form;
  const isSent = way === 'MAIL' || way === 'SMS';

  return (
    <form className="login-form" noValidate onSubmit={form.submit}>
      <p className="login-factor-lead">{factor(`step.lead.${way}`)}</p>
      <div className={isSent ? 'login-code' : undefined}>
        <CodeField {...form} />
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
          {sent.sentTo !== '' && factor('step.sentTo', { contact: sent.sentTo })}
        </p>
      )}
      {demand.canRemember && <Remember checked={remembers} onChange={setRemembers} />}
      <FactorEnd error={check.error ?? sent.error} busy={check.isPending} label={t('submit')} onRestart={onRestart} />
      {children}
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
