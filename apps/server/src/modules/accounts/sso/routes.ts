import type { contract } from '@rmeet/contract';
import { FileAnswer, type Handlers } from '../../../platform/http/index.ts';
import type { createIdentities } from './identities.ts';
import type { createSsoLogout } from './logout.ts';
import type { createIdentityProviders } from './providers.ts';
import type { createSsoSignIn } from './sign-in.ts';

/** The page that takes the answers of identity providers. */
const PAGE = '/#/sso';

export const ssoRoutes = (
  signIn: ReturnType<typeof createSsoSignIn>,
  own: ReturnType<typeof createIdentities>,
  logout: ReturnType<typeof createSsoLogout>,
): Handlers<typeof contract.sso> => ({
  start: (context, input) => signIn.start(context, input),
  // In the fragment, which reaches no server and no log.
  callback: (_context, { query }) => {
    const { authCode, code = authCode, ...rest } = query;
    const sent = Object.entries({ ...rest, code }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    );
    return FileAnswer.at(`${PAGE}?${new URLSearchParams(sent).toString()}`, 0);
  },
  verifyToToken: (context, input) => signIn.verify(context, input),
  identities: (context) => own.list(context),
  startLink: (context, input) => signIn.startLink(context, input),
  link: (context, input) => own.link(context, input),
  unlink: (context, input) => own.unlink(context, input),
  backchannelLogout: (context, input) => logout.backchannel(context, input),
});

export const identityProviderRoutes = (
  providers: ReturnType<typeof createIdentityProviders>,
): Handlers<typeof contract.identityProviders> => ({
  list: (context) => providers.list(context),
  create: (context, input) => providers.create(context, input),
  update: (context, input) => providers.update(context, input),
  remove: (context, input) => providers.remove(context, input),
  check: (context, input) => providers.check(context, input),
});
