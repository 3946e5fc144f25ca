import type { SettingsOf } from '@rmeet/contract';
import { hashToken } from '../../../platform/secrets/index.ts';
import { claimsOf, type Attributes } from './attributes.ts';
import { isForbidden, webAddress, whyUnreachable, type SsoHttp } from './http.ts';
import { addressOf } from './json.ts';
import { faultOf, Refusal, type ProviderKind, type RefusalReason } from './kinds.ts';
import { attributeOf, childOf, elementsIn, parseXml, textOf, type XmlElement } from './xml.ts';

type Settings = SettingsOf<'CAS'>;

const CAS = 'http://www.yale.edu/tp/cas';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';

/** Codes of a failed validation (CAS Protocol 3.0, section 2.5.3). */
const REASONS: Record<string, RefusalReason> = {
  INVALID_TICKET: 'expired',
  INVALID_TICKET_SPEC: 'expired',
  INTERNAL_ERROR: 'busy',
};

/** The session of CAS is known by the ticket that opened it. It is a secret of CAS, this server and the browser. */
export const sidOfTicket = (ticket: string): string => hashToken(ticket);

/** @throws Refusal if CAS does not accept the ticket; Error if this is no answer of CAS */
function successIn(xml: string): XmlElement {
  const root = parseXml(xml);
  if (root.localName !== 'serviceResponse' || root.namespaceURI !== CAS) throw new Error('This is no answer of CAS.');
  const success = childOf(root, CAS, 'authenticationSuccess');
  if (success) return success;
  const failure = childOf(root, CAS, 'authenticationFailure');
  const code = attributeOf(failure, 'code') ?? '';
  throw new Refusal(REASONS[code] ?? 'setup', code, textOf(failure));
}

/** The attributes of a person; a name may be there several times. */
function attributesIn(success: XmlElement): Attributes {
  const found = new Map<string, string[]>();
  const attributes = childOf(success, CAS, 'attributes');
  for (const one of attributes ? elementsIn(attributes) : [])
    found.set(one.localName, [...(found.get(one.localName) ?? []), textOf(one)]);
  return found;
}

/** The ticket whose session ends; undefined if the message names none. @throws Error if it cannot be read */
export function ticketOfLogout(xml: string): string | undefined {
  const root = parseXml(xml.trim());
  if (root.localName !== 'LogoutRequest' || root.namespaceURI !== PROTOCOL) throw new Error('This ends no session.');
  return textOf(childOf(root, PROTOCOL, 'SessionIndex')) || undefined;
}

/** CAS Protocol 3.0. */
export function createCas({ http }: { http: SsoHttp }): ProviderKind<Settings> {
  const validate = ({ server }: Settings, service: string, ticket: string) =>
    http.call(addressOf(server, '/p3/serviceValidate', { service, ticket }), {
      headers: { accept: 'application/xml' },
    });

  return {
    begin({ id, settings: { server } }, { state, origin }) {
      const service = `${origin}/api/sso/cas/${id}?state=${state}`;
      const url = addressOf(server, '/login', { service });
      return Promise.resolve({ url: webAddress(new URL(url)), kept: { service } });
    },

    async finish({ settings }, { service = '' }, { ticket = '' }) {
      const { status, text } = await validate(settings, service, ticket);
      if (status >= 500) throw new Refusal('busy', `HTTP ${status}`);
      const success = successIn(text);
      const user = textOf(childOf(success, CAS, 'user'));
      if (user === '') throw new Error('There is no user.');
      return {
        subject: user,
        claims: claimsOf(attributesIn(success), { account: user, trustsMail: settings.trustsMail }),
        sid: sidOfTicket(ticket),
        hint: null,
      };
    },

    async check(settings) {
      const { server } = settings;
      const { host } = new URL(server);
      if (!http.allows(server)) return faultOf(server.startsWith('http:') ? 'INSECURE' : 'ADDRESS_REFUSED', host);
      try {
        const { status, headers, text } = await validate(settings, `${server}/`, 'ST-0-test');
        if (status >= 300 && status < 400) return faultOf('REDIRECTS', headers.location ?? String(status));
        if (status !== 200) return faultOf('NOT_FOUND', `${server}/p3/serviceValidate: ${status}`);
        successIn(text);
      } catch (error) {
        // It knows no such ticket, or no such service: it is CAS.
        if (error instanceof Refusal) return { ...faultOf(null, host), canLogOut: true };
        if (isForbidden(error)) return faultOf('ADDRESS_REFUSED', host);
        const why = whyUnreachable(error);
        return faultOf(why === undefined ? 'NOT_READABLE' : 'UNREACHABLE', `${host} ${why ?? ''}`.trim());
      }
      return faultOf('NOT_READABLE', host);
    },

    endAddress({ settings: { logout, server } }, _hint, returnTo) {
      const url = logout ? webAddress(new URL(addressOf(server, '/logout', { service: returnTo }))) : null;
      return Promise.resolve(url);
    },
  };
}
