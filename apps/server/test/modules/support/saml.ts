import type { IdentityProvider, IdentityProviderBody, SsoAnswer } from '@rmeet/contract';
import type { RunningSamlProvider, SamlForm } from '@rmeet/testkit/saml-provider';
import { clientOf, codeOf, type Person } from './client.ts';
import type { TestServer } from './server.ts';

/** Adds the provider to the tenant of an administrator by its metadata, and the product there. */
export async function addSaml(
  server: TestServer,
  admin: Person,
  idp: RunningSamlProvider,
  { rules, settings = {} }: { rules?: IdentityProviderBody['rules']; settings?: { trustsMail?: boolean } } = {},
): Promise<IdentityProvider> {
  const read = await admin.identityProviders.readSamlMetadata({ body: { url: idp.metadataUrl } });
  const added = await admin.identityProviders.create({
    body: { name: 'Federation', settings: { kind: 'SAML', ...read, ...settings }, ...(rules ? { rules } : {}) },
  });
  idp.trust((await get(server, `/api/sso/saml/${added.id}/metadata`)).body);
  return added;
}

export const get = (server: TestServer, url: string) =>
  server.app.inject({ method: 'GET', url, headers: { host: new URL(server.publicUrl).host } });

/** What a browser does with the form of the provider's page. Returns what the page receives. */
export async function post(server: TestServer, { action, xml, relayState }: SamlForm): Promise<URLSearchParams> {
  const { pathname, host } = new URL(action);
  const sent = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState };
  const response = await server.app.inject({
    method: 'POST',
    url: pathname,
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(sent).toString(),
  });
  const { location } = response.headers;
  if (response.statusCode !== 302 || typeof location !== 'string') throw new Error(`Refused: ${response.body}`);
  return new URLSearchParams(location.replace('/#/sso?', ''));
}

/** What the page sends after it has come back. */
export const answerBy = (page: URLSearchParams, secret: string): SsoAnswer => ({
  state: page.get('state') ?? '',
  secret,
  ...(page.has('code') ? { code: page.get('code') ?? '' } : {}),
});

/** Signs in with the form that a test makes of the right one; returns the code of the outcome. */
export async function enterBy(
  server: TestServer,
  providerId: string,
  make: (url: string) => Promise<SamlForm>,
): Promise<string> {
  const { url, secret } = await clientOf(server).sso.start({ body: { providerId } });
  const page = await post(server, await make(url));
  return codeOf(clientOf(server).sso.verifyToToken({ body: answerBy(page, secret) }));
}

const ASSERTION = /<saml:Assertion[^]*<\/saml:Assertion>/;
const SIGNATURE = /<Signature[^]*?<\/Signature>/;

/**
 * Wrapped signatures (Somorovsky et al., On Breaking SAML, 2012): the signed parts stay in the message, and another
 * assertion is where a reader may look for one. Takes a signed response about one person, and makes it about another.
 */
export function wrapped(xml: string, from: string, to: string): Record<string, string> {
  const [assertion = ''] = ASSERTION.exec(xml) ?? [];
  const [inner = ''] = SIGNATURE.exec(assertion) ?? [];
  const outer = SIGNATURE.exec(xml.replace(assertion, ''))?.[0] ?? '';
  const bare = assertion.replace(inner, '');
  const evil = bare.replaceAll(from, to).replace(/ ID="[^"]+"/, ' ID="_evil"');
  const holding = (signature: string, content: string): string =>
    signature.replace('</Signature>', `<Object>${content}</Object></Signature>`);
  const root = xml.replace(/ ID="[^"]+"/, ' ID="_evilresponse"');
  const without = xml.replace(outer, '');
  return {
    'the response in its own signature': root.replace(outer, holding(outer, without)).replace(assertion, evil),
    'the response beside its signature': root.replace(assertion, `${without}${evil}`),
    'another assertion before the signed one': xml.replace(assertion, `${evil}${assertion}`),
    'another assertion after the signed one': xml.replace(assertion, `${assertion}${evil}`),
    'the signed assertion in another one': xml.replace(
      assertion,
      evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
    ),
    'another assertion that keeps the signature': xml.replace(assertion, `${assertion.replaceAll(from, to)}${bare}`),
    'the signed assertion in the signature of another': xml.replace(
      assertion,
      assertion.replaceAll(from, to).replace(inner, holding(inner, bare)),
    ),
    'another assertion in extensions': xml.replace(
      '<samlp:Status>',
      `<samlp:Extensions>${evil}</samlp:Extensions><samlp:Status>`,
    ),
    'two elements with one id': xml.replace(assertion, `${bare.replaceAll(from, to)}${assertion}`),
  };
}
