import type { contract, SignInMode } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { AuthService } from './service.ts';

export const authRoutes = (
  auth: AuthService,
  modesOf: (tenantUri: string | undefined) => Promise<SignInMode[]>,
): Handlers<typeof contract.auth> => ({
  login: (context, input) => auth.login(context, input),
  logout: async ({ caller }) => {
    await auth.logout(caller);
    return null;
  },
  loginMode: async (_context, { query }) => ({
    modes: await modesOf(query.tenantUri),
    publicKey: await auth.publicKey(),
  }),
  captcha: () => auth.captcha(),
  captchaRequired: ({ address }, { params }) => auth.needsCaptcha(params.account, address),
  handover: (context) => auth.handover(context),
  ticketToToken: (context, { query, body }) => auth.ticketToToken(context, query.sign ?? body?.sign),
});
