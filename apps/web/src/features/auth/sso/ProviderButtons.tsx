import type { SsoChoice } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { goToProvider } from '../../../lib/sso.ts';
import { Button } from '../../../ui/Button.tsx';
import '../texts.ts';

interface ProviderButtonsProps {
  providers: readonly SsoChoice[];
  /** The path to return to. */
  redirect: string;
}

/** One button for each identity provider; the first one is the main thing of the page. */
export function ProviderButtons({ providers, redirect }: ProviderButtonsProps) {
  const t = useTexts('auth');
  const going = useMutation({
    meta: { quiet: true },
    mutationFn: (providerId: string) => goToProvider({ purpose: 'signIn', providerId, redirect }),
  });
  return (
    <div className="login-sso">
      {going.isError && (
        <p className="login-error" role="alert" data-testid="login-error">
          {sentenceOf(going.error) ?? t('unreachable')}
        </p>
      )}
      {providers.map(({ id, name }, at) => (
        <Button
          key={id}
          kind={at === 0 ? 'primary' : 'plain'}
          large
          // Stays busy while the browser leaves the page.
          busy={(going.isPending || going.isSuccess) && going.variables === id}
          data-testid="login-sso"
          onClick={() => going.mutate(id)}
        >
          <span className="login-sso-name">{t('ssoWith', { name })}</span>
        </Button>
      ))}
    </div>
  );
}
