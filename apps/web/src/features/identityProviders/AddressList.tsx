import type { IdentityProvider } from '@rmeet/contract';
import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';

/** What is entered at the identity provider, as the list of providers has it. */
export interface Addresses {
  records: IdentityProvider[];
  redirectUris: string[];
  loggedOutUris: string[];
  backchannelLogoutUri: string;
}

/** The addresses to enter at the identity provider. That for its own logout is known once it is saved. */
export function AddressList({ addresses, providerId }: { addresses: Addresses; providerId: string | undefined }) {
  const t = useTexts('identityProviders');
  const { redirectUris, loggedOutUris, backchannelLogoutUri } = addresses;
  return (
    <fieldset className="provider-addresses">
      <legend>{t('addresses.title')}</legend>
      <p className="admin-form-hint">{t('addresses.hint')}</p>
      {redirectUris.map((address) => (
        <Copied key={address} label={t('addresses.redirect')} address={address} testId="redirect-uri" />
      ))}
      {loggedOutUris.map((address) => (
        <Copied key={address} label={t('addresses.loggedOut')} address={address} testId="logged-out-uri" />
      ))}
      {providerId !== undefined && (
        <Copied
          label={t('addresses.backchannel')}
          address={`${backchannelLogoutUri}${providerId}`}
          testId="backchannel-uri"
        />
      )}
    </fieldset>
  );
}

function Copied({ label, address, testId }: { label: string; address: string; testId: string }) {
  const t = useTexts('identityProviders');
  return (
    <div className="provider-address">
      <span>{label}</span>
      <code data-testid={testId}>{address}</code>
      <Button aria-label={`${t('copy')}: ${label}`} onClick={() => void copyText(address)}>
        <Icon name="copy" size={16} />
        {t('copy')}
      </Button>
    </div>
  );
}
