import { createHash, randomUUID } from 'node:crypto';
import { startStandIn, type StandIn, type StandInAnswer, type StandInCall } from './stand-in.ts';

/** What a stand-in says about a person. */
export type Profile = Record<string, unknown>;

export interface ChatProvider extends StandIn {
  /** The people by the code that they bring back. A code works once. */
  codes: Map<string, Profile>;
  /** The next answers, in place of the right ones. */
  next: StandInAnswer[];
  /**
   * Checks the address that the browser goes to, as the provider's page does, and brings back a code of a person.
   *
   * @throws Error if a parameter is missing or wrong
   */
  signIn(url: string, person: Profile): URL;
}

/** The parameters of a page, exactly these. */
function parametersOf(url: string, page: string, fixed: Record<string, string>, others: readonly string[]) {
  const { origin, pathname, searchParams } = new URL(url);
  if (origin + pathname !== page) throw new Error(`Another page: ${url}`);
  const names = [...searchParams.keys()].toSorted();
  const wanted = [...Object.keys(fixed), ...others].toSorted();
  if (JSON.stringify(names) !== JSON.stringify(wanted)) throw new Error(`Other parameters: ${names.join()}`);
  for (const [name, value] of Object.entries(fixed))
    if (searchParams.get(name) !== value) throw new Error(`${name} is ${searchParams.get(name)}`);
  return Object.fromEntries(searchParams) as Record<string, string>;
}

interface Rules {
  /** Checks the address of its page; returns the state, where people are sent back to, and what belongs to the code. */
  page: (url: string, origin: string) => { state: string; redirect: string; kept?: Profile };
  /** The parameter that carries the code back. */
  codeName: string;
  answer: (call: StandInCall, codes: Map<string, Profile>) => StandInAnswer | undefined;
}

async function start({ page, codeName, answer }: Rules): Promise<ChatProvider> {
  const codes = new Map<string, Profile>();
  const next: StandInAnswer[] = [];
  const server = await startStandIn((call) => next.shift() ?? answer(call, codes));
  return {
    ...server,
    codes,
    next,
    signIn(url, person) {
      const { state, redirect, kept } = page(url, server.origin);
      const code = randomUUID();
      codes.set(code, { ...person, ...kept });
      const back = new URL(redirect);
      back.searchParams.set(codeName, code);
      back.searchParams.set('state', state);
      return back;
    },
  };
}

/** Takes a code, once. */
function taken(codes: Map<string, Profile>, code: unknown): Profile | undefined {
  const person = codes.get(String(code));
  codes.delete(String(code));
  return person;
}

export const WECOM = { corpId: 'ww1234567890abcdef', agentId: '1000002', secret: 'a secret of WeCom' };

export interface Wecom extends ChatProvider {
  /** Tokens that were given out; the last one works. */
  tokens: string[];
}

/** WeCom, as its documents 98152, 91039, 91023 and 90196 describe it: errors have status 200. */
export async function startWecom(): Promise<Wecom> {
  const tokens: string[] = [];
  const members = new Map<string, Profile>();
  const error = (errcode: number, errmsg: string) => ({ body: { errcode, errmsg } });
  const right = (body: Profile) => ({ body: { errcode: 0, errmsg: 'ok', ...body } });
  const provider = await start({
    codeName: 'code',
    page(url, origin) {
      const fixed = { login_type: 'CorpApp', appid: WECOM.corpId, agentid: WECOM.agentId };
      const { state = '', redirect_uri: redirect = '' } = parametersOf(url, `${origin}/wwlogin/sso/login`, fixed, [
        'redirect_uri',
        'state',
      ]);
      if (!/^[a-zA-Z0-9]{1,128}$/.test(state)) throw new Error('The state has other characters.');
      return { state, redirect };
    },
    answer({ method, path, query }, codes) {
      if (method !== 'GET') return error(43001, 'require GET method');
      if (path === '/cgi-bin/gettoken') {
        if (query['corpid'] !== WECOM.corpId) return error(40013, 'invalid corpid');
        if (query['corpsecret'] !== WECOM.secret) return error(40001, 'invalid credential');
        tokens.push(randomUUID());
        return right({ access_token: tokens.at(-1), expires_in: 7_200 });
      }
      if (query['access_token'] !== tokens.at(-1)) return error(40014, 'invalid access_token');
      if (path === '/cgi-bin/auth/getuserinfo') {
        const person = taken(codes, query['code']);
        if (!person) return error(40029, 'invalid code');
        const { userid, openid } = person;
        if (typeof userid !== 'string') return right({ openid });
        members.set(userid, person);
        return right({ userid });
      }
      if (path !== '/cgi-bin/user/get') return undefined;
      const member = members.get(query['userid'] ?? '');
      if (!member) return error(60111, 'userid not found');
      return member['hidden'] === true
        ? error(60011, 'no privilege to access/modify contact/party/agent')
        : right(member);
    },
  });
  return { ...provider, tokens };
}

export const DINGTALK = { clientId: 'dingabcdef', corpId: 'ding0123456789', secret: 'a secret of DingTalk' };

