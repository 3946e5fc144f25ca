import type { IdentityProvider, SsoKind } from '@rmeet/contract';
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
  samlUri: string;
  casUri: string;
}

type Label = 'redirect' | 'loggedOut' | 'backchannel' | 'metadata' | 'acs' | 'service';

interface Entered {
  label: Label;
  address: string;
  testId: string;
}

/** The addresses of a kind. Those with the id of the provider are known once it is saved. */
function addressesOf(kind: SsoKind, of: Addresses, id: string | undefined): Entered[] {
  const saml = `${of.samlUri}${id}`;
  if (kind === 'SAML')
    return id === undefined
      ? []
      : [
          { label: 'metadata', address: `${saml}/metadata`, testId: 'saml-metadata-uri' },
          { label: 'acs', address: `${saml}/acs`, testId: 'saml-acs-uri' },
        ];
  if (kind === 'CAS')
    return id === undefined ? [] : [{ label: 'service', address: `${of.casUri}${id}`, testId: 'cas-service-uri' }];
  const redirects = of.redirectUris.map((address): Entered => ({ label: 'redirect', address, testId: 'redirect-uri' }));
  if (kind !== 'OIDC') return redirects;
  return [
    ...redirects,
    ...of.loggedOutUris.map((address): Entered => ({ label: 'loggedOut', address, testId: 'logged-out-uri' })),
    ...(id === undefined
      ? []
      : [{ label: 'backchannel' as const, address: `${of.backchannelLogoutUri}${id}`, testId: 'backchannel-uri' }]),
  ];
}

interface AddressListProps {
  kind: SsoKind;
  addresses: Addresses;
  /** Undefined for a new one. */
  providerId: string | undefined;
}

/** The addresses to enter at the identity provider. */
export function AddressList({ kind, addresses, providerId }: AddressListProps) {
  const t = useTexts('identityProviders');
  const entered = addressesOf(kind, addresses, providerId);
  return (
    <fieldset className="provider-addresses">
      <legend>{t('addresses.title')}</legend>
      <p className="admin-form-hint">{t(entered.length === 0 ? 'addresses.later' : `addressesHint.${kind}`)}</p>
      {entered.map(({ label, address, testId }) => (
        <Copied key={`${label} ${address}`} label={t(`addresses.${label}`)} address={address} testId={testId} />
      ))}
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
