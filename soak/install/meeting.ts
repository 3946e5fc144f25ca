import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { closePage, createApi, launchBrowser, openPage, until, type MailServer } from '@rmeet/testkit';
import { expect, hearsPeople, people, seesPeople } from '../../e2e/support.ts';
import { takePassword } from '../../e2e/admin-pages.ts';
import { roomsOf } from '../../e2e/meetings/support.ts';

// The first certificate is self-signed.
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

/** The password of all accounts. */
const PASSWORD = 'Heron-over-7-lakes';
/** Two files of a meeting make an upload of 100 MB. */
const FILE_BYTES = 50 * 1024 * 1024;
/** One for each meeting with files, since each books its room for an hour. */
const ROOMS = ['Without a proxy', 'Behind nginx', 'Behind Caddy'];
const NAMES = ['meet.example.org', 'turn.example.org'];

/** Chromium that resolves the document's names to this machine. */
export const launch = (): Promise<Browser> =>
  launchBrowser({
    flags: [`--host-resolver-rules=${NAMES.map((name) => `MAP ${name} 127.0.0.1`).join(',')}`],
    shell: true,
  });

/** Opens a page in English with a person's camera and microphone. */
const open = (browser: Browser, person: 'alice' | 'bob' = 'alice'): Promise<Page> =>
  openPage(browser, { locale: 'en-US', media: people[person] });

async function signIn(page: Page, url: string, account: string, password: string): Promise<void> {
  await page.goto(url);
  await page.getByTestId('login-account').fill(account);
  await page.getByTestId('login-password').fill(password);
  await page.getByTestId('login-submit').click();
}

/**
 * From the setup link to the first operator, the organisation, its administrator and the users alice and bob, all in
 * the pages.
 */
export async function setUp(browser: Browser, link: string): Promise<void> {
  const { origin } = new URL(link);
  const page = await open(browser);
  await page.goto(link);
  for (const [field, text] of [
    ['operatorAccount', 'root'],
    ['operatorName', 'Root'],
    ['operatorPassword', PASSWORD],
    ['operatorAgain', PASSWORD],
    ['organisation', 'City hospital'],
    ['adminAccount', 'admin'],
    ['adminName', 'Admin'],
    ['adminPassword', PASSWORD],
    ['adminAgain', PASSWORD],
  ] as const) {
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

/** Allows alice to book a room, and to upload files to such meetings, which the staff role does not include. */
async function allowFiles(origin: string): Promise<void> {
  const admin = await createApi(origin).as('admin', PASSWORD);
  await roomsOf(admin, 'House of files', ROOMS);
  const alice = (await admin.users.list({ query: { keyword: 'alice' } })).records[0];
  if (!alice) throw new Error('There is no alice.');
  const codes = new Set(['sys:local', 'sys:uploadMeetingFile']);
  const more = (await admin.permissions.options({ query: {} }))
    .filter(({ code }) => code !== null && codes.has(code))
    .map(({ id }) => id);
  const { roleIds, permissionIds } = await admin.users.grants({ params: { id: alice.id }, query: {} });
  await admin.users.setGrants({
    params: { id: alice.id },
    body: { roleIds, permissionIds: [...new Set([...permissionIds, ...more])] },
  });
}

/** Two files of the maximum size for files of a meeting. */
function largeFiles(): string[] {
  return ['one.txt', 'two.txt'].map((name) => {
    const path = join(mkdtempSync(join(tmpdir(), 'rmeet-upload-')), name);
    writeFileSync(path, Buffer.alloc(FILE_BYTES, 'x'));
    return path;
  });
}

/** Books a meeting in a room with two files of 50 MB, one request of 100 MB, and downloads one of them. */
async function bringFiles(page: Page, origin: string, room: string): Promise<void> {
  const subject = `${room}, with files`;
  await page.goto(`${origin}/#/myMeeting`);
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('type-LOCAL_MEETING').click();
  await page.getByTestId('meeting-subject').fill(subject);
  await page
    .locator('.form-field')
    .filter({ has: page.getByTestId('meeting-rooms') })
    .getByRole('combobox')
    .fill(room);
  await page.getByTestId('meeting-room-option').filter({ hasText: room }).click();
  await page.keyboard.press('Escape');
  await page.getByTestId('meeting-file').setInputFiles(largeFiles());
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('meeting-subject')).toHaveCount(0, { timeout: 90_000 });
  await page.getByTestId('meeting-row').filter({ hasText: subject }).getByTestId('meeting-name').click();
  const fetched = page.waitForEvent('download');
  await page
    .getByTestId('detail-files')
    .getByRole('listitem')
    .filter({ hasText: 'one.txt' })
    .getByTestId('file-download')
    .click();
  const { size } = statSync(await (await fetched).path());
  if (size !== FILE_BYTES) throw new Error(`${size} bytes of ${FILE_BYTES} came back`);
}

export interface Meeting {
  /** Also book a meeting with two files of 50 MB. */
  upload?: boolean;
  /** The mail server that receives the invitation. */
  mail?: MailServer;
}

/**
 * alice and bob sign in at an address, alice books a meeting for now with bob, whose list shows it without a reload (by
 * the push socket), and both meet: each sees the other's picture move and hears the other.
 *
 * @returns a short description of what was seen
 */
export async function meet(
  browser: Browser,
  origin: string,
  subject: string,
  { upload = false, mail }: Meeting = {},
): Promise<string> {
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
  await alice.getByTestId('meeting-submit').click();
  await expect(alice.getByTestId('meeting-subject')).toHaveCount(0);
  await expect(bob.getByTestId('meeting-row').filter({ hasText: subject })).toBeVisible();

  await alice.getByTestId('meeting-row').filter({ hasText: subject }).getByTestId('meeting-join').click();
  await alice.getByTestId('join-submit').click();
  await bob.getByTestId('meeting-row').filter({ hasText: subject }).getByTestId('meeting-join').click();
  await bob.getByTestId('join-submit').click();
  await seesPeople(alice, ['bob']);
  await seesPeople(bob, ['alice']);
  await hearsPeople(bob, ['alice']);

  const link =
    mail &&
    (await until(
      'the invitation has come',
      () => mail.received.find(({ to, subject: about }) => to.includes('bob@example.org') && about.includes(subject)),
      { within: 60_000 },
    ));
  if (link && !link.text.includes(`${origin}/`))
    throw new Error(`the invitation does not link to ${origin}: ${link.text}`);
  await alice.getByTestId('toolbar-leave').click();
  await alice.getByTestId('leave-end-all').click();
  await expect(bob.getByTestId('call-ended')).toBeVisible();
  if (upload) await bringFiles(alice, origin, subject);
  for (const page of [alice, bob]) await closePage(page);
  return (
    'signed in, told by push, met with pictures and ' +
    `sound${upload ? ', sent 100 MB and fetched half of it' : ''}${mail ? ', mail links here' : ''}`
  );
}
