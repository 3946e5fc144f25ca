import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import '../../../ui/factor/texts.ts';
import { PasskeyError } from './PasskeyError.tsx';
import { usePasskeySignIn, type PasskeySignInProps } from './usePasskeySignIn.ts';

/** Signs in by a passkey alone. */
export function PasskeySignIn(props: PasskeySignInProps) {
  const t = useTexts('factor');
  const enter = usePasskeySignIn(props);
  return (
    <div className="login-form" data-testid="passkey-sign-in">
      <p className="login-factor-lead">{t('passkey.lead')}</p>
      {enter.error && <PasskeyError error={enter.error} />}
      <Button
        kind="primary"
        large
        autoFocus
        busy={enter.isPending}
        data-testid="passkey-submit"
        onClick={() => enter.mutate(null)}
      >
        {t(enter.isError ? 'passkey.again' : 'passkey.use')}
      </Button>
    </div>
  );
}
