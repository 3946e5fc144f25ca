import { isApiError, sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { passkeyFaultOf } from '../../../lib/passkeys.ts';
import { Button } from '../../../ui/Button.tsx';

interface FactorEndProps {
  error: Error | null;
  /** Nothing can be entered: only a new sign-in helps. */
  isOver?: boolean;
  busy: boolean;
  label: string;
  onRestart: () => void;
}

/** The end of the form: what went wrong, and the button that goes on or starts again. */
export function FactorEnd({ error, isOver = false, busy, label, onRestart }: FactorEndProps) {
  const t = useTexts('auth');
  const factor = useTexts('factor');
  const fault = passkeyFaultOf(error);
  return (
    <>
      {error && (
        <p className="login-error" role="alert" data-testid="login-error">
          {fault ? factor(`passkey.fault.${fault}`) : (sentenceOf(error) ?? t('unreachable'))}
        </p>
      )}
      {isOver || isApiError(error, 'FACTOR_TICKET_INVALID') ? (
        <Button kind="primary" large data-testid="factor-again" onClick={onRestart}>
          {factor('step.again')}
        </Button>
      ) : (
        <Button type="submit" kind="primary" large busy={busy} data-testid="factor-submit">
          {label}
        </Button>
      )}
    </>
  );
}
