import {
  DINGTALK_ADDRESSES,
  FEISHU_ADDRESSES,
  WECOM_ADDRESSES,
  type IdentityProvider,
  type IdentityProviderBody,
  type ProviderRules,
  type ProviderSettings,
  type SamlMetadata,
  type SettingsOf,
  type SsoField,
  type SsoKind,
} from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from '../../ui/admin/useForm.ts';

/** An identity provider in the form, with the fields of all kinds. */
export interface ProviderDraft {
  kind: SsoKind;
  name: string;
  enabled: boolean;
  sort: number | null;
  /** The address that this server calls: the issuer, the server of CAS, the API of the others. */
  issuer: string;
  /** Where people sign in, if that is another address. */
  page: string;
  clientId: string;
  clientAuth: SettingsOf<'OIDC'>['clientAuth'];
  scopes: string;
  agentId: string;
  corpId: string;
  tenantKey: string;
  entityId: string;
  signInUrl: string;
  logoutUrl: string;
  /** One below the other. */
  certificates: string;
  trustsMail: boolean;
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

/** The kinds whose own addresses are known. */
const ADDRESSES = { WECOM: WECOM_ADDRESSES, DINGTALK: DINGTALK_ADDRESSES, FEISHU: FEISHU_ADDRESSES } as const;

const isKnown = (kind: SsoKind): kind is keyof typeof ADDRESSES => kind in ADDRESSES;

/** Kinds with an application there, its id and secret. */
export const hasClient = (kind: SsoKind): boolean => kind === 'OIDC' || isKnown(kind);
/** Kinds that may have an installation of their own, at other addresses. */
export const hasPage = (kind: SsoKind): boolean => isKnown(kind);
/** Kinds that end sessions there, too. */
export const canLogOut = (kind: SsoKind): boolean => !isKnown(kind);
/** Kinds that do not say whether a mail address is verified. */
export const saysNothingOfMail = (kind: SsoKind): boolean => kind === 'SAML' || kind === 'CAS';

/** Whether a secret is entered. */
export const needsSecret = ({ kind, clientAuth }: Pick<ProviderDraft, 'kind' | 'clientAuth'>): boolean =>
  hasClient(kind) && !(kind === 'OIDC' && clientAuth === 'none');

const CLAIMS: ProviderRules['claims'] = {
  account: 'preferred_username',
  name: 'name',
  email: 'email',
  phone: 'phone_number',
  department: '',
  roles: '',
};

/** What a new provider of a kind begins with. */
export function defaultsOf(kind: SsoKind): Pick<ProviderDraft, 'kind' | 'issuer' | 'page' | 'claims'> {
  const { api: issuer, page } = isKnown(kind) ? ADDRESSES[kind] : { api: '', page: '' };
  // DingTalk has no account names.
  return { kind, issuer, page, claims: kind === 'DINGTALK' ? { ...CLAIMS, account: 'mobile' } : CLAIMS };
}

export const newProvider = (sort: number): ProviderDraft => ({
  ...defaultsOf('OIDC'),
  name: '',
  enabled: true,
  sort,
  clientId: '',
  clientAuth: 'client_secret_basic',
  scopes: 'profile email',
  agentId: '',
  corpId: '',
  tenantKey: '',
  entityId: '',
  signInUrl: '',
  logoutUrl: '',
  certificates: '',
  trustsMail: false,
  logout: true,
  secret: '',
  admission: 'known',
  match: 'link',
  domains: [],
  owned: [],
  roles: [],
});

const PEM = { begin: '-----BEGIN CERTIFICATE-----', end: '-----END CERTIFICATE-----' };

/** Certificates as files have them. */
const textOfCertificates = (certificates: readonly string[]): string =>
  certificates.map((one) => [PEM.begin, ...(one.match(/.{1,64}/g) ?? []), PEM.end].join('\n')).join('\n');

const certificatesIn = (text: string): string[] =>
  text
    .split(PEM.end)
    .map((one) => one.replace(PEM.begin, '').replaceAll(/\s/g, ''))
    .filter((one) => one !== '');

/** What was read of the metadata of a SAML provider, in the fields of the form. */
export const samlDraft = ({ entityId, signInUrl, logoutUrl, certificates }: SamlMetadata): Partial<ProviderDraft> => ({
  entityId,
  signInUrl,
  logoutUrl,
  certificates: textOfCertificates(certificates),
});

function fieldsOf(settings: ProviderSettings): Partial<ProviderDraft> {
  switch (settings.kind) {
    case 'SAML':
      return { ...samlDraft(settings), trustsMail: settings.trustsMail, logout: settings.logout };
    case 'CAS':
      return { issuer: settings.server, trustsMail: settings.trustsMail, logout: settings.logout };
    case 'OIDC':
      return settings;
    case 'WECOM':
    case 'DINGTALK':
    case 'FEISHU': {
      const { api: issuer, ...others } = settings;
      return { issuer, ...others };
    }
  }
}

export const draftOf = ({ kind, name, enabled, sort, settings, rules }: IdentityProvider): ProviderDraft => ({
  ...newProvider(sort),
  kind,
  name,
  enabled,
  ...fieldsOf(settings),
  ...rules,
});

export function settingsOf(draft: ProviderDraft): ProviderSettings {
  const { kind, clientAuth, trustsMail, logout } = draft;
  const [clientId, issuer] = [draft.clientId.trim(), draft.issuer.trim()];
  const client = { clientId, api: issuer, page: draft.page.trim() };
  switch (kind) {
    case 'OIDC':
      return { kind, issuer, clientId, clientAuth, scopes: draft.scopes.trim(), logout };
    case 'WECOM':
      return { kind, ...client, agentId: draft.agentId.trim() };
    case 'DINGTALK':
      return { kind, ...client, corpId: draft.corpId.trim() };
    case 'FEISHU':
      return { kind, ...client, tenantKey: draft.tenantKey.trim() };
    case 'CAS':
      return { kind, server: issuer, trustsMail, logout };
    case 'SAML': {
      const [entityId, signInUrl, logoutUrl] = [draft.entityId.trim(), draft.signInUrl.trim(), draft.logoutUrl.trim()];
      const certificates = certificatesIn(draft.certificates);
      return { kind, entityId, signInUrl, logoutUrl, certificates, trustsMail, logout };
    }
  }
}

/** The request body to create or change a provider; for a draft without faults. */
export function providerBody(draft: ProviderDraft): IdentityProviderBody {
  const { kind, name, enabled, sort, secret, admission, match, domains, claims, owned, roles } = draft;
  return {
    name: name.trim(),
    enabled,
    sort: sort ?? 0,
    settings: settingsOf(draft),
    rules: { admission, match, domains: [...domains], claims, owned: [...owned], roles },
    ...(secret === '' || !hasClient(kind) ? {} : { secret }),
  };
}

type Texts = ReturnType<typeof useTexts<'identityProviders'>>;
type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]+/.test(text.trim());

