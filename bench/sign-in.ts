import {
  DEMO_PASSWORD,
  launchBrowser,
  openPage,
  startServer,
  startSmsGateway,
  until,
  type RunningServer,
} from '@rmeet/testkit';
import { TestAuthority } from '@rmeet/testkit/certificate-authority';
import { OIDC_CLIENT, startIdentityProvider } from '@rmeet/testkit/identity-provider';
import type { Browser, Page } from '@playwright/test';
import { median, type Benchmark } from './report.ts';

const RUNS = 10;
/** One for each run: a number gets one code a minute. */
const PHONES = Array.from({ length: RUNS }, (_, run) => `139000001${String(run).padStart(2, '0')}`);
const FILE_PASSWORD = 'Secret-of-the-file-1';

/** A person at the sign-in page: their clicks and fields are counted, the last click is the one that is timed. */
class Hand {
  clicks = 0;
  fields = 0;
  pressedAt = 0;
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  async fill(id: string, text: string): Promise<void> {
    this.fields += 1;
    await this.page.getByTestId(id).fill(text);
  }
  async click(id: string): Promise<void> {
    await this.press(() => this.page.getByTestId(id).click());
  }
  async press(work: () => Promise<void>): Promise<void> {
    this.clicks += 1;
    this.pressedAt = performance.now();
    await work();
  }
}

interface Way {
  name: string;
  /** Before the page is opened; returns what touches the device of the person. */
  prepare?: (page: Page) => Promise<() => Promise<void>>;
  /** From the opened sign-in page to the last click. */
  enter: (hand: Hand, touch: () => Promise<void>) => Promise<void>;
  /** After the measurement, in the page of the person. */
  restore?: (page: Page, server: RunningServer) => Promise<void>;
}

/**
 * Sign-in by each way, on default settings: clicks and fields that a person needs, ms from opening the page to the
 * start page with a program as the person, and from the last click on.
 */
const signIn: Benchmark = async (report) => {
  const gateway = await startSmsGateway();
  const authority = await TestAuthority.create({ subject: '/O=North Hospital/CN=North Hospital CA' });
  const server = await startServer({
    env: {
      RMEET_SMS_GATEWAY: JSON.stringify({ url: `${gateway.origin}/send`, body: '{"to":"{phone}","text":"{text}"}' }),
    },
  });
  const idp = await startIdentityProvider({
    origins: [server.url, named(server)],
    people: { alice: { preferred_username: 'alice' } },
  });
  const browser = await launchBrowser();
  try {
    const admin = await server.api.as('admin');
    for (const phone of PHONES)
      await admin.users.create({
        body: { account: `of.${phone}`, name: 'Of Phone', phoneNumber: Buffer.from(phone).toString('base64') },
      });
    await admin.identityProviders.create({
      body: {
        name: 'North',
        settings: { kind: 'OIDC', issuer: idp.issuer, clientId: OIDC_CLIENT.id },
        secret: OIDC_CLIENT.secret,
        rules: { match: 'account' },
      },
    });
    await admin.certificateAuthorities.add({ body: { certificate: authority.self.certificate } });
    await admin.certificateAuthorities.setRules({ body: { match: 'commonName' } });
    const file = await authority.pack(await authority.issue({ subject: '/CN=alice' }), FILE_PASSWORD);
    const codes = () => gateway.received.map(({ body }) => /\d{6}/.exec(JSON.parse(body).text as string)?.[0] ?? '');
    const ways: Way[] = [
      { name: 'password', enter: withPassword },
      { name: 'code in a text message', enter: (hand) => withCode(hand, codes) },
      { name: 'QR code', enter: (hand) => withPhone(hand, browser, server) },
      { name: 'identity provider', enter: withProvider },
      { name: 'certificate file', enter: (hand) => withFile(hand, file) },
      {
        name: 'passkey',
        prepare: (page) => addPasskey(page, server),
        enter: withPasskey,
        restore: removePasskey,
      },
    ];
    const sentences = [];
    for (const way of ways) sentences.push(await measure(browser, server, way, report));
    return sentences.join('\n');
  } finally {
    await browser.close();
    await server.stop();
    await idp.close();
    await gateway.close();
    await authority.remove();
  }
};
export default signIn;

/** Browsers refuse passkeys at IP addresses. */
const named = (server: RunningServer): string => server.url.replace('127.0.0.1', 'localhost');

