import type {
  IdentityProvider,
  IdentityProviderBody,
  ProviderRules,
  ProviderSettings,
  SsoField,
} from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';

/** An identity provider in the form. */
export interface ProviderDraft {
  name: string;
  enabled: boolean;
  sort: number | null;
  issuer: string;
  clientId: string;
  clientAuth: ProviderSettings['clientAuth'];
  scopes: string;
  logout: boolean;
  /** Empty: the stored one stays. */
  secret: string;
  admission: ProviderRules['admission'];
  match: ProviderRules['match'];
  domains: readonly string[];
  claims: ProviderRules['claims'];
  owned: readonly SsoField[];
  roles: ProviderRules['roles'];
}

export function newProvider(sort: number): ProviderDraft {
  return {
    name: '',
    enabled: true,
    sort,
    issuer: '',
    clientId: '',
    clientAuth: 'client_secret_basic',
    scopes: 'profile email',
    logout: true,
    secret: '',
    admission: 'known',
    match: 'link',
    domains: [],
    claims: {
      account: 'preferred_username',
      name: 'name',
      email: 'email',
      phone: 'phone_number',
      department: '',
      roles: '',
    },
    owned: [],
    roles: [],
  };
}

export function draftOf({ name, enabled, sort, settings, rules }: IdentityProvider): ProviderDraft {
  const { issuer, clientId, clientAuth, scopes, logout } = settings;
  return { name, enabled, sort, issuer, clientId, clientAuth, scopes, logout, secret: '', ...rules };
}

export const settingsOf = ({ issuer, clientId, clientAuth, scopes, logout }: ProviderDraft): ProviderSettings => ({
  kind: 'OIDC',
  issuer: issuer.trim(),
  clientId: clientId.trim(),
  clientAuth,
  scopes: scopes.trim(),
  logout,
});

/** The request body to create or change a provider; for a draft without faults. */
export function providerBody(draft: ProviderDraft): IdentityProviderBody {
  const { name, enabled, sort, secret, admission, match, domains, claims, owned, roles } = draft;
  return {
    name: name.trim(),
    enabled,
    sort: sort ?? 0,
    settings: settingsOf(draft),
    rules: { admission, match, domains: [...domains], claims, owned: [...owned], roles },
    ...(secret === '' ? {} : { secret }),
  };
}

type Texts = ReturnType<typeof useTexts<'identityProviders'>>;
type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]+/.test(text.trim());

/** The errors of a provider found before anything is sent. */
export function providerFaults(
  { name, issuer, clientId, clientAuth, secret, roles }: ProviderDraft,
  hasSecret: boolean,
  t: Texts,
  admin: AdminTexts,
): FieldErrors<ProviderDraft> {
  const faults: FieldErrors<ProviderDraft> = {};
  if (name.trim() === '') faults.name = admin('invalid.required');
  if (!isAddress(issuer)) faults.issuer = t('form.issuerWrong');
  if (clientId.trim() === '') faults.clientId = admin('invalid.required');
  if (clientAuth !== 'none' && secret === '' && !hasSecret) faults.secret = admin('invalid.required');
  if (roles.some(({ value, roleId }) => value.trim() === '' || roleId === '')) faults.roles = t('form.roleIncomplete');
  return faults;
}
