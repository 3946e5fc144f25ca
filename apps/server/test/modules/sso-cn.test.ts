import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IdentityProvider, IdentityProviderBody } from '@rmeet/contract';
import { accountIdentity, ssoToken } from '../../src/modules/accounts/sso/tables.ts';
import { createTokens } from '../../src/modules/accounts/sso/tokens.ts';
import { openSecretBox } from '../../src/platform/secrets/index.ts';
import {
  DINGTALK,
  FEISHU,
  startDingtalk,
  startFeishu,
  startWecom,
  WECOM,
  type ChatProvider,
  type Profile,
  type Wecom,
} from './support/chat-providers.ts';
import { CallFailed, clientOf, codeOf, send, signIn, type Person } from './support/client.ts';
import { startTestServer, type TestServer } from './support/server.ts';

let wecom: Wecom;
let dingtalk: ChatProvider;
let feishu: ChatProvider;
let server: TestServer;
let admin: Person;

beforeAll(async () => {
  [wecom, dingtalk, feishu] = [await startWecom(), await startDingtalk(), await startFeishu()];
  server = await startTestServer({
    publicUrls: ['https://meet.example.org'],
    ssoHosts: [wecom.host, dingtalk.host, feishu.host],
  });
  admin = await signIn(server, 'admin');
});
afterAll(async () => {
  await server.close();
  for (const one of [wecom, dingtalk, feishu]) await one.close();
});
beforeEach(async () => {
  for (const { id } of (await admin.identityProviders.list()).records)
    await server.db.platform((tx) => tx.delete(accountIdentity, eq(accountIdentity.providerId, id)));
});

const add = (name: string, settings: IdentityProviderBody['settings'], secret: string, rules = {}) =>
  admin.identityProviders.create({ body: { name, settings, secret, rules: { match: 'account', ...rules } } });
const addressesOf = ({ origin }: ChatProvider) => ({ page: origin, api: origin });

/** Signs in as a person whom a stand-in describes; `change`: what the browser brings in place of the right code. */
async function enter(
  { id }: Pick<IdentityProvider, 'id'>,
  at: ChatProvider,
  person: Profile,
  change: (code: string) => string = (code) => code,
) {
  const { url, secret } = await clientOf(server).sso.start({ body: { providerId: id } });
  const back = at.signIn(url, person);
  expect(back.origin + back.pathname).toBe(`${server.publicUrl}/api/sso/callback`);
  const response = await server.app.inject({
    url: back.pathname + back.search,
    headers: { host: new URL(server.publicUrl).host },
  });
  const page = new URLSearchParams(String(response.headers.location).replace('/#/sso?', ''));
  const body = { state: page.get('state') ?? '', secret, code: change(page.get('code') ?? '') };
  return clientOf(server).sso.verifyToToken({ body });
}
/** What a refusal says. */
async function saidBy(work: Promise<unknown>): Promise<[string, string]> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CallFailed) return [error.answer.statusCode, error.answer.message];
    throw error;
  }
  return ['OK', ''];
}

