import { sign } from 'node:crypto';
import type { Page } from '@playwright/test';
import { closePage, freePort, openPage, startServer, type RunningServer } from '@rmeet/testkit';
import { startCertificateAgent, type RunningAgent } from '@rmeet/testkit/certificate-agent';
import { TestAuthority, type Issued } from '@rmeet/testkit/certificate-authority';
import { arrives, newTenant, newUser } from '../auth/support.ts';
import { expect, LOCALES, LOOKS, looksRight, signInByToken, test } from '../pages.ts';
import { violations } from '../support.ts';

let root: TestAuthority;
let server: RunningServer;
let agentUrl: string;
const HOUR = 3_600_000;

test.beforeAll(async () => {
  agentUrl = `http://127.0.0.1:${await freePort()}`;
  root = await TestAuthority.create({ subject: '/O=North Hospital/CN=North Hospital CA' });
  server = await startServer({ env: { RMEET_MEDIA_PROCESSES: '1', RMEET_CERTIFICATE_AGENT: agentUrl } });
});
test.afterAll(async () => {
  await server.stop();
  await root.remove();
});

const pem = (text: string) => ({ name: 'ca.crt', mimeType: 'application/x-pem-file', buffer: Buffer.from(text) });
const p12 = (buffer: Buffer) => ({ name: 'my-certificate.p12', mimeType: 'application/x-pkcs12', buffer });

/** Chooses a file and its password on the sign-in page, and signs in. */
async function useFile(page: Page, buffer: Buffer, password: string): Promise<void> {
  await page.getByTestId('certificate-file').setInputFiles(p12(buffer));
  await page.getByTestId('certificate-password').fill(password);
  await page.getByTestId('certificate-submit').click();
}

/** A tenant that trusts the authority, with one user. */
async function trustingTenant(name: string, admin: string, user: string): Promise<void> {
  await newTenant(server, name, admin);
  await newUser(server, user, undefined, admin);
  const boss = await server.api.as(admin);
  await boss.certificateAuthorities.add({ body: { certificate: root.self.certificate } });
  await boss.certificateAuthorities.setRules({ body: { match: 'commonName' } });
}

for (const locale of LOCALES)
  test(`people sign in by a certificate file of the authority that their administrator added (${locale})`, async ({
    chromium,
  }) => {
    const short = locale.slice(0, 2);
    const isZh = short === 'zh';
    const [tenant, boss, user] = [`cert-${short}`, `cert.boss.${short}`, `cert.user.${short}`];
    await newTenant(server, tenant, boss);
    await newUser(server, user, undefined, boss);

    const admin = await openPage(chromium, { locale });
    await signInByToken(admin, server, boss);
    await admin.goto(`${server.url}/manage/#/certificates`);
    await admin.getByTestId('authority-add-file').setInputFiles(pem(root.self.certificate));
    await expect(admin.getByTestId('authority-row')).toContainText('CN=North Hospital CA');
    await expect(admin.getByTestId('authority-list')).toContainText(isZh ? '未设置' : 'None');
    await admin.getByTestId('rules-match').click();
    await admin.getByTitle(/^(按主题的通用名（CN）|By common name \(CN\) of the subject)$/).click();
    await admin.getByTestId('rules-save').click();
    await expect(admin.getByTestId('rules-match')).toContainText('CN');
    expect(await violations(admin)).toEqual([]);
    await closePage(admin);

    const page = await openPage(chromium, { locale });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await page.goto(`${server.url}/#/login?tenant=${tenant}&redirect=/userInfo`);
    await page.getByTestId('login-mode-CERTIFICATE').click();
    await page.getByTestId('certificate-submit').click();
    await expect(page.getByRole('alert')).toContainText(isZh ? '请选择证书文件' : 'Choose a certificate file');
    expect(await violations(page)).toEqual([]);

    const own = await root.issue({ subject: `/O=North Hospital/CN=${user}`, key: 'RSA' });
    const file = await root.pack(own, 'Secret-of-the-file-1');
    const error = page.getByTestId('certificate-error');
    await useFile(page, file, 'another password');
    await expect(error).toContainText(isZh ? '证书密码错误' : 'password of the certificate is wrong');
    await useFile(page, Buffer.from('no such file'), 'x');
    await expect(error).toContainText(isZh ? '无法读取该文件' : 'cannot be read');
    await useFile(page, await root.pack(own, 'x', ['-nokeys']), 'x');
    await expect(error).toContainText(isZh ? '没有私钥' : 'no private key');
    const past = await root.issue({ subject: `/CN=${user}`, from: -2 * HOUR, until: -HOUR });
    await useFile(page, await root.pack(past, 'x'), 'x');
    await expect(error).toContainText(isZh ? '已过期' : 'has expired');
    const unknown = await root.issue({ subject: '/CN=no.such.person' });
    await useFile(page, await root.pack(unknown, 'x'), 'x');
    await expect(error).toContainText(isZh ? '没有与该证书对应的账号' : 'no account for this certificate');

    await useFile(page, file, 'Secret-of-the-file-1');
    await arrives(page, '/userInfo');
    await expect(page.getByTestId('session-row')).toContainText(isZh ? '数字证书' : 'By certificate');
    // Neither the file nor its password has left the page.
    const all = sent.join('\n');
    expect(all).not.toContain('Secret-of-the-file-1');
    expect(all).not.toContain(file.subarray(100, 200).toString('base64').slice(4, 60));
    await closePage(page);
  });

