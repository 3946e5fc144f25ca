import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { closePage, createApi, launchBrowser, openPage, until, type MailServer } from '@rmeet/testkit';
import { expect, hearsPeople, people, seesPeople } from '../../e2e/support.ts';
import { takePassword } from '../../e2e/admin-pages.ts';

// The first certificate is signed by nobody.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

/** What everybody signs in with. */
const PASSWORD = 'Heron-over-7-lakes';
/** Two files of a meeting make an upload of 100 MB. */
const FILE_BYTES = 50 * 1024 * 1024;
const NAMES = ['meet.example.org', 'turn.example.org'];

/** Chromium for which the document's names are this machine. */
export const launch = (): Promise<Browser> => launchBrowser({ flags: [`--host-resolver-rules=${NAMES.map((name) => `MAP ${name} 127.0.0.1`).join(',')}`], shell: true });

/** Reads a page in English whose camera and microphone are a person's. */
const open = (browser: Browser, person: 'alice' | 'bob' = 'alice'): Promise<Page> => openPage(browser, { locale: 'en-US', media: people[person] });

async function signIn(page: Page, url: string, account: string, password: string): Promise<void> {
  await page.goto(url);
  await page.getByTestId('login-account').fill(account);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
}

/** From the setup link to the first operator, the organisation, its administrator and the users alice and bob, all by the pages. */
export async function setUp(browser: Browser, link: string): Promise<void> {
  const { origin } = new URL(link);
  const page = await open(browser);
  await page.goto(link);
  for (const [field, text] of [['operatorAccount', 'root'], ['operatorName', 'Root'], ['operatorPassword', PASSWORD], ['operatorAgain', PASSWORD],
    ['organisation', 'City hospital'], ['adminAccount', 'admin'], ['adminName', 'Admin'], ['adminPassword', PASSWORD], ['adminAgain', PASSWORD]] as const) {
    await page.getByTestId(`setup-${field}`).fill(text);
  }
  await page.getByTestId('setup-submit').click();
  await expect(page.getByTestId('setup-next')).toBeVisible();

  const admin = await open(browser);
  await signIn(admin, `${origin}/manage/`, 'admin', PASSWORD);
  await expect(admin.getByRole('navigation').first()).toBeVisible();
  await admin.goto(`${origin}/manage/#/users`);
  const passwords: string[] = [];
  for (const account of ['alice', 'bob']) {
    await admin.getByTestId('user-new').click();
    await admin.getByTestId('field-account').fill(account);
    await admin.getByTestId('field-name').fill(account);
    await admin.getByTestId('field-email').fill(`${account}@example.org`);
    await admin.getByTestId('form-submit').click();
    await admin.getByTestId('password-value').waitFor();
    passwords.push(await takePassword(admin));
    await expect(admin.locator('.side-drawer')).toHaveCount(0);
  }
  for (const [index, account] of ['alice', 'bob'].entries()) {
    const user = await open(browser);
    await signIn(user, origin, account, passwords[index] ?? '');
    await user.getByTestId('login-new-password').fill(PASSWORD);
    await user.getByTestId('login-new-password-again').fill(PASSWORD);
    await user.getByTestId('login-submit').click();
    await user.getByTestId('meeting-new').waitFor();
    await closePage(user);
  }
  await closePage(admin);
  await closePage(page);
  await allowFiles(origin);
}

/** Lets alice bring files to meetings, which the role of all staff does not. */
async function allowFiles(origin: string): Promise<void> {
  const admin = await createApi(origin).as('admin', PASSWORD);
  const alice = (await admin.users.list({ query: { keyword: 'alice' } })).records[0];
  const permission = (await admin.permissions.options({ query: {} })).find(({ code }) => code === 'sys:uploadMeetingFile');
  if (!alice || !permission) throw new Error('alice or the permission is not there');
  const { roleIds, permissionIds } = await admin.users.grants({ params: { id: alice.id }, query: {} });
  await admin.users.setGrants({ params: { id: alice.id }, body: { roleIds, permissionIds: [...permissionIds, permission.id] } });
}

/** Two files as large as files of a meeting may be. */
function largeFiles(): string[] {
  return ['one.txt', 'two.txt'].map((name) => {
    const path = join(mkdtempSync(join(tmpdir(), 'rmeet-upload-')), name);
    writeFileSync(path, Buffer.alloc(FILE_BYTES, 'x'));
    return path;
  });
}

export interface Meeting {
  /** Put two files of 50 MB with the booking. */
  upload?: boolean;
  /** Where the invitation arrives. */
  mail?: MailServer;
}

/**
 * alice and bob sign in at an address, alice books a meeting for now with bob, whose list shows it without being loaded again (by the push
 * socket), and both meet: each sees the other's picture move and hears the other.
 *
 * @returns what was seen, in a few words
 */
export async function meet(browser: Browser, origin: string, subject: string, { upload = false, mail }: Meeting = {}): Promise<string> {
  const alice = await open(browser, 'alice');
  const bob = await open(browser, 'bob');
  await signIn(alice, origin, 'alice', PASSWORD);
  await signIn(bob, origin, 'bob', PASSWORD);
  await bob.getByTestId('meeting-new').waitFor();

  await alice.getByTestId('meeting-new').click();
  await alice.getByTestId('meeting-subject').fill(subject);
  const invited = alice.locator('.form-field').filter({ has: alice.getByTestId('meeting-participants') });
  await invited.getByRole('combobox').fill('bob');
  await alice.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: 'bob' }).click();
  await expect(invited).toContainText('bob');
  if (upload) await alice.getByTestId('meeting-file').setInputFiles(largeFiles());
  await alice.getByTestId('meeting-submit').click();
  await expect(alice.getByTestId('meeting-subject')).toHaveCount(0, { timeout: 60_000 });
  await expect(bob.getByTestId('meeting-row').filter({ hasText: subject })).toBeVisible();

  await alice.getByTestId('meeting-row').filter({ hasText: subject }).getByTestId('meeting-join').click();
  await alice.getByTestId('join-submit').click();
  await bob.getByTestId('meeting-row').filter({ hasText: subject }).getByTestId('meeting-join').click();
  await bob.getByTestId('join-submit').click();
  await seesPeople(alice, ['bob']);
  await seesPeople(bob, ['alice']);
  await hearsPeople(bob, ['alice']);

  const link = mail && await until('the invitation has come', () => mail.received.find(({ to, subject: about }) => to.includes('bob@example.org') && about.includes(subject)), { within: 60_000 });
  if (link && !link.text.includes(`${origin}/`)) throw new Error(`the invitation does not link to ${origin}: ${link.text}`);
  await alice.getByTestId('toolbar-leave').click();
  await alice.getByTestId('leave-end-all').click();
  await expect(bob.getByTestId('call-ended')).toBeVisible();
  for (const page of [alice, bob]) await closePage(page);
  return `signed in, told by push, met with pictures and sound${upload ? ', sent 100 MB' : ''}${mail ? ', mail links here' : ''}`;
}
