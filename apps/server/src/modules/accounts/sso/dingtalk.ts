import type { SettingsOf } from '@rmeet/contract';
import { webAddress, type SsoHttp } from './http.ts';
import { addressOf, callJson, checkApi, textIn, type JsonAnswer } from './json.ts';
import { redirectUriOf, Refusal, type ProviderKind } from './kinds.ts';

type Settings = SettingsOf<'DINGTALK'>;

/** An error is a status of 400 or more with `code` and `message`; those about the code that people brought name it. */
function unlessRefused({ status, body }: JsonAnswer): Record<string, unknown> {
  const code = textIn(body, 'code');
  if (status < 400 && code === '') return body;
  const isAboutCode = /auth_?code|\bcode\.notfound/i.test(code);
  throw new Refusal(isAboutCode ? 'expired' : 'setup', code || `HTTP ${status}`, textIn(body, 'message'));
}

/** DingTalk: sign-in on web pages by an application of the organisation (documents "obtain-user-token", "users/me"). */
export function createDingtalk({ http }: { http: SsoHttp }): ProviderKind<Settings> {
  return {
    begin({ settings: { page, clientId, corpId } }, { state, origin }) {
      const url = addressOf(page, '/oauth2/auth', {
        redirect_uri: redirectUriOf(origin),
        response_type: 'code',
        client_id: clientId,
        // With `corpid`, the answer tells the organisation that the person chose; `corpId` names the one to choose.
        scope: 'openid corpid',
        state,
        prompt: 'consent',
        corpId,
      });
      return Promise.resolve({ url: webAddress(new URL(url)), kept: {} });
    },

    async finish({ settings: { api, clientId, corpId }, secret }, _kept, { code = '' }) {
      const body = { clientId, clientSecret: secret, code, grantType: 'authorization_code' };
      const token = unlessRefused(await callJson(http, [api, '/v1.0/oauth2/userAccessToken'], { body }));
      // Anyone has a DingTalk account: what the browser was asked for proves nothing.
      if (textIn(token, 'corpId') !== corpId) throw new Refusal('notMember', 'another organisation');
      const headers = { 'x-acs-dingtalk-access-token': textIn(token, 'accessToken') };
      const me = unlessRefused(await callJson(http, [api, '/v1.0/contact/users/me'], { headers }));
      const subject = textIn(me, 'unionId');
      if (subject === '') throw new Error('There is no unionId.');
      return {
        subject,
        claims: {
          ...me,
          name: textIn(me, 'nick'),
          email: textIn(me, 'email'),
          // The person's own address.
          email_verified: false,
          phone_number: textIn(me, 'mobile'),
        },
        sid: '',
        hint: null,
      };
    },

    check: (settings, secret) =>
      checkApi(http, settings, async () => {
        const { api, clientId: appKey } = settings;
        const body = { appKey, appSecret: secret ?? '' };
        const answer = await callJson(http, [api, '/v1.0/oauth2/accessToken'], { body });
        if (secret !== undefined) unlessRefused(answer);
      }),

    endAddress: () => Promise.resolve(null),
  };
}