test('files of each kind, old encryption and SM2 included, sign in', async ({ chromium }) => {
  test.slow();
  await trustingTenant('cert-kinds', 'cert.kinds.boss', 'cert.kinds.user');
  const boss = await server.api.as('cert.kinds.boss');
  const sm2 = await TestAuthority.create({ subject: '/CN=SM2 CA', key: 'SM2' });
  await boss.certificateAuthorities.add({ body: { certificate: sm2.self.certificate } });
  const subject = '/CN=cert.kinds.user';
  for (const [authority, key, options] of [
    [root, 'RSA', ['-legacy']],
    [root, 'P-384', []],
    [sm2, 'SM2', []],
  ] as const) {
    const file = await authority.pack(await authority.issue({ subject, key }), '密码 1', options);
    const page = await openPage(chromium);
    await page.goto(`${server.url}/#/login?tenant=cert-kinds&redirect=/userInfo`);
    await page.getByTestId('login-mode-CERTIFICATE').click();
    await useFile(page, file, '密码 1');
    await arrives(page, '/userInfo');
    await closePage(page);
  }
  await sm2.remove();
});

test('a key device behind a local agent signs in, while it is there', async ({ chromium }) => {
  await trustingTenant('cert-agent', 'cert.agent.boss', 'cert.agent.user');
  const own: Issued = await root.issue({ subject: '/CN=cert.agent.user', key: 'RSA' });
  const page = await openPage(chromium, { locale: 'en-US' });
  await page.goto(`${server.url}/#/login?tenant=cert-agent&redirect=/userInfo`);
  await page.getByTestId('login-mode-CERTIFICATE').click();
  await page.getByTestId('certificate-form').waitFor();
  await expect(page.getByTestId('certificate-agent')).toHaveCount(0);
  const signer = async (text: string) => ({
    certificate: own.der,
    chain: [],
    algorithm: 'RS256' as const,
    signature: sign('sha256', Buffer.from(text), own.key).toString('base64'),
  });
  const agent: RunningAgent = await startCertificateAgent([{ name: 'UKey of the user', sign: signer }], {
    origins: [server.url],
    port: Number(new URL(agentUrl).port),
  });
  await page.getByTestId('certificate-agent').click({ timeout: 15_000 });
  await arrives(page, '/userInfo');
  expect(agent.signed[0]).toContain(`origin: ${server.url}\n`);
  await agent.close();
  await closePage(page);
});

test('a person binds a certificate and ends it again', async ({ chromium }) => {
  await trustingTenant('cert-bind', 'cert.bind.boss', 'cert.bind.user');
  const page = await openPage(chromium, { locale: 'en-US' });
  await signInByToken(page, server, 'cert.bind.user');
  await page.goto(`${server.url}/#/userInfo`);
  await page.getByTestId('certificate-bind').click();
  await useFile(page, await root.pack(await root.issue({ subject: '/CN=card 4711' }), 'x'), 'x');
  await expect(page.getByTestId('certificate-row')).toContainText('CN=card 4711');
  await page.getByTestId('certificate-end').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('certificate-row')).toHaveCount(0);
  await closePage(page);
});

for (const locale of LOOKS)
  test(`certificates look right (${locale})`, async ({ chromium }) => {
    const short = locale.slice(0, 2);
    await newTenant(server, `cert-looks-${short}`, `cert.looks.${short}`);
    const admin = await openPage(chromium, { locale });
    await signInByToken(admin, server, `cert.looks.${short}`);
    await admin.goto(`${server.url}/manage/#/certificates`);
    await admin.getByTestId('authority-add').waitFor();
    await looksRight(admin, 'no certificate authorities');
    await admin.getByTestId('authority-add-file').setInputFiles(pem(root.self.certificate));
    await admin.getByTestId('authority-row').waitFor();
    await admin.getByTestId('rules-save').waitFor();
    await looksRight(admin, 'certificate authorities');
    await admin.getByTestId('row-list').click();
    await admin.getByTestId('list-dialog').waitFor();
    await looksRight(admin, 'revocation list');
    await closePage(admin);

    const page = await openPage(chromium, { locale });
    await page.goto(`${server.url}/#/login?tenant=cert-looks-${short}`);
    await page.getByTestId('login-mode-CERTIFICATE').click();
    for (const [width, height] of [
      [1440, 900],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await useFile(page, Buffer.from('0 no such file'), 'x');
      await page.getByTestId('certificate-error').waitFor();
      await looksRight(page, 'sign-in by certificate');
    }
    await closePage(page);

    const user = `cert.card.${short}`;
    await newUser(server, user, undefined, `cert.looks.${short}`);
    const own = await openPage(chromium, { locale, size: { width: 360, height: 740 } });
    await signInByToken(own, server, user);
    await own.goto(`${server.url}/#/userInfo`);
    await own.getByTestId('certificate-bind').click();
    await useFile(own, Buffer.from('0 no such file'), 'x');
    await own.getByTestId('certificate-error').waitFor();
    await looksRight(own, 'certificate to bind');
    await useFile(own, await root.pack(await root.issue({ subject: '/CN=card 4711' }), 'x'), 'x');
    await own.getByTestId('certificate-row').scrollIntoViewIfNeeded();
    await looksRight(own, 'own certificate');
    await closePage(own);
  });
