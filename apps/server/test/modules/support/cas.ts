import { randomUUID } from 'node:crypto';
import { startStandIn, type StandIn } from './stand-in.ts';

export interface Cas extends StandIn {
  /** What it says about people. */
  people: Map<string, Record<string, string | string[]>>;
  /** The next answer of a validation, in place of the right one. */
  next: { status?: number; body: unknown }[];
  /** Signs a person in; brings a ticket back. @throws Error if the address is not one of its page */
  signIn(url: string, user: string): URL;
  /** The message that ends the session of a ticket (CAS Protocol 3.0, section 2.3.3). */
  logoutRequest(ticket: string): string;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const answerWith = (content: string) => ({
  body: `<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">${content}</cas:serviceResponse>`,
});
const failure = (code: string, text: string) =>
  answerWith(`<cas:authenticationFailure code="${code}">${text}</cas:authenticationFailure>`);

/** A CAS server by the CAS Protocol Specification 3.0: a ticket works once, for the service that it was given to. */
export async function startCas(): Promise<Cas> {
  const people: Cas['people'] = new Map();
  const next: Cas['next'] = [];
  const tickets = new Map<string, { user: string; service: string }>();

  function validate({ service = '', ticket = '' }: Record<string, string>) {
    if (service === '' || ticket === '') return failure('INVALID_REQUEST', 'service and ticket are required');
    const found = tickets.get(ticket);
    tickets.delete(ticket);
    if (!found) return failure('INVALID_TICKET', `Ticket ${ticket} not recognized`);
    if (found.service !== service) return failure('INVALID_SERVICE', 'The ticket is for another service');
    const attributes = Object.entries(people.get(found.user) ?? {}).flatMap(([name, values]) =>
      [values].flat().map((value) => `<cas:${name}>${escape(value)}</cas:${name}>`),
    );
    return answerWith(
      `<cas:authenticationSuccess><cas:user>${escape(found.user)}</cas:user>` +
        `<cas:attributes>${attributes.join('')}</cas:attributes></cas:authenticationSuccess>`,
    );
  }

  const server = await startStandIn(({ method, path, query }) =>
    method === 'GET' && path === '/cas/p3/serviceValidate' ? (next.shift() ?? validate(query)) : undefined,
  );
  return {
    ...server,
    people,
    next,
    signIn(url, user) {
      const { origin, pathname, searchParams } = new URL(url);
      if (origin + pathname !== `${server.origin}/cas/login`) throw new Error(`Another page: ${url}`);
      if ([...searchParams.keys()].join() !== 'service') throw new Error('Other parameters.');
      const service = searchParams.get('service') ?? '';
      const ticket = `ST-${randomUUID()}`;
      tickets.set(ticket, { user, service });
      const back = new URL(service);
      back.searchParams.append('ticket', ticket);
      return back;
    },
    logoutRequest: (ticket) =>
      '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ' +
      `xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${randomUUID()}" Version="2.0" ` +
      `IssueInstant="${new Date().toISOString()}"><saml:NameID>@NOT_USED@</saml:NameID>` +
      `<samlp:SessionIndex>${ticket}</samlp:SessionIndex></samlp:LogoutRequest>`,
  };
}
