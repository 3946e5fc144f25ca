import type { IdentityProvider, IdentityProviderBody, SsoAnswer } from '@rmeet/contract';
import { OIDC_CLIENT } from '@rmeet/testkit/identity-provider';
import { clientOf, type Person } from './client.ts';
import type { TestServer } from './server.ts';

/** Adds the provider at an issuer to the tenant of an administrator. */
export function addProvider(
  admin: Person,
  issuer: string,
  { rules, name = 'North', ...other }: Partial<IdentityProviderBody> = {},
): Promise<IdentityProvider> {
  return admin.identityProviders.create({
    body: {
      name,
      settings: { kind: 'OIDC', issuer, clientId: OIDC_CLIENT.id },
      secret: OIDC_CLIENT.secret,
      ...(rules === undefined ? {} : { rules }),
      ...other,
    },
  });
}

/** Replaces the rules of a provider. */
export async function setRules(admin: Person, id: string, rules: IdentityProviderBody['rules']): Promise<void> {
  const { records } = await admin.identityProviders.list();
  const found = records.find((one) => one.id === id);
  if (!found) throw new Error('There is no such provider.');
  const { name, enabled, sort, settings, version } = found;
  await admin.identityProviders.update({
    params: { id },
    body: { name, enabled, sort, settings, version, ...(rules === undefined ? {} : { rules }) },
  });
}

/** What the page sends after the provider has sent the browser back. */
export function answerOf(back: URL, { secret }: { secret: string }): SsoAnswer {
  const { state = '', code = '', iss } = Object.fromEntries(back.searchParams);
  return { state, secret, code, ...(iss === undefined ? {} : { iss }) };
}

/** Begins a sign-in, and signs in at the provider; the answer is not used yet. */
export async function comeBack(
  server: TestServer,
  provider: { signIn(url: string, subject: string): Promise<URL> },
  providerId: string,
  subject: string,
): Promise<SsoAnswer> {
  const started = await clientOf(server).sso.start({ body: { providerId } });
  return answerOf(await provider.signIn(started.url, subject), started);
}