async function measure(
  browser: Browser,
  server: RunningServer,
  { name, prepare, enter, restore }: Way,
  report: Parameters<Benchmark>[0],
): Promise<string> {
  const [whole, last]: [number[], number[]] = [[], []];
  let [clicks, fields] = [0, 0];
  for (let run = 0; run < RUNS; run += 1) {
    const page = await openPage(browser);
    const touch = (await prepare?.(page)) ?? (() => Promise.resolve());
    const hand = new Hand(page);
    const started = performance.now();
    await page.goto(`${named(server)}/?fresh=${run}#/login`);
    await enter(hand, touch);
    await page.getByTestId('account-menu').waitFor();
    whole.push(performance.now() - started);
    last.push(performance.now() - hand.pressedAt);
    [clicks, fields] = [hand.clicks, hand.fields];
    await restore?.(page, server);
    await page.context().close();
  }
  report({ case: name, figure: 'clicks', value: clicks, unit: '' });
  report({ case: name, figure: 'fields', value: fields, unit: '' });
  report({ case: name, figure: 'from opening the page, median', value: median(whole), unit: 'ms' });
  report({ case: name, figure: 'from the last click, median', value: median(last), unit: 'ms' });
  return (
    `${name}: ${clicks} clicks, ${fields} fields; ${median(whole).toFixed(0)} ms from opening the page, ` +
    `${median(last).toFixed(0)} ms from the last click (median of ${RUNS}).`
  );
}

async function withPassword(hand: Hand): Promise<void> {
  await hand.fill('login-account', 'alice');
  await hand.fill('login-password', DEMO_PASSWORD);
  await hand.click('login-submit');
}

async function withCode(hand: Hand, codes: () => string[]): Promise<void> {
  await hand.click('login-mode-SMS');
  const before = codes().length;
  await hand.fill('code-phone', PHONES[before] ?? '');
  await hand.click('code-send');
  await until('the code arrives', () => codes().length > before);
  await hand.fill('code-code', codes().at(-1) ?? '');
  await hand.click('code-submit');
}

/** One click on the computer, one on the phone, which scans and is signed in. */
async function withPhone(hand: Hand, browser: Browser, server: RunningServer): Promise<void> {
  await hand.click('login-mode-QR');
  const qr = hand.page.getByTestId('login-qr');
  await qr.locator('svg').first().waitFor();
  const content = (await qr.getAttribute('data-content')) ?? '';
  const { token, user } = await server.api.as('bob');
  const phone = await (await browser.newContext({ userAgent: 'Mozilla/5.0 (Linux; Android 15) Mobile' })).newPage();
  await phone.addInitScript(
    `const stored = ${JSON.stringify({ token, loginUser: JSON.stringify(user) })};` +
      `for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);`,
  );
  await phone.goto(content);
  await phone.getByTestId('scan-accept').waitFor();
  await hand.press(() => phone.getByTestId('scan-accept').click());
  await hand.page.getByTestId('account-menu').waitFor();
  await phone.context().close();
}

/** At a provider that has no session yet: its own page has one field. */
async function withProvider(hand: Hand): Promise<void> {
  await hand.click('login-mode-SSO');
  await hand.click('login-sso');
  hand.fields += 1;
  await hand.page.getByLabel('Subject').fill('alice');
  await hand.press(() => hand.page.getByRole('button', { name: 'Continue' }).click());
}

async function withFile(hand: Hand, buffer: Buffer): Promise<void> {
  await hand.click('login-mode-CERTIFICATE');
  hand.clicks += 1;
  await hand.page
    .getByTestId('certificate-file')
    .setInputFiles({ name: 'alice.p12', mimeType: 'application/x-pkcs12', buffer });
  await hand.fill('certificate-password', FILE_PASSWORD);
  await hand.click('certificate-submit');
}

async function withPasskey(hand: Hand, touch: () => Promise<void>): Promise<void> {
  await hand.click('login-mode-PASSKEY');
  await hand.page.getByTestId('passkey-submit').waitFor();
  await touch();
  await hand.click('passkey-submit');
}

/** Adds a passkey to an account, as its owner, and signs out; its device waits for a touch. */
async function addPasskey(page: Page, server: RunningServer): Promise<() => Promise<void>> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('WebAuthn.enable');
  const { authenticatorId } = await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const presence = async (enabled: boolean): Promise<void> => {
    await tools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  };
  await page.goto(`${named(server)}/#/login?redirect=/userInfo`);
  await withPassword(new Hand(page));
  await page.getByTestId('passkey-add').click();
  await page.getByTestId('recovery-kept').click();
  await page.getByTestId('passkey').waitFor();
  await page.evaluate('sessionStorage.clear(); localStorage.removeItem("token"); localStorage.removeItem("loginUser")');
  // Otherwise the suggestion of the account field would sign in at once.
  await presence(false);
  return () => presence(true);
}

/** With a passkey, the next sign-in by password would ask for it as second factor. */
async function removePasskey(page: Page, server: RunningServer): Promise<void> {
  await page.goto(`${named(server)}/#/userInfo`);
  await page.getByTestId('passkey-remove').click();
  await page.getByTestId('question-ok').click();
  await page.getByTestId('passkey').waitFor({ state: 'detached' });
}
