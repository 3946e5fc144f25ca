import { sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { passkeyFaultOf } from '../../../lib/passkeys.ts';

/** Why a passkey did not sign in. */
export function PasskeyError({ error }: { error: Error }) {
  const t = useTexts('auth');
  const factor = useTexts('factor');
  const fault = passkeyFaultOf(error);
  return (
    <p className="login-error" role="alert" data-testid="login-error">
      {fault ? factor(`passkey.fault.${fault}`) : (sentenceOf(error) ?? t('unreachable'))}
    </p>
  );
}
