import { agreeByKey, expect, failing, LONG_NAME, looksRight, LOOKS, test, tryAgain } from '../pages.ts';
import { bookLive, goOnAir, SIZES } from './support.ts';

test('a host finds a broadcast at /live-meeting, puts it on air, pauses and ends it', async ({ server, visit }) => {
  const meeting = await bookLive(server, 'alice', 'Run from the list');
  const page = await visit('alice', '/', '/live-meeting', { locale: 'en-US' });
  await page.getByTestId('list-search').fill('Run from the list');
  const row = page.getByTestId('broadcasts-row');
  await expect(row).toHaveCount(1);
  await expect(page).toHaveURL(/q=Run/);
  await expect(row.getByTestId('broadcast-state')).toHaveText('Not started');

  // Nobody is in the meeting: the server says what to do first.
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-start').press('Enter');
  await expect(page.getByText('The meeting is not running.')).toBeVisible();

  const alice = await server.api.as('alice');
  await alice.conferences.join({ body: { numericId: meeting.numericId } });
  await page.reload();
  await row.getByTestId('row-start').press('Enter');
  await expect(row.getByTestId('broadcast-state')).toHaveText('On air');
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-pause').press('Enter');
  await expect(row.getByTestId('broadcast-state')).toHaveText('Paused');
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-resume').press('Enter');
  await expect(row.getByTestId('broadcast-state')).toHaveText('On air');
  await page.getByTestId('scope-onAir').press('Enter');
  await expect(row).toHaveCount(1);
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-end').press('Enter');
  await expect(page.getByTestId('question')).toContainText('cannot be started again');
  await agreeByKey(page);
  await expect(row).toHaveCount(0);
  await page.getByTestId('scope-past').press('Enter');
  await expect(page).toHaveURL(/scope=past/);
  await expect(row.getByTestId('broadcast-state')).toHaveText('Ended');
});

test('the link of a broadcast is copied, and its page and meeting are opened', async ({ server, visit }) => {
  const { meetId, numericId } = await bookLive(server, 'alice', 'Copied and opened');
  const page = await visit('alice', '/', '/live-meeting?q=Copied', { locale: 'en-US' });
  const row = page.getByTestId('broadcasts-row');
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-copy').press('Enter');
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`/live/${meetId}`);
  await row.getByTestId('row-watch').press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/live/${meetId}`));
  await page.goBack();
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-enter').press('Enter');
  await expect(page).toHaveURL(new RegExp(`number=${numericId}`));
});

test('the settings of a broadcast are changed: password, people, chat', async ({ server, visit }) => {
  const { meetId } = await bookLive(server, 'alice', 'Set anew');
  const page = await visit('alice', '/', '/live-meeting?q=Set anew', { locale: 'en-US' });
  const settings = page.getByTestId('live-settings');
  const open = async () => {
    await page.getByTestId('row-more').press('Enter');
    await page.getByTestId('row-settings').press('Enter');
    await settings.waitFor();
  };
  await open();
  await page.getByTestId('live-access-password').click();
  await page.getByTestId('live-settings-save').click();
  await expect(settings).toContainText('Set a password for the viewers');
  await page.getByTestId('live-password').fill('viewers-1');
  await page.getByTestId('live-chat').selectOption('held');
  await page.getByTestId('live-slow').selectOption('30');
  await page.getByTestId('live-announcement').fill('Slides at noon');
  await page.getByTestId('live-settings-save').click();
  await expect(settings).toHaveCount(0);
  const alice = await server.api.as('alice');
  const detail = () => alice.broadcasts.detail({ params: { id: meetId } });
  expect(await detail()).toMatchObject({
    hasPassword: true,
    setting: { access: 'password', chat: 'held', slowSeconds: 30, announcement: 'Slides at noon' },
  });

  await open();
  await page.getByTestId('live-access-whiteList').click();
  await page.getByTestId('grant-search').getByRole('combobox').fill('bob');
  await page.locator('.ant-select-item-option').first().click();
  await expect(page.getByTestId('live-person')).toHaveCount(1);
  await page.getByTestId('live-settings-save').click();
  await expect(settings).toHaveCount(0);
  expect((await detail()).whiteList).toHaveLength(1);
});

test('people who do not manage a broadcast only watch it', async ({ server, visit }) => {
  await bookLive(server, 'alice', 'Watched by Bob');
  const page = await visit('bob', '/', '/live-meeting?q=Watched by Bob', { locale: 'en-US' });
  const row = page.getByTestId('broadcasts-row');
  await row.getByTestId('row-more').press('Enter');
  await page.getByTestId('row-copy').waitFor();
  await expect(page.getByTestId('row-settings')).toHaveCount(0);
  await expect(page.getByTestId('row-start')).toHaveCount(0);
});

test('the sidebar has the list in a group of its own', async ({ server, visit }) => {
  await bookLive(server, 'alice', 'Counted today');
  const page = await visit('alice', '/', '/myMeeting', { locale: 'en-US', size: { width: 1440, height: 900 } });
  await page.getByTestId('nav-LiveMeeting').filter({ visible: true }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Live broadcasts');
});

for (const locale of LOOKS)
  test(`the list of broadcasts looks right (${locale})`, async ({ server, visit }) => {
    await bookLive(server, 'alice', `Looks ${LONG_NAME} ${locale}`, { minutesFromNow: 90 });
    const { act } = await goOnAir(server, 'alice', `Looks on air ${locale}`, { live: { access: 'public' } });
    const page = await visit('alice', '/', '/live-meeting?q=Looks', { locale });
    await page.getByTestId('broadcast-open').first().waitFor();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await looksRight(page, 'broadcasts');
    }
    await page.getByTestId('row-more').first().click();
    await page.getByTestId('row-settings').click();
    await page.getByTestId('live-access-password').click();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await looksRight(page, 'broadcast settings');
    }
    await page.keyboard.press('Escape');
    await page.getByTestId('list-search').fill('nothing is called so');
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'no broadcasts');
    const mend = await failing(page, '/api/v1/live/broadcasts');
    await page.reload();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'broadcasts failed');
    await tryAgain(page, mend, page.getByTestId('state-empty'));
    await act('END');
  });
