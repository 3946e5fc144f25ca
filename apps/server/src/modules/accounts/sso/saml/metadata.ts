import type { SamlMetadata } from '@rmeet/contract';
import { attributeOf, childOf, childrenOf, escapeXml, parseXml, textOf, type XmlElement } from '../xml.ts';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);

/** Where messages of a kind are sent by redirect; undefined if it takes none. */
const redirectTo = (role: XmlElement, service: string): string | undefined =>
  childrenOf(role, METADATA, service)
    .filter((one) => attributeOf(one, 'Binding') === REDIRECT)
    .map((one) => attributeOf(one, 'Location') ?? '')
    .find(isWeb);

function certificatesIn(role: XmlElement): string[] {
  const found = childrenOf(role, METADATA, 'KeyDescriptor')
    // Without a use, a key is for both (SAML 2.0 Metadata, section 2.4.1.1).
    .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => childrenOf(key, SIGNATURE, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, SIGNATURE, 'X509Data'))
    .flatMap((data) => childrenOf(data, SIGNATURE, 'X509Certificate'))
    .map((one) => textOf(one).replaceAll(/\s/g, ''));
  return [...new Set(found)].filter((one) => one !== '');
}

/** Metadata may have comments and a document head, which messages may not. */
const withoutComments = (xml: string): string => xml.replaceAll(/<!--[^]*?-->/g, '');

/** @throws Error */
function read(xml: string): XmlElement {
  try {
    return parseXml(withoutComments(xml).trim());
  } catch {
    throw new Error('XML');
  }
}

/**
 * What is stored of an identity provider's metadata (SAML 2.0 Metadata, section 2.4.3).
 *
 * @throws Error that names what is missing
 */
export function readMetadata(xml: string): SamlMetadata {
  const root = read(xml);
  if (root.namespaceURI !== METADATA) throw new Error('EntityDescriptor');
  const entities = root.localName === 'EntitiesDescriptor' ? childrenOf(root, METADATA, 'EntityDescriptor') : [root];
  const entity = entities.find((one) => childOf(one, METADATA, 'IDPSSODescriptor'));
  const role = childOf(entity, METADATA, 'IDPSSODescriptor');
  if (!role) throw new Error('IDPSSODescriptor');
  const entityId = attributeOf(entity, 'entityID');
  if (!entityId) throw new Error('entityID');
  const signInUrl = redirectTo(role, 'SingleSignOnService');
  if (signInUrl === undefined) throw new Error('SingleSignOnService HTTP-Redirect');
  const certificates = certificatesIn(role).slice(0, 10);
  if (certificates.length === 0) throw new Error('X509Certificate');
  return { entityId, signInUrl, logoutUrl: redirectTo(role, 'SingleLogoutService') ?? '', certificates };
}

/** The addresses of this product for one provider. */
export interface OwnAddresses {
  entityId: string;
  /** One for each address of this server; the first is the usual one. */
  acs: readonly string[];
  logout: string;
}

/** What an identity provider must know of this product (SAML 2.0 Metadata, section 2.4.4). */
export function ownMetadata({ entityId, acs, logout }: OwnAddresses, certificate: string): string {
  const services = acs.map(
    (url, n) =>
      `<md:AssertionConsumerService Binding="${POST}" Location="${escapeXml(url)}" index="${n}"` +
      `${n === 0 ? ' isDefault="true"' : ''}/>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<md:EntityDescriptor xmlns:md="${METADATA}" xmlns:ds="${SIGNATURE}" entityID="${escapeXml(entityId)}">`,
    '<md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" ' +
      `protocolSupportEnumeration="${PROTOCOL}">`,
    `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}` +
      '</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>',
    `<md:SingleLogoutService Binding="${REDIRECT}" Location="${escapeXml(logout)}"/>`,
    ...services,
    '</md:SPSSODescriptor>',
    '</md:EntityDescriptor>',
    '',
  ].join('\n');
}
