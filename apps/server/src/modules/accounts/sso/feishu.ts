import type { SettingsOf } from '@rmeet/contract';
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client';
import { webAddress, type SsoHttp } from './http.ts';
import { addressOf, callJson, checkApi, isObject, textIn, type JsonAnswer } from './json.ts';
import { redirectUriOf, Refusal, type ProviderKind, type RefusalReason } from './kinds.ts';

type Settings = SettingsOf<'FEISHU'>;

/** The codes that matter, in answers with status 200 or 400 (document "get-user-access-token"). */
const REASONS: Record<string, RefusalReason> = {
  20003: 'expired',
  20004: 'expired',
  20010: 'notMember',
  20050: 'busy',
};

/** @throws Refusal for an answer with an error */
function unlessRefused({ body }: JsonAnswer): Record<string, unknown> {
  const code = textIn(body, 'code');
  if (code === '0') return body;
  const said = textIn(body, 'error_description') || textIn(body, 'msg');
  throw new Refusal(REASONS[code] ?? 'setup', code, said);
}

/** Feishu, and Lark: OAuth 2.0 with PKCE by an application of the organisation (document "authen/v2/oauth/token"). */
export function createFeishu({ http }: { http: SsoHttp }): ProviderKind<Settings> {
  return {
    async begin({ settings: { page, clientId } }, { state, origin }) {
      const verifier = randomPKCECodeVerifier();
      const url = addressOf(page, '/open-apis/authen/v1/authorize', {
        client_id: clientId,
        redirect_uri: redirectUriOf(origin),
        response_type: 'code',
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return { url: webAddress(new URL(url)), kept: { verifier } };
    },

    async finish({ settings: { api, clientId, tenantKey }, secret }, { verifier = '' }, { code = '' }, origin) {
      const body = {
        grant_type: 'authorization_code',
        client_id: clientId,
        client_secret: secret,
        code,
        redirect_uri: redirectUriOf(origin),
        code_verifier: verifier,
      };
      const token = unlessRefused(await callJson(http, [api, '/open-apis/authen/v2/oauth/token'], { body }));
      const headers = { authorization: `Bearer ${textIn(token, 'access_token')}` };
      const { data } = unlessRefused(await callJson(http, [api, '/open-apis/authen/v1/user_info'], { headers }));
      const me = isObject(data) ? data : {};
      const subject = textIn(me, 'union_id');
      if (subject === '') throw new Error('There is no union_id.');
      if (tenantKey !== '' && textIn(me, 'tenant_key') !== tenantKey)
        throw new Refusal('notMember', 'another organisation');
      // Its organisation gives out this address; the other is the person's own, and not verified.
      const mail = textIn(me, 'enterprise_email');
      return {
        subject,
        claims: {
          ...me,
          preferred_username: textIn(me, 'user_id'),
          email: mail === '' ? textIn(me, 'email') : mail,
          email_verified: mail !== '',
          phone_number: textIn(me, 'mobile'),
        },
        sid: '',
        hint: null,
      };
    },

    check: (settings, secret) =>
      checkApi(http, settings, async () => {
        const { api, clientId } = settings;
        const body = { app_id: clientId, app_secret: secret ?? '' };
        const answer = await callJson(http, [api, '/open-apis/auth/v3/tenant_access_token/internal'], { body });
        if (secret !== undefined) unlessRefused(answer);
      }),

    endAddress: () => Promise.resolve(null),
  };
}