/** The fields that must not be empty, by kind; addresses are checked apart. */
const NEEDED: Record<SsoKind, readonly ('clientId' | 'agentId' | 'corpId' | 'entityId' | 'certificates')[]> = {
  OIDC: ['clientId'],
  SAML: ['entityId', 'certificates'],
  WECOM: ['clientId', 'agentId'],
  DINGTALK: ['clientId', 'corpId'],
  FEISHU: ['clientId'],
  CAS: [],
};

const addressFields = (kind: SsoKind): readonly ('issuer' | 'page' | 'signInUrl')[] => {
  if (kind === 'SAML') return ['signInUrl'];
  return hasPage(kind) ? ['issuer', 'page'] : ['issuer'];
};

/** The errors of a provider found before anything is sent. */
export function providerFaults(
  draft: ProviderDraft,
  hasSecret: boolean,
  t: Texts,
  admin: AdminTexts,
): FieldErrors<ProviderDraft> {
  const { kind, name, secret, logoutUrl, roles } = draft;
  const faults: FieldErrors<ProviderDraft> = {};
  if (name.trim() === '') faults.name = admin('invalid.required');
  for (const field of NEEDED[kind]) if (draft[field].trim() === '') faults[field] = admin('invalid.required');
  for (const field of addressFields(kind)) if (!isAddress(draft[field])) faults[field] = t('form.issuerWrong');
  if (kind === 'SAML' && logoutUrl.trim() !== '' && !isAddress(logoutUrl)) faults.logoutUrl = t('form.issuerWrong');
  if (needsSecret(draft) && secret === '' && !hasSecret) faults.secret = admin('invalid.required');
  if (roles.some(({ value, roleId }) => value.trim() === '' || roleId === '')) faults.roles = t('form.roleIncomplete');
  return faults;
}
