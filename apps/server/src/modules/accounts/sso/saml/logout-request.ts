import { verify, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { attributeOf, childOf, childrenOf, parseXml, textOf, XML_MAX, type XmlElement } from '../xml.ts';
import { ASSERTION, CLOCK_TOLERANCE, PROTOCOL, timeOf } from './assertion.ts';

/** Signatures of the redirect binding (SAML 2.0 Bindings, section 3.4.4.1); SHA-1 is no longer one. */
const ALGORITHMS: Record<string, string> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'sha384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'sha512',
};
/** A request that does not say how long it is valid is so for this time, ms. */
const VALID_FOR = 300_000;

/** Which sessions an identity provider ends. */
export interface LogoutRequest {
  id: string;
  subject: string;
  /** Of these sessions there; empty: all of the person. */
  sessionIndexes: string[];
  /** What the answer returns. */
  relayState: string;
  until: Date;
}

interface Expected {
  /** The identity provider, and where it sends requests. */
  issuer: string;
  logout: string;
  certificates: readonly string[];
}

/** The parameters of a query, as they were sent. @throws Error if one is there twice */
function parametersOf(query: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of query.split('&')) {
    const [name = ''] = part.split('=', 1);
    if (found.has(name)) throw new Error(`There are two parameters ${name}.`);
    found.set(name, part);
  }
  return found;
}

const valueOf = (part: string | undefined): string =>
  part === undefined ? '' : decodeURIComponent(part.slice(part.indexOf('=') + 1).replaceAll('+', ' '));

const keyOf = (certificate: string) => new X509Certificate(Buffer.from(certificate, 'base64')).publicKey;

/** Checks the signature over the query as it was sent, and returns the message. */
function verified(query: string, certificates: readonly string[]): { xml: string; relayState: string } {
  const sent = parametersOf(query);
  const algorithm = ALGORITHMS[valueOf(sent.get('SigAlg'))];
  const signature = Buffer.from(valueOf(sent.get('Signature')), 'base64');
  if (algorithm === undefined || signature.length === 0) throw new Error('The request is not signed.');
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap((name) => sent.get(name) ?? []).join('&');
  if (!certificates.some((one) => verify(algorithm, Buffer.from(signed), keyOf(one), signature)))
    throw new Error('The signature is not of the identity provider.');
  const packed = Buffer.from(valueOf(sent.get('SAMLRequest')), 'base64');
  const xml = inflateRawSync(packed, { maxOutputLength: XML_MAX }).toString('utf8');
  return { xml, relayState: valueOf(sent.get('RelayState')) };
}

/** Until when a request may be used. @throws Error if it is over */
function untilOf(request: XmlElement, now: Date): Date {
  const issued = timeOf(request, 'IssueInstant');
  const end = timeOf(request, 'NotOnOrAfter') ?? (issued && new Date(issued.getTime() + VALID_FOR));
  if (!end) throw new Error('There is no time.');
  const until = new Date(end.getTime() + CLOCK_TOLERANCE);
  if (until <= now) throw new Error('The request is too old.');
  return until;
}

/**
 * Reads a signed request to end sessions that a browser brought by redirect (SAML 2.0 Profiles, section 4.4.4.1).
 *
 * @throws Error unless it is of this provider, for this address and in time
 */
export function readLogoutRequest(query: string, expected: Expected, now: Date): LogoutRequest {
  const { issuer, logout, certificates } = expected;
  const { xml, relayState } = verified(query, certificates);
  const request = parseXml(xml);
  if (request.localName !== 'LogoutRequest' || request.namespaceURI !== PROTOCOL)
    throw new Error('This is no request to sign out.');
  if (textOf(childOf(request, ASSERTION, 'Issuer')) !== issuer) throw new Error('It is of another identity provider.');
  if (attributeOf(request, 'Destination') !== logout) throw new Error('It was sent to another address.');
  const [id, subject] = [attributeOf(request, 'ID') ?? '', textOf(childOf(request, ASSERTION, 'NameID'))];
  if (id === '' || subject === '') throw new Error('It names no one.');
  const sessionIndexes = childrenOf(request, PROTOCOL, 'SessionIndex').map((one) => textOf(one));
  return { id, subject, sessionIndexes, relayState, until: untilOf(request, now) };
}
