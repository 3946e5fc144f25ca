import { useMutation } from '@tanstack/react-query';
import { api, sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { hasPage, settingsOf, type ProviderDraft } from './draft.ts';

/** Asks the identity provider, and says what is wrong. A secret that was entered is tried, too. */
export function CheckButton({ draft }: { draft: ProviderDraft }) {
  const t = useTexts('identityProviders');
  const { kind, secret } = draft;
  const isTried = hasPage(kind) && secret !== '';
  const check = useMutation({
    meta: { quiet: true },
    mutationFn: () => {
      // What is not needed to reach it may be missing.
      const { clientId, agentId, corpId } = draft;
      const filled = { clientId: clientId || '-', agentId: agentId || '-', corpId: corpId || '-' };
      return api.identityProviders.check({
        body: { settings: settingsOf({ ...draft, ...filled }), ...(isTried ? { secret } : {}) },
      });
    },
  });
  const { data } = check;
  const isFault = check.isError || (data !== undefined && data.fault !== null);
  const said = () => {
    if (check.isError) return sentenceOf(check.error) ?? t('check.failed');
    if (!data) return '';
    const { fault, detail } = data;
    if (fault !== null) return t(`check.${fault}`, { detail });
    if (kind !== 'OIDC') return t(isTried ? 'check.accepted' : 'check.reached', { detail });
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
