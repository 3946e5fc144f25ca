import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Modes } from './modes.ts';
import type { AuthService } from './service.ts';

export const authRoutes = (auth: AuthService, modesOf: Modes): Handlers<typeof contract.auth> => ({
  login: (context, input) => auth.login(context, input),
  logout: (context) => auth.logout(context),
  loginMode: async (context, { query }) => ({
    ...(await modesOf(query.tenantUri, context)),
    publicKey: await auth.publicKey(),
  }),
  captcha: () => auth.captcha(),
  captchaRequired: ({ address }, { params }) => auth.needsCaptcha(params.account, address),
  handover: (context) => auth.handover(context),
  ticketToToken: (context, { query, body }) => auth.ticketToToken(context, query.sign ?? body?.sign),
});
