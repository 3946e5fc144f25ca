import { closePage, openPage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { expect, LOCALES, test } from '../pages.ts';
import { formGone } from '../support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

async function openDetail(page: Page, subject: string): Promise<void> {
  await page.getByTestId('meeting-row').filter({ hasText: subject }).getByTestId('meeting-name').click();
}

test('the host of an encrypted meeting copies the link with the key; no one else has it', async ({
  server,
  chromium,
  visit,
}) => {
  const page = await visit('alice', '/', '/myMeeting?q=Sealed+round', { locale: LANGUAGE });
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('meeting-subject').fill('Sealed round');
  await page.getByTestId('section-entry').locator('summary').click();
  await page.getByTestId('meeting-e2ee').click();
  // It cannot be recorded: the form says why, and what to do.
  await page.getByTestId('meeting-auto-record').click();
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('meeting-e2ee')).toHaveAccessibleDescription(
    LANGUAGE === 'zh-CN' ? /端到端加密的会议不能录制/ : /End-to-end encrypted meetings cannot be recorded/,
  );
  await page.getByTestId('meeting-auto-record').click();
  await page.getByTestId('meeting-submit').click();
  await formGone(page);

  await expect(page.getByTestId('badge-e2ee')).toHaveText(
    LANGUAGE === 'zh-CN' ? '端到端加密' : 'End-to-end encryption',
  );
  await openDetail(page, 'Sealed round');
  await page.getByTestId('full-link-copy').click();
  await expect.poll(() => copied(page)).toMatch(/&key=[\w-]{43}$/);
  const full = await copied(page);
  const key = full.slice(full.lastIndexOf('=') + 1);
  await page.getByTestId('link-copy').click();
  await expect.poll(() => copied(page)).toMatch(/#\/join\?number=\d{9}&pwd=\d+&watch=0$/);
  await expect(page.getByTestId('invitation-text')).toContainText(
    LANGUAGE === 'zh-CN' ? '密钥不在此邀请中' : 'the key is not in this invitation',
  );
  await expect(page.getByTestId('invitation-text')).not.toContainText(key);

  const opened = async (link: string) => {
    const guest = await openPage(chromium, { locale: LANGUAGE });
    await guest.goto(link);
    await expect(guest.getByTestId('join-encrypted')).toBeVisible();
    return guest;
  };
  await test.step('the link with the key needs no question, and the address loses the key', async () => {
    const guest = await opened(full);
    await expect(guest.getByTestId('join-name')).toBeVisible();
    await expect(guest.getByTestId('join-key')).toHaveCount(0);
    expect(guest.url()).not.toContain('key');
    await closePage(guest);
  });
  await test.step('without the key, the card asks for it', async () => {
    const guest = await opened(full.replace(/&key=.*/, ''));
    await guest.getByTestId('join-name').fill('Carol');
    await guest.getByTestId('join-key').fill('too short');
    await guest.getByTestId('join-submit').click();
    await expect(guest.getByTestId('join-error')).toBeVisible();
    await expect(guest.getByTestId('join-key')).toBeFocused();
    await closePage(guest);
  });
  const [booked] = (await (await server.api.as('alice')).meetings.list({ query: { keyword: 'Sealed' } })).records;
  expect(booked?.e2ee).toBe(true);
  expect(JSON.stringify(booked)).not.toContain(key);
});
