import { SIGN_IN_MODES, type contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { PhoneCodes } from './phone-codes.ts';
import type { AuthService } from './service.ts';

export const authRoutes = (
  auth: AuthService,
  phoneCodes: Pick<PhoneCodes, 'isOffered'>,
): Handlers<typeof contract.auth> => ({
  login: (context, input) => auth.login(context, input),
  logout: async ({ caller }) => {
    await auth.logout(caller);
    return null;
  },
  loginMode: async (_context, { query }) => {
    const hasCodes = await phoneCodes.isOffered(query.tenantUri);
    const modes = SIGN_IN_MODES.filter((mode) => mode !== 'SMS' || hasCodes);
    return { modes, publicKey: await auth.publicKey() };
  },
  captcha: () => auth.captcha(),
  captchaRequired: ({ address }, { params }) => auth.needsCaptcha(params.account, address),
  handover: (context) => auth.handover(context),
  ticketToToken: (context, { query, body }) => auth.ticketToToken(context, query.sign ?? body?.sign),
});