describe('WeCom', () => {
  let provider: IdentityProvider;
  const settings = () => ({
    kind: 'WECOM' as const,
    clientId: WECOM.corpId,
    agentId: WECOM.agentId,
    ...addressesOf(wecom),
  });
  beforeAll(async () => {
    provider = await add('WeCom', settings(), WECOM.secret);
  });

  test('signs in members of the organisation by their id', async () => {
    expect((await enter(provider, wecom, { userid: 'Alice', name: 'Alice', status: 1 })).user.account).toBe('alice');
    const rows = await server.db.platform((tx) =>
      tx.find(accountIdentity, eq(accountIdentity.providerId, provider.id)),
    );
    expect(rows[0]?.subject).toBe(`${WECOM.corpId}/alice`);
  });

  test('does not let in people outside, who left, or to whom the application is not visible', async () => {
    for (const person of [
      { openid: 'o-123' },
      { userid: 'bob', status: 5 },
      { userid: 'bob', status: 2 },
      { userid: 'bob', status: 1, hidden: true },
    ])
      expect(await codeOf(enter(provider, wecom, person))).toBe('SSO_NOT_MEMBER');
  });

  test('takes over addresses that the organisation gives out as verified ones, not those of people', async () => {
    const byMail = await add('By mail', settings(), WECOM.secret, { match: 'mail', domains: ['north.example'] });
    const person = { userid: 'alice', status: 1 };
    expect(await codeOf(enter(byMail, wecom, { ...person, email: 'alice@north.example' }))).toBe('SSO_MAIL_REFUSED');
    expect(await codeOf(enter(byMail, wecom, { ...person, biz_mail: 'new@north.example' }))).toBe('SSO_NOT_KNOWN');
    await admin.identityProviders.remove({ params: { id: byMail.id } });
  });

  test('says in a sentence what an answer with status 200 refuses', async () => {
    expect(await codeOf(enter(provider, wecom, { userid: 'alice' }, () => 'a used code'))).toBe('SSO_EXPIRED');
    const said = (errcode: number, errmsg: string) => {
      wecom.next.push({ body: { errcode, errmsg } });
      return saidBy(enter(provider, wecom, { userid: 'alice' }));
    };
    expect(await said(60020, 'not allow to access from your ip')).toEqual([
      'SSO_SETUP_WRONG',
      'WeCom refuses the requests of this product (60020). Ask your administrator to check the settings.',
    ]);
    expect((await said(-1, 'system busy'))[0]).toBe('SSO_UNREACHABLE');
    wecom.next.push({ status: 502, body: 'bad gateway' });
    expect(await codeOf(enter(provider, wecom, { userid: 'alice' }))).toBe('SSO_UNREACHABLE');
  });

  test('is called with one token by all servers, which is renewed when it ends or is refused', async () => {
    const tokenCalls = () => wecom.tokens.length;
    await enter(provider, wecom, { userid: 'alice', status: 1 });
    const before = tokenCalls();
    await enter(provider, wecom, { userid: 'alice', status: 1 });
    expect(tokenCalls()).toBe(before);
    wecom.tokens.push('another one was given out elsewhere');
    await enter(provider, wecom, { userid: 'alice', status: 1 });
    expect(tokenCalls()).toBe(before + 2);
    server.clock.advance({ minutes: 116 });
    await enter(provider, wecom, { userid: 'alice', status: 1 });
    expect(tokenCalls()).toBe(before + 3);
    const rows = await server.db.platform((tx) => tx.find(ssoToken));
    for (const token of wecom.tokens) expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('is asked for a token by one server at a time', async () => {
    const { db, folder, clock } = server;
    const secrets = openSecretBox(folder);
    const servers = [1, 2].map(() => createTokens({ db, secrets, now: () => clock.now() }));
    const peer = { id: provider.id, tenantId: server.people.get('alice')?.tenantId ?? '', version: 99 };
    let asked = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    const ask = async () => {
      asked += 1;
      await promise;
      return { token: `token ${asked}`, lifetime: 7_200 };
    };
    const all = servers.flatMap((one) => [one.tokenOf(peer, ask), one.tokenOf(peer, ask)]);
    await expect.poll(() => asked).toBe(1);
    resolve();
    expect(await Promise.all(all)).toEqual(['token 1', 'token 1', 'token 1', 'token 1']);
    // A failure is not kept, and another server may ask at once.
    const failing = () => Promise.reject(new Error('of the test'));
    await expect(servers[0]?.tokenOf(peer, failing, 'token 1')).rejects.toThrow('of the test');
    expect(await servers[1]?.tokenOf(peer, ask, 'token 1')).toBe('token 2');
  });

  test('signs in without a QR code inside its app', async () => {
    const inside = await add('Inside', { kind: 'WECOM', clientId: WECOM.corpId, agentId: '7' }, WECOM.secret);
    const answer = await send(server, 'POST', '/api/sso/start', {
      body: { providerId: inside.id },
      userAgent: 'Mozilla/5.0 (Linux; Android 15) Mobile Safari/537.36 wxwork/4.1.30 MicroMessenger/7.0.1',
    });
    const { url, state } = answer.data as { url: string; state: string };
    const { origin, pathname, searchParams, hash } = new URL(url);
    expect([origin + pathname, hash]).toEqual([
      'https://open.weixin.qq.com/connect/oauth2/authorize',
      '#wechat_redirect',
    ]);
    expect(Object.fromEntries(searchParams)).toEqual({
      appid: WECOM.corpId,
      agentid: '7',
      redirect_uri: `${server.publicUrl}/api/sso/callback`,
      response_type: 'code',
      scope: 'snsapi_base',
      state,
    });
    await admin.identityProviders.remove({ params: { id: inside.id } });
  });

  test('is tested with its secret', async () => {
    const check = (secret?: string) =>
      admin.identityProviders.check({ body: { settings: settings(), ...(secret === undefined ? {} : { secret }) } });
    expect((await check()).fault).toBeNull();
    expect((await check(WECOM.secret)).fault).toBeNull();
    expect(await check('wrong')).toMatchObject({ fault: 'REFUSED', detail: '40001 invalid credential' });
  });
});

describe('DingTalk', () => {
  let provider: IdentityProvider;
  const settings = () => ({
    kind: 'DINGTALK' as const,
    clientId: DINGTALK.clientId,
    corpId: DINGTALK.corpId,
    ...addressesOf(dingtalk),
  });
  const person = { unionId: 'union-1', nick: 'Alice', mobile: '13800000001', corpId: DINGTALK.corpId };
  beforeAll(async () => {
    const claims = { account: 'mobile', name: 'name', email: '', phone: 'phone_number', department: '', roles: '' };
    provider = await add('DingTalk', settings(), DINGTALK.secret, { admission: 'create', claims });
  });

  test('signs in members of the organisation; its callback carries authCode', async () => {
    const { user } = await enter(provider, dingtalk, person);
    expect([user.account, user.name]).toEqual(['13800000001', 'Alice']);
  });

  test('does not let in anyone else who has an account there', async () => {
    for (const corpId of ['ding-of-another', undefined])
      expect(await codeOf(enter(provider, dingtalk, { ...person, unionId: 'union-2', corpId }))).toBe('SSO_NOT_MEMBER');
  });

  test('says in a sentence what is refused', async () => {
    expect(await codeOf(enter(provider, dingtalk, person, () => 'a used code'))).toBe('SSO_EXPIRED');
    dingtalk.next.push({ status: 403, body: { code: 'Forbidden.AccessDenied', message: 'no permission' } });
    const [code, message] = await saidBy(enter(provider, dingtalk, person));
    expect(code).toBe('SSO_SETUP_WRONG');
    expect(message).toContain('(Forbidden.AccessDenied)');
  });

  test('is tested with its secret', async () => {
    const check = (secret: string) => admin.identityProviders.check({ body: { settings: settings(), secret } });
    expect((await check(DINGTALK.secret)).fault).toBeNull();
    expect((await check('wrong')).fault).toBe('REFUSED');
  });
});

describe('Feishu', () => {
  let provider: IdentityProvider;
  const settings = () => ({
    kind: 'FEISHU' as const,
    clientId: FEISHU.clientId,
    tenantKey: FEISHU.tenantKey,
    ...addressesOf(feishu),
  });
  const person = { union_id: 'on_1', open_id: 'ou_1', user_id: 'alice', name: 'Alice', tenant_key: FEISHU.tenantKey };
  beforeAll(async () => {
    provider = await add('Feishu', settings(), FEISHU.secret);
  });

  test('signs in by authorization code with PKCE', async () => {
    expect((await enter(provider, feishu, person)).user.account).toBe('alice');
  });

  test('does not let in people of another organisation, or who may not use the application', async () => {
    expect(await codeOf(enter(provider, feishu, { ...person, tenant_key: 'another' }))).toBe('SSO_NOT_MEMBER');
    expect(await codeOf(enter(provider, feishu, { ...person, outside: true }))).toBe('SSO_NOT_MEMBER');
  });

  test('says in a sentence what is refused', async () => {
    expect(await codeOf(enter(provider, feishu, person, () => 'a used code'))).toBe('SSO_EXPIRED');
    feishu.next.push({
      status: 400,
      body: { code: 20029, error: 'invalid_request', error_description: 'redirect_uri' },
    });
    const [code, message] = await saidBy(enter(provider, feishu, person));
    expect(code).toBe('SSO_SETUP_WRONG');
    expect(message).toContain('(20029)');
  });

  test('is tested with its secret', async () => {
    const check = (secret: string) => admin.identityProviders.check({ body: { settings: settings(), secret } });
    expect((await check(FEISHU.secret)).fault).toBeNull();
    expect(await check('wrong')).toMatchObject({ fault: 'REFUSED', detail: '10014 app secret invalid' });
  });
});

describe('settings', () => {
  test('need the secret again if it would go to another address, and no address inside', async () => {
    const { records } = await admin.identityProviders.list();
    const found = records.find(({ kind }) => kind === 'FEISHU');
    if (!found) throw new Error('There is no such provider.');
    const { id, name, enabled, sort, settings, rules, version } = found;
    const change = (api: string) =>
      codeOf(
        admin.identityProviders.update({
          params: { id },
          body: { name, enabled, sort, rules, version, settings: { ...settings, api } as typeof settings },
        }),
      );
    expect(await change('https://evil.example')).toBe('SSO_SECRET_REQUIRED');
    expect(await change('http://127.0.0.1:9')).toBe('SSO_ADDRESS_REFUSED');
  });
});
