import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { CasLogout } from './cas-logout.ts';
import type { createIdentities } from './identities.ts';
import type { createSsoLogout } from './logout.ts';
import type { createIdentityProviders } from './providers.ts';
import { toPage } from './redirects.ts';
import type { SamlCalls } from './saml/calls.ts';
import type { createSsoSignIn } from './sign-in.ts';

interface SsoCalls {
  signIn: ReturnType<typeof createSsoSignIn>;
  own: ReturnType<typeof createIdentities>;
  logout: ReturnType<typeof createSsoLogout>;
  saml: SamlCalls;
  casLogout: CasLogout;
}

export const ssoRoutes = ({ signIn, own, logout, saml, casLogout }: SsoCalls): Handlers<typeof contract.sso> => ({
  start: (context, input) => signIn.start(context, input),
  // DingTalk calls its code authCode.
  callback: (_context, { query: { authCode, code = authCode, ...rest } }) => toPage({ ...rest, code }),
  verifyToToken: (context, input) => signIn.verify(context, input),
  identities: (context) => own.list(context),
  startLink: (context, input) => signIn.startLink(context, input),
  link: (context, input) => own.link(context, input),
  unlink: (context, input) => own.unlink(context, input),
  backchannelLogout: (context, input) => logout.backchannel(context, input),
  samlMetadata: (context, input) => saml.metadata(context, input),
  samlAnswer: (context, input) => saml.answer(context, input),
  samlLogout: (context, input) => saml.logout(context, input),
  casCallback: (_context, { query }) => toPage(query),
  casLogout: (context, input) => casLogout(context, input),
});

export const identityProviderRoutes = (
  providers: ReturnType<typeof createIdentityProviders>,
): Handlers<typeof contract.identityProviders> => ({
  list: (context) => providers.list(context),
  create: (context, input) => providers.create(context, input),
  update: (context, input) => providers.update(context, input),
  remove: (context, input) => providers.remove(context, input),
  check: (context, input) => providers.check(context, input),
  readSamlMetadata: (context, input) => providers.readSamlMetadata(context, input),
});