/** DingTalk, as its documents "obtain-user-token" and "dingtalk-retrieve-user-information" describe it. */
export async function startDingtalk(): Promise<ChatProvider> {
  const tokens = new Map<string, Profile>();
  const error = (code: string, message: string) => ({ status: 400, body: { code, message, requestid: randomUUID() } });
  return start({
    codeName: 'authCode',
    page(url, origin) {
      const fixed = {
        response_type: 'code',
        client_id: DINGTALK.clientId,
        scope: 'openid corpid',
        prompt: 'consent',
        corpId: DINGTALK.corpId,
      };
      const others = ['redirect_uri', 'state'];
      const { state = '', redirect_uri: redirect = '' } = parametersOf(url, `${origin}/oauth2/auth`, fixed, others);
      return { state, redirect };
    },
    answer({ method, path, headers, body }, codes) {
      if (path === '/v1.0/oauth2/userAccessToken' && method === 'POST') {
        const { clientId, clientSecret, code, grantType } = body;
        if (clientId !== DINGTALK.clientId || clientSecret !== DINGTALK.secret)
          return error('invalidClientIdOrSecret', 'invalid client');
        if (grantType !== 'authorization_code') return error('invalidParameter.grantType', 'grantType');
        const person = taken(codes, code);
        if (!person) return error('invalidParameter.authCode.notFound', 'authCode');
        const accessToken = randomUUID();
        tokens.set(accessToken, person);
        return { body: { accessToken, refreshToken: randomUUID(), expireIn: 7_200, corpId: person['corpId'] } };
      }
      if (path === '/v1.0/oauth2/accessToken' && method === 'POST')
        return body['appKey'] === DINGTALK.clientId && body['appSecret'] === DINGTALK.secret
          ? { body: { accessToken: randomUUID(), expireIn: 7_200 } }
          : error('invalidClientIdOrSecret', 'invalid client');
      if (path !== '/v1.0/contact/users/me' || method !== 'GET') return undefined;
      const person = tokens.get(String(headers['x-acs-dingtalk-access-token']));
      if (!person) return { status: 401, body: { code: 'InvalidAuthentication', message: 'no token' } };
      const { corpId: _, ...me } = person;
      return { body: me };
    },
  });
}

export const FEISHU = { clientId: 'cli_a1b2c3', tenantKey: '736588c9260f175d', secret: 'a secret of Feishu' };

/** Feishu, as its documents "authen/v1/authorize", "authen/v2/oauth/token" and "authen/v1/user_info" describe it. */
export async function startFeishu(): Promise<ChatProvider> {
  const tokens = new Map<string, Profile>();
  const refused = (code: number, error_description: string) => ({
    status: 400,
    body: { code, error: 'invalid_grant', error_description },
  });
  function tokenFor(body: Profile, codes: Map<string, Profile>): StandInAnswer {
    const { grant_type, client_id, client_secret, code, redirect_uri, code_verifier } = body;
    if (grant_type !== 'authorization_code') return refused(20036, 'unsupported grant_type');
    if (client_id !== FEISHU.clientId) return refused(20048, 'no such application');
    if (client_secret !== FEISHU.secret) return refused(20002, 'invalid client_secret');
    const person = taken(codes, code);
    if (!person) return refused(20003, 'the code was not found, or was used');
    if (person['redirect'] !== redirect_uri) return refused(20071, 'redirect_uri differs');
    const challenge = createHash('sha256').update(String(code_verifier)).digest('base64url');
    if (person['challenge'] !== challenge) return refused(20049, 'PKCE failed');
    if (person['outside'] === true) return refused(20010, 'the user may not use this application');
    const token = randomUUID();
    tokens.set(token, person);
    return { body: { code: 0, access_token: token, token_type: 'Bearer', expires_in: 7_200 } };
  }
  return start({
    codeName: 'code',
    page(url, origin) {
      const fixed = { client_id: FEISHU.clientId, response_type: 'code', code_challenge_method: 'S256' };
      const others = ['redirect_uri', 'state', 'code_challenge'];
      const found = parametersOf(url, `${origin}/open-apis/authen/v1/authorize`, fixed, others);
      const { state = '', redirect_uri: redirect = '', code_challenge: challenge } = found;
      return { state, redirect, kept: { challenge, redirect } };
    },
    answer({ method, path, headers, body }, codes) {
      if (path === '/open-apis/authen/v2/oauth/token' && method === 'POST') return tokenFor(body, codes);
      if (path === '/open-apis/auth/v3/tenant_access_token/internal' && method === 'POST')
        return body['app_id'] === FEISHU.clientId && body['app_secret'] === FEISHU.secret
          ? { body: { code: 0, msg: 'ok', tenant_access_token: randomUUID(), expire: 7_200 } }
          : { body: { code: 10014, msg: 'app secret invalid' } };
      if (path !== '/open-apis/authen/v1/user_info' || method !== 'GET') return undefined;
      const person = tokens.get(String(headers.authorization).replace(/^Bearer /, ''));
      if (!person) return { status: 401, body: { code: 20005, msg: 'invalid token' } };
      const { challenge: _, redirect: __, ...me } = person;
      return { body: { code: 0, msg: 'success', data: me } };
    },
  });
}
