import { randomBytes } from 'node:crypto';
import type { CacheProvider, Profile, SAML } from '@node-saml/node-saml';
import { SSO_LIFETIME, type SettingsOf } from '@rmeet/contract';
import { claimsOf } from '../attributes.ts';
import { webAddress } from '../http.ts';
import { faultOf, type Peer, type Person, type ProviderKind } from '../kinds.ts';
import { parseXml, type XmlElement } from '../xml.ts';
import {
  attributesIn,
  bearerUntil,
  CLOCK_TOLERANCE,
  mustBeFor,
  mustBeStrong,
  nameIn,
  sessionIndexIn,
  type Expected,
} from './assertion.ts';
import type { SigningKey } from './certificate.ts';
import { readLogoutRequest, type LogoutRequest } from './logout-request.ts';
import { ownMetadata, type OwnAddresses } from './metadata.ts';

type Settings = SettingsOf<'SAML'>;
export type SamlPeer = Peer<Settings>;

/** What the identity provider needs to end its session. */
interface Hint {
  nameId: string;
  format: string;
  sessionIndex: string;
  entityId: string;
}

const newId = (): string => `_${randomBytes(20).toString('hex')}`;

/** Knows one request, that of this sign-in: no process remembers any other. */
const onlyRequest = (id: string): CacheProvider => ({
  saveAsync: () => Promise.resolve(null),
  getAsync: (key) => Promise.resolve(key === id ? new Date().toISOString() : null),
  removeAsync: () => Promise.resolve(null),
});

/** The library for one provider. It signs every request, and demands that responses and assertions are signed. */
async function clientOf(
  { settings, secret }: SamlPeer,
  { entityId, acs, id }: { entityId: string; acs: string; id: string },
): Promise<SAML> {
  // Loaded with the first sign-in.
  const { SAML: Client, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const { privateKey } = JSON.parse(secret) as SigningKey;
  return new Client({
    issuer: entityId,
    audience: entityId,
    callbackUrl: acs,
    entryPoint: settings.signInUrl,
    logoutUrl: settings.logoutUrl,
    idpIssuer: settings.entityId,
    idpCert: settings.certificates,
    privateKey,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: SSO_LIFETIME,
    cacheProvider: onlyRequest(id),
    acceptedClockSkewMs: CLOCK_TOLERANCE,
    generateUniqueId: () => id,
  });
}

/** The person of an assertion whose signature was checked. */
function personOf(assertion: XmlElement, settings: Settings, entityId: string, until: Date): Person {
  const { value, format } = nameIn(assertion);
  const sessionIndex = sessionIndexIn(assertion);
  const hint: Hint = { nameId: value, format, sessionIndex, entityId };
  return {
    subject: value,
    claims: claimsOf(attributesIn(assertion), { account: value, trustsMail: settings.trustsMail }),
    sid: sessionIndex,
    hint: settings.logout && settings.logoutUrl !== '' ? JSON.stringify(hint) : null,
    once: { id: assertion.getAttribute('ID') ?? '', until },
  };
}

/** SAML 2.0, begun here: request by redirect, response by post (SAML 2.0 Profiles, section 4.1). */
// oxlint-disable-next-line max-lines-per-function -- short methods that share the addresses
export function createSaml({ publicUrls }: { publicUrls: () => readonly string[] }) {
  /** One name for all addresses of this server: identity providers know it by one. */
  function addressesOf(id: string, origin: string): OwnAddresses {
    const urls = publicUrls().length === 0 ? [origin] : publicUrls();
    const at = (url: string): string => `${url}/api/sso/saml/${id}`;
    const main = at(urls[0] ?? origin);
    return { entityId: `${main}/metadata`, acs: urls.map((url) => `${at(url)}/acs`), logout: `${main}/logout` };
  }

  const kind: ProviderKind<Settings> = {
    async begin(peer, { state, origin }) {
      const [id, acs] = [newId(), `${origin}/api/sso/saml/${peer.id}/acs`];
      const { entityId } = addressesOf(peer.id, origin);
      const client = await clientOf(peer, { entityId, acs, id });
      const url = await client.getAuthorizeUrlAsync(state, undefined, {});
      return { url: webAddress(new URL(url)), kept: { id, acs, entityId } };
    },

    async finish(peer, { id = '', acs = '', entityId = '' }, { answer = '' }) {
      const expected: Expected = { issuer: peer.settings.entityId, acs, requestId: id };
      // Before any other reader sees it.
      const response = parseXml(Buffer.from(answer, 'base64').toString('utf8'));
      mustBeFor(response, expected);
      mustBeStrong(response);
      const client = await clientOf(peer, { entityId, acs, id });
      const { profile } = await client.validatePostResponseAsync({ SAMLResponse: answer });
      if (profile?.issuer !== peer.settings.entityId) throw new Error('The assertion is of another identity provider.');
      // What was signed, not what was sent.
      const assertion = parseXml(profile.getAssertionXml?.() ?? '');
      const until = bearerUntil(assertion, expected, new Date());
      return personOf(assertion, peer.settings, entityId, until);
    },

    check: ({ entityId, signInUrl, logoutUrl }) => {
      const isSecure = [signInUrl, logoutUrl].every((url) => url === '' || url.startsWith('https:'));
      const found = isSecure ? faultOf(null, entityId) : faultOf('INSECURE', new URL(signInUrl).host);
      return Promise.resolve({ ...found, canLogOut: logoutUrl !== '' });
    },

    async endAddress(peer, hint) {
      if (hint === null || !peer.settings.logout || peer.settings.logoutUrl === '') return null;
      const { nameId: nameID, format: nameIDFormat, sessionIndex, entityId } = JSON.parse(hint) as Hint;
      const client = await clientOf(peer, { entityId, acs: entityId, id: newId() });
      const who = { issuer: peer.settings.entityId, nameID, nameIDFormat, sessionIndex } as Profile;
      return webAddress(new URL(await client.getLogoutUrlAsync(who, '', {})));
    },
  };

  return {
    ...kind,

    /** What the identity provider must know of this product, XML. */
    metadata: ({ id, secret }: SamlPeer, origin: string): string =>
      ownMetadata(addressesOf(id, origin), (JSON.parse(secret) as SigningKey).certificate),

    /** Reads a request to end sessions from the query as it was sent. @throws Error if it does not pass the checks */
    readLogout({ id, settings }: SamlPeer, query: string, origin: string): LogoutRequest {
      const { entityId: issuer, certificates } = settings;
      return readLogoutRequest(query, { issuer, certificates, logout: addressesOf(id, origin).logout }, new Date());
    },

    /** Where the browser takes the answer to such a request; null if the provider takes none. */
    async answerLogout(peer: SamlPeer, { id, relayState }: LogoutRequest, origin: string): Promise<string | null> {
      if (peer.settings.logoutUrl === '') return null;
      const { entityId } = addressesOf(peer.id, origin);
      const client = await clientOf(peer, { entityId, acs: entityId, id: newId() });
      const url = await client.getLogoutResponseUrlAsync({ ID: id } as unknown as Profile, relayState, {}, true);
      return webAddress(new URL(url));
    },
  };
}

export type Saml = ReturnType<typeof createSaml>;
