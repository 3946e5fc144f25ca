import { useMutation } from '@tanstack/react-query';
import { api, sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { settingsOf, type ProviderDraft } from './draft.ts';

/** Asks the identity provider, and says what is wrong. */
export function CheckButton({ draft }: { draft: ProviderDraft }) {
  const t = useTexts('identityProviders');
  const check = useMutation({
    meta: { quiet: true },
    mutationFn: () =>
      // The client is not needed to read the metadata.
      api.identityProviders.check({ body: { settings: { ...settingsOf(draft), clientId: draft.clientId || '-' } } }),
  });
  const { data } = check;
  const isFault = check.isError || (data !== undefined && data.fault !== null);
  const said = () => {
    if (check.isError) return sentenceOf(check.error) ?? t('check.failed');
    if (!data) return '';
    if (data.fault !== null) return t(`check.${data.fault}`, { detail: data.detail });
    return t(data.canLogOut ? 'check.right' : 'check.rightWithoutLogout');
  };
  return (
    <div className="provider-check">
      <Button busy={check.isPending} data-testid="provider-check" onClick={() => check.mutate()}>
        {t('check.button')}
      </Button>
      <p role="status" data-fault={isFault} data-testid="provider-check-said">
        {said()}
      </p>
    </div>
  );
}
