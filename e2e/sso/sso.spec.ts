import type { Page } from '@playwright/test';
import { closePage, openPage, type RunningServer } from '@rmeet/testkit';
import { startIdentityProvider, OIDC_CLIENT, type RunningIdentityProvider } from '@rmeet/testkit/identity-provider';
import { startSamlProvider } from '@rmeet/testkit/saml-provider';
import { arrives, newTenant, newUser } from '../auth/support.ts';
import { expect, LOCALES, LOOKS, looksRight, signInByToken, test } from '../pages.ts';
import { violations } from '../support.ts';

/** Starts a provider for this server, and ends it with the work. */
async function withProvider(
  server: RunningServer,
  work: (idp: RunningIdentityProvider) => Promise<void>,
): Promise<void> {
  const idp = await startIdentityProvider({ origins: [server.url], people: {} });
  try {
    await work(idp);
  } finally {
    await idp.close();
  }
}

/** The form of the provider's own page. */
async function answerProvider(page: Page, subject: string): Promise<void> {
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Adds the provider in the administration, as its administrator does; it admits people by their account names. */
async function addInPage(page: Page, idp: RunningIdentityProvider, name: string): Promise<void> {
  await page.getByTestId('provider-new').click();
  await page.getByTestId('field-name').fill(name);
  await page.getByTestId('field-issuer').fill(`${idp.issuer}/nowhere`);
  await page.getByTestId('provider-check').click();
  await expect(page.getByTestId('provider-check-said')).toHaveAttribute('data-fault', 'true');
  await page.getByTestId('field-issuer').fill(`${idp.issuer}/.well-known/openid-configuration`);
  await page.getByTestId('provider-check').click();
  await expect(page.getByTestId('provider-check-said')).toHaveAttribute('data-fault', 'false');
  await page.getByTestId('field-client-id').fill(OIDC_CLIENT.id);
  await page.getByTestId('field-secret').fill(OIDC_CLIENT.secret);
  await page.getByTestId('field-match').click();
  await page.getByTitle(/^(按账号匹配|By account name)$/).click();
  await page.getByTestId('form-submit').click();
  await expect(page.getByTestId('provider-row')).toContainText(name);
}

for (const locale of LOCALES)
  test(`people sign in at the identity provider that their administrator added (${locale})`, async ({
    server,
    chromium,
    visit,
  }) => {
    const short = locale.slice(0, 2);
    const tenant = `sso-${short}`;
    const [boss, user] = [`sso.boss.${short}`, `sso.user.${short}`];
    await newTenant(server, tenant, boss);
    await newUser(server, user, undefined, boss);
    await withProvider(server, async (idp) => {
      idp.people.set('7', { preferred_username: user });
      idp.people.set('8', { preferred_username: 'stranger' });
      const admin = await visit(boss, '/manage/', '/identityProviders', { locale });
      await addInPage(admin, idp, 'North');
      await admin.getByTestId('provider-name').click();
      await expect(admin.getByTestId('redirect-uri')).toHaveText(`${server.url}/api/sso/callback`);
      await expect(admin.getByTestId('field-secret')).toHaveValue('');
      expect(await violations(admin)).toEqual([]);

      const page = await openPage(chromium, { locale });
      await page.goto(`${server.url}/#/login?tenant=${tenant}&redirect=/userInfo`);
      await page.getByTestId('login-mode-SSO').click();
      await page.getByTestId('login-sso').click();
      // Someone without an account learns what to do, and comes back.
      await answerProvider(page, '8');
      await expect(page.getByTestId('sso-error')).toContainText('stranger');
      expect(await violations(page)).toEqual([]);
      await page.getByTestId('sso-back').click();
      await arrives(page, '/login?redirect=%2FuserInfo');
      await page.context().clearCookies();

      await page.goto(`${server.url}/#/login?tenant=${tenant}&redirect=/userInfo`);
      await page.getByTestId('login-mode-SSO').click();
      await page.getByTestId('login-sso').click();
      await answerProvider(page, '7');
      await arrives(page, '/userInfo');
      await expect(page.getByTestId('session-row')).toContainText(locale === 'zh-CN' ? '单点登录' : 'single sign-on');
      await expect(page.getByTestId('identity-row')).toContainText(user);

      // Signing out also signs out there, and returns to the sign-in page.
      await page.getByTestId('account-menu').click();
      const ended = page.waitForRequest(`${idp.issuer}/session/end/confirm`);
      await page.getByTestId('logout').click();
      await ended;
      await page.waitForURL(({ href }) => href.startsWith(`${server.url}/#/login`));
      await page.goto(`${server.url}/#/rmeetsso?tenant=${tenant}`);
      await expect(page.getByLabel('Subject')).toBeVisible();
      await answerProvider(page, '7');
      await arrives(page, (path) => path.startsWith('/myMeeting'));
      await closePage(page);
    });
  });

test('people sign in by SAML, whose metadata their administrator read', async ({ server, chromium, visit }) => {
  await newTenant(server, 'sso-saml', 'sso.saml.boss');
  await newUser(server, 'sso.saml.user', undefined, 'sso.saml.boss');
  const idp = await startSamlProvider();
  try {
    idp.people.set('p-1', { uid: 'sso.saml.user' });
    const admin = await visit('sso.saml.boss', '/manage/', '/identityProviders');
    await admin.getByTestId('provider-new').click();
    await admin.getByTestId('field-kind').click();
    await admin.getByTitle('SAML 2.0').click();
    await admin.getByTestId('field-name').fill('Federation');
    await admin.getByTestId('field-metadata').fill(`http://${idp.host}/nowhere`);
    await admin.getByTestId('metadata-read').click();
    await expect(admin.getByTestId('metadata-said')).toHaveAttribute('data-fault', 'true');
    await admin.getByTestId('field-metadata').fill(idp.metadataUrl);
    await admin.getByTestId('metadata-read').click();
    await expect(admin.getByTestId('field-entity-id')).toHaveValue(idp.entityId);
    await admin.getByTestId('field-match').click();
    await admin.getByTitle(/^(按账号匹配|By account name)$/).click();
    await admin.getByTestId('form-submit').click();
    await expect(admin.getByTestId('provider-row')).toContainText('Federation');
    await admin.getByTestId('provider-name').click();
    const address = (await admin.getByTestId('saml-metadata-uri').textContent()) ?? '';
    idp.trust(await (await fetch(address)).text());
    expect(await violations(admin)).toEqual([]);

    const page = await openPage(chromium, { locale: 'en-US' });
    await page.goto(`${server.url}/#/login?tenant=sso-saml&redirect=/userInfo`);
    await page.getByTestId('login-mode-SSO').click();
    await page.getByTestId('login-sso').click();
    await answerProvider(page, 'p-1');
    await arrives(page, '/userInfo');
    await expect(page.getByTestId('identity-row')).toContainText('sso.saml.user');

    // Signing out also signs out there, and returns to the sign-in page.
    await page.getByTestId('account-menu').click();
    const ended = page.waitForRequest((request) => request.url().startsWith(`http://${idp.host}/logout`));
    await page.getByTestId('logout').click();
    await ended;
    await page.waitForURL(({ href }) => href.startsWith(`${server.url}/#/login`));
    expect(idp.failures).toEqual([]);
    await closePage(page);
  } finally {
    await idp.close();
  }
});

test('a person links an identity and unlinks it again', async ({ server, visit }) => {
  await newTenant(server, 'sso-link', 'sso.link.boss');
  await newUser(server, 'sso.link.user', undefined, 'sso.link.boss');
  await withProvider(server, async (idp) => {
    idp.people.set('9', { preferred_username: 'linked.name' });
    const boss = await server.api.as('sso.link.boss');
    const settings = { kind: 'OIDC' as const, issuer: idp.issuer, clientId: OIDC_CLIENT.id };
    await boss.identityProviders.create({ body: { name: 'North', settings, secret: OIDC_CLIENT.secret } });
    const page = await visit('sso.link.user', '/', '/userInfo');
    await page.getByTestId('identity-link').click();
    await answerProvider(page, '9');
    await arrives(page, '/userInfo');
    await expect(page.getByTestId('identity-row')).toContainText('linked.name');
    await page.getByTestId('identity-unlink').click();
    await page.getByTestId('question-ok').click();
    await expect(page.getByTestId('identity-row')).toHaveCount(0);
    await expect(page.getByTestId('identity-link')).toBeVisible();
  });
});

test('an answer that this window did not ask for, or a refusal, leads back to the sign-in page', async ({
  server,
  chromium,
}) => {
  const page = await openPage(chromium, { locale: 'en-US' });
  await page.goto(`${server.url}/#/sso?state=of-another&code=x`);
  await expect(page.getByTestId('sso-error')).toContainText('not begun in this window');
  await page.goto(`${server.url}/#/sso?state=any&error=access_denied`);
  await expect(page.getByTestId('sso-error')).toContainText('cancelled or refused');
  await page.getByTestId('sso-back').click();
  await arrives(page, '/login');
  await page.goto(`${server.url}/#/rmeetsso?tenant=no-such-tenant`);
  await expect(page.getByTestId('sso-error')).toContainText('no single sign-on');
  await closePage(page);
});

for (const locale of LOOKS)
  test(`single sign-on looks right (${locale})`, async ({ server, chromium }) => {
    const short = locale.slice(0, 2);
    await newTenant(server, `sso-looks-${short}`, `sso.looks.${short}`);
    const boss = await server.api.as(`sso.looks.${short}`);
    await withProvider(server, async (idp) => {
      const admin = await openPage(chromium, { locale });
      await signInByToken(admin, server, `sso.looks.${short}`);
      await admin.goto(`${server.url}/manage/#/identityProviders`);
      await admin.getByTestId('provider-new').waitFor();
      await looksRight(admin, 'no identity providers');
      const settings = { kind: 'OIDC' as const, issuer: idp.issuer, clientId: OIDC_CLIENT.id };
      for (const name of ['北方医院统一身份认证', 'An identity provider with quite a long name of its own, Ltd.'])
        await boss.identityProviders.create({ body: { name, settings, secret: OIDC_CLIENT.secret } });
      await admin.reload();
      await admin.getByTestId('provider-row').first().waitFor();
      await looksRight(admin, 'identity providers');
      await admin.getByTestId('provider-name').first().click();
      await admin.getByTestId('claim-roles').fill('groups');
      await admin.getByTestId('role-add').click();
      await admin.getByTestId('provider-check').click();
      await expect(admin.getByTestId('provider-check-said')).not.toBeEmpty();
      await looksRight(admin, 'identity provider');
      for (const kind of ['SAML 2.0', /^(企业微信|WeCom)$/, 'CAS 3.0']) {
        await admin.reload();
        await admin.getByTestId('provider-new').click();
        await admin.getByTestId('field-kind').click();
        await admin.getByTitle(kind).click();
        await looksRight(admin, `new identity provider, ${String(kind)}`);
      }
      await closePage(admin);

      const page = await openPage(chromium, { locale });
      await page.goto(`${server.url}/#/login?tenant=sso-looks-${short}`);
      await page.getByTestId('login-mode-SSO').click();
      await page.getByTestId('login-sso').first().waitFor();
      for (const [width, height] of [
        [1440, 900],
        [360, 740],
      ] as const) {
        await page.setViewportSize({ width, height });
        await looksRight(page, 'sign-in by identity provider');
      }
      await page.goto(`${server.url}/#/sso?state=x&code=x`);
      await page.getByTestId('sso-error').waitFor();
      await looksRight(page, 'sign-in at an identity provider failed');
      await closePage(page);
    });
  });
