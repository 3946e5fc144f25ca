import type { Attributes } from '../attributes.ts';
import { allElements, attributeOf, childOf, childrenOf, textOf, type XmlElement } from '../xml.ts';

export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
/** Key pairs and digests that are not weak; not SHA-1, and no shared keys. */
const STRONG = /#((rsa|ecdsa)-)?sha(256|384|512)$/;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** How much the clocks of both sides may differ, ms. */
export const CLOCK_TOLERANCE = 60_000;

/** What a response must be for. */
export interface Expected {
  /** The identity provider. */
  issuer: string;
  /** The address that it was sent to. */
  acs: string;
  /** The id of the request. */
  requestId: string;
}

export interface SamlName {
  value: string;
  format: string;
}

/** Times of XML Schema are in UTC (SAML 2.0 Core, section 1.3.3). Undefined: none is named. */
export function timeOf(element: XmlElement | undefined, name: string): Date | undefined {
  const text = attributeOf(element, name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw new Error(`The time ${name} cannot be read.`);
  return time;
}

/** @throws Error if any signature in a message is a weak one */
export function mustBeStrong(message: XmlElement): void {
  const weak = allElements(message)
    .filter(({ namespaceURI, localName }) => namespaceURI === SIGNATURE && /^(Signature|Digest)Method$/.test(localName))
    .map((one) => attributeOf(one, 'Algorithm') ?? '')
    .find((algorithm) => !STRONG.test(algorithm));
  if (weak !== undefined) throw new Error(`The signature is weak: ${weak}`);
}

/** @throws Error unless a response says that a person signed in, and was sent to this address by this provider */
export function mustBeFor(response: XmlElement, { issuer, acs, requestId }: Expected): void {
  if (response.localName !== 'Response' || response.namespaceURI !== PROTOCOL) throw new Error('This is no response.');
  const status = attributeOf(childOf(childOf(response, PROTOCOL, 'Status'), PROTOCOL, 'StatusCode'), 'Value');
  if (status !== SUCCESS) throw new Error(`The status is ${status ?? 'missing'}.`);
  // A signed message names where it is sent (SAML 2.0 Bindings, section 3.5.5.2).
  if (attributeOf(response, 'Destination') !== acs) throw new Error('The response was sent to another address.');
  if (attributeOf(response, 'InResponseTo') !== requestId) throw new Error('The response answers another request.');
  const named = childOf(response, ASSERTION, 'Issuer');
  if (named && textOf(named) !== issuer) throw new Error('The response is of another identity provider.');
}

/**
 * Until when a bearer may use an assertion here (SAML 2.0 Profiles, section 4.1.4.3).
 *
 * @throws Error if it is for another address or request, or too late
 */
export function bearerUntil(assertion: XmlElement, { acs, requestId }: Expected, now: Date): Date {
  const subject = childOf(assertion, ASSERTION, 'Subject');
  const confirmations = subject ? childrenOf(subject, ASSERTION, 'SubjectConfirmation') : [];
  for (const one of confirmations.filter((found) => attributeOf(found, 'Method') === BEARER)) {
    const data = childOf(one, ASSERTION, 'SubjectConfirmationData');
    const until = timeOf(data, 'NotOnOrAfter');
    const isHere = attributeOf(data, 'Recipient') === acs && attributeOf(data, 'InResponseTo') === requestId;
    const isInTime = until !== undefined && until.getTime() + CLOCK_TOLERANCE > now.getTime();
    if (isHere && isInTime && timeOf(data, 'NotBefore') === undefined)
      return new Date(until.getTime() + CLOCK_TOLERANCE);
  }
  throw new Error('The assertion is for another address or request, or too late.');
}

/** Whom an assertion is about. @throws Error for a name that is another one next time */
export function nameIn(assertion: XmlElement): SamlName {
  const name = childOf(childOf(assertion, ASSERTION, 'Subject'), ASSERTION, 'NameID');
  const [value, format] = [textOf(name), attributeOf(name, 'Format') ?? ''];
  if (value === '') throw new Error('There is no NameID.');
  if (format === TRANSIENT) throw new Error('The NameID is transient: it is another one next time.');
  return { value, format };
}

/** The session of the identity provider; empty if it does not name it. */
export const sessionIndexIn = (assertion: XmlElement): string =>
  attributeOf(childOf(assertion, ASSERTION, 'AuthnStatement'), 'SessionIndex') ?? '';

/** The attributes of an assertion, also under their friendly names. */
export function attributesIn(assertion: XmlElement): Attributes {
  const found = new Map<string, string[]>();
  const statements = childrenOf(assertion, ASSERTION, 'AttributeStatement');
  for (const attribute of statements.flatMap((one) => childrenOf(one, ASSERTION, 'Attribute'))) {
    const values = childrenOf(attribute, ASSERTION, 'AttributeValue').map((one) => textOf(one));
    const [name, friendly] = [attributeOf(attribute, 'Name'), attributeOf(attribute, 'FriendlyName')];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), ...values]);
    if (friendly !== undefined && friendly !== name) found.set(friendly, [...(found.get(friendly) ?? []), ...values]);
  }
  return found;
}
