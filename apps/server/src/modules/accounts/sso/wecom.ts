import { WECOM_ADDRESSES, type SettingsOf } from '@rmeet/contract';
import { webAddress, type SsoHttp } from './http.ts';
import { addressOf, callJson, checkApi, textIn } from './json.ts';
import { redirectUriOf, Refusal, type Peer, type ProviderKind, type RefusalReason } from './kinds.ts';
import type { Tokens } from './tokens.ts';

type Settings = SettingsOf<'WECOM'>;
type WecomPeer = Peer<Settings>;

/** Where people inside the WeCom app are signed in without a QR code (document 91022). */
const INSIDE_APP = 'https://open.weixin.qq.com/connect/oauth2/authorize';
/** The browser of the WeCom app. */
const APP = /\bwxwork\//i;

/** The codes that matter (document 90313), in answers with status 200. */
const TOKEN_OVER = new Set(['40014', '42001']);
const REASONS: Record<string, RefusalReason> = {
  '-1': 'busy',
  45009: 'busy',
  40029: 'expired',
  42003: 'expired',
  // The application is not visible to the person; there is no such member.
  60011: 'notMember',
  60111: 'notMember',
};
/** States of a member: disabled, has left (document 90196). */
const GONE = new Set(['2', '5']);

/** @throws Refusal for an answer with an error */
function unlessRefused(body: Record<string, unknown>): Record<string, unknown> {
  const code = textIn(body, 'errcode');
  if (code === '0') return body;
  throw new Refusal(REASONS[code] ?? 'setup', code, textIn(body, 'errmsg'));
}

/** The ids of the departments as texts: roles can be granted by them. */
const departmentsIn = ({ department }: Record<string, unknown>): string[] =>
  Array.isArray(department) ? department.map(String) : [];

/** WeCom: the web login of an application of the organisation (documents 98152, 91023, 90196). */
export function createWecom({ http, tokens }: { http: SsoHttp; tokens: Tokens }): ProviderKind<Settings> {
  async function newToken({ api, clientId }: Settings, secret: string): Promise<{ token: string; lifetime: number }> {
    const query = { corpid: clientId, corpsecret: secret };
    const body = unlessRefused((await callJson(http, [api, '/cgi-bin/gettoken'], { query })).body);
    return { token: textIn(body, 'access_token'), lifetime: Number(textIn(body, 'expires_in')) };
  }

  /** Calls with the token that all servers share; once more if it has ended meanwhile. */
  async function call(peer: WecomPeer, path: string, query: Record<string, string>): Promise<Record<string, unknown>> {
    const { settings, secret } = peer;
    const ask = () => newToken(settings, secret);
    const by = async (token: string) =>
      (await callJson(http, [settings.api, path], { query: { access_token: token, ...query } })).body;
    const token = await tokens.tokenOf(peer, ask);
    const body = await by(token);
    if (!TOKEN_OVER.has(textIn(body, 'errcode'))) return unlessRefused(body);
    return unlessRefused(await by(await tokens.tokenOf(peer, ask, token)));
  }

  return {
    begin({ settings: { page, clientId, agentId } }, { state, origin, userAgent }) {
      const own = { appid: clientId, agentid: agentId, redirect_uri: redirectUriOf(origin), state };
      const inside = { ...own, response_type: 'code', scope: 'snsapi_base' };
      const url =
        APP.test(userAgent) && page === WECOM_ADDRESSES.page
          ? `${addressOf(INSIDE_APP, '', inside)}#wechat_redirect`
          : addressOf(page, '/wwlogin/sso/login', { login_type: 'CorpApp', ...own });
      return Promise.resolve({ url: webAddress(new URL(url)), kept: {} });
    },

    async finish(peer, _kept, { code = '' }) {
      const who = await call(peer, '/cgi-bin/auth/getuserinfo', { code });
      const userId = textIn(who, 'userid');
      // People outside the organisation have an openid only.
      if (userId === '') throw new Refusal('notMember', 'not a member of the organisation');
      const details = await call(peer, '/cgi-bin/user/get', { userid: userId });
      if (GONE.has(textIn(details, 'status'))) throw new Refusal('notMember', 'disabled, or has left');
      // Its organisation gives out this address; others are the person's own, and not verified.
      const mail = textIn(details, 'biz_mail');
      return {
        // Ids are not case-sensitive, and belong to one organisation.
        subject: `${peer.settings.clientId}/${userId.toLowerCase()}`,
        claims: {
          ...details,
          preferred_username: userId,
          name: textIn(details, 'name'),
          email: mail === '' ? textIn(details, 'email') : mail,
          email_verified: mail !== '',
          phone_number: textIn(details, 'mobile'),
          groups: departmentsIn(details),
        },
        sid: '',
        hint: null,
      };
    },

    check: (settings, secret) =>
      checkApi(http, settings, () =>
        secret === undefined ? callJson(http, [settings.api, '/cgi-bin/gettoken']) : newToken(settings, secret),
      ),

    endAddress: () => Promise.resolve(null),
  };
}
