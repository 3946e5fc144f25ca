import { expect, failing, LOCALES, LOOKS, looksRight, tabTo, test, tryAgain } from '../pages.ts';
import { optionOf, violations } from '../support.ts';

const [locale = 'zh-CN'] = LOCALES;
const PAGE = '/fixedMeetingNumber';

test('the avatar menu leads to the fixed number; a meeting starts on it and others join by it', async ({
  server,
  visit,
}) => {
  const page = await visit('chair', '/', '/myMeeting', { locale });
  await tabTo(page, 'account-menu');
  await page.keyboard.press('Enter');
  await tabTo(page, 'to-fixed-number');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('fixed-number')).toHaveText(/^\d{3} \d{3} \d{3}$/);
  const chair = await server.api.as('chair');
  const { numericId, password } = await chair.fixedNumber.read();
  const guest = () => server.api.conferences.join({ body: { numericId, password, name: 'Guest' } });
  await expect(guest()).rejects.toMatchObject({ code: 'FIXED_NUMBER_NOT_STARTED' });

  const again = await visit('chair', '/', PAGE, { locale });
  await again.getByTestId('fixed-number-start').click();
  await expect(again).toHaveURL(new RegExp(`/join\\?number=${numericId}`));
  const { meeting } = await (await server.api.as('chair')).fixedNumber.read();
  expect(meeting).toMatchObject({ status: 'ONLINE', joinBeforeHost: false });
  // The owner has not entered yet, so the guest waits only for them.
  expect(await guest()).toMatchObject({ state: 'waiting', awaitsHost: true });

  const held = await visit('chair', '/', PAGE, { locale });
  await expect(held.getByTestId('fixed-number-state')).toContainText(locale === 'zh-CN' ? '进行中' : 'Running');
  await expect(held.getByTestId('fixed-number-renew')).toBeDisabled();
  await (await server.api.as('chair')).conferences.end({ params: { meetId: meeting?.meetId ?? '' } });
});

test('settings are saved, and refused with messages at the field', async ({ server, visit }) => {
  const page = await visit('alice', '/', PAGE, { locale });
  const password = page.getByTestId('fixed-number-password');
  await expect(page.getByTestId('fixed-number-save')).toBeDisabled();
  await password.fill('12');
  await page.getByTestId('fixed-number-save').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(password).toBeFocused();
  await password.fill('');
  await page.getByTestId('fixed-number-save').click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByTestId('fixed-number-waitingRoom').click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByTestId('fixed-number-muteOnEntry').click();
  await page.getByTestId('fixed-number-save').click();
  await page.getByTestId('toast-success').waitFor();
  expect(await (await server.api.as('alice')).fixedNumber.read()).toMatchObject({
    password: '',
    waitingRoom: true,
    joinBeforeHost: false,
    muteOnEntry: true,
  });
});

test(
  'unsaved settings are kept when the page is left and opened again',
  { tag: '@more' },
  async ({ server, visit }) => {
    const page = await visit('carol', '/', '/myMeeting', { locale });
    await page.getByTestId('account-menu').click();
    await page.getByTestId('to-fixed-number').click();
    const mute = page.getByTestId('fixed-number-muteOnEntry');
    await mute.click();
    await expect(page.getByTestId('fixed-number-save')).toBeEnabled();
    const isMuted = await mute.getAttribute('aria-checked');
    await page.goBack();
    await expect(mute).toHaveCount(0);
    await page.goForward();
    await expect(mute).toHaveAttribute('aria-checked', isMuted ?? '');
    await page.getByTestId('fixed-number-save').click();
    await page.getByTestId('toast-success').waitFor();
    await expect(page.getByTestId('fixed-number-save')).toBeDisabled();
    expect(String((await (await server.api.as('carol')).fixedNumber.read()).muteOnEntry)).toBe(isMuted);
  },
);

test('a new number is assigned after a confirmation', async ({ server, visit }) => {
  const page = await visit('bob', '/', PAGE, { locale });
  const number = page.getByTestId('fixed-number');
  const before = (await number.textContent()) ?? '';
  await page.getByTestId('fixed-number-renew').click();
  await page.getByRole('button', { name: locale === 'zh-CN' ? '保留当前会议号' : 'Keep this one' }).click();
  await expect(number).toHaveText(before);
  await page.getByTestId('fixed-number-renew').click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: locale === 'zh-CN' ? '更换会议号' : 'Get another number', exact: true })
    .click();
  await expect(number).not.toHaveText(before);
  const shown = (await number.textContent()) ?? '';
  const { numericId } = await (await server.api.as('bob')).fixedNumber.read();
  expect(shown.replaceAll(' ', '')).toBe(numericId);
});

test('operators find neither menu entry nor page', { tag: '@more' }, async ({ visit }) => {
  const page = await visit('root', '/admin/', PAGE, { locale });
  await page.getByTestId('account-menu').click();
  await expect(page.getByTestId('to-fixed-number')).toHaveCount(0);
  await expect(page.getByTestId('fixed-number')).toHaveCount(0);
});

test('users on the white list join without the password', { tag: '@more' }, async ({ server, visit }) => {
  const host = await server.api.as('chair');
  const { meetId, numericId } = await host.meetings.createNetwork({
    body: {
      subject: 'Round of the white list',
      startTime: new Date(Date.now() + 60_000).toISOString(),
      duration: 30,
      password: '4821',
    },
  });
  const carol = await server.api.as('carol');
  const join = () => carol.conferences.join({ body: { numericId } });
  await expect(join()).rejects.toMatchObject({ code: 'MEETING_PASSWORD_REQUIRED' });
  const page = await visit('chair', '/', `/myMeeting?open=${meetId}`, { locale });
  const list = page.getByTestId('white-list');
  await list.getByTestId('white-list-person').getByRole('combobox').fill('carol');
  await optionOf(page, 'Carol').click();
  await expect(list.getByTestId('white-list-entry')).toHaveCount(1);
  await list.locator('input[data-testid="white-list-number"]').fill('call me');
  await list.getByTestId('white-list-number-add').click();
  await list.locator('input[data-testid="white-list-number"]').fill('+86 10 1234 5678');
  await list.getByTestId('white-list-number-add').click();
  await expect(list.getByTestId('white-list-entry')).toHaveCount(2);
  expect(await violations(page)).toEqual([]);
  await list.scrollIntoViewIfNeeded();
  await looksRight(page, 'white list');
  expect((await join()).state).toBe('admitted');
  await list.getByTestId('white-list-remove').first().click();
  await expect(list.getByTestId('white-list-entry')).toHaveCount(1);
  await expect(join()).rejects.toMatchObject({ code: 'MEETING_PASSWORD_REQUIRED' });
});

for (const look of LOOKS) {
  test(`looks right (${look})`, async ({ visit }) => {
    const page = await visit('carol', '/', PAGE, { locale: look });
    await page.getByTestId('fixed-number').waitFor();
    await looksRight(page, 'number');
    await page.setViewportSize({ width: 390, height: 844 });
    await looksRight(page, 'phone');
    await page.setViewportSize({ width: 1280, height: 800 });
    const mend = await failing(page, '/api/api/v1/meetings/fixedNumber');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'error');
    await tryAgain(page, mend, page.getByTestId('fixed-number'));
  });
}
