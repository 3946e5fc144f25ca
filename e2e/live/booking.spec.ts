import { expect, looksRight, LOOKS, test } from '../pages.ts';
import { formGone } from '../support.ts';
import { mayBook } from '../meetings/support.ts';
import { SIZES } from './support.ts';

test('a live meeting is booked with who may watch it', async ({ server, visit }) => {
  await mayBook(server, 'alice', ['sys:bookLive']);
  const page = await visit('alice', '/', '/myMeeting?edit=new', { locale: 'en-US' });
  await page.getByTestId('meeting-subject').fill('Booked as live');
  await page.getByTestId('type-LIVE_MEETING').click();
  await page.getByTestId('live-access-password').click();
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('live-password')).toBeFocused();
  await page.getByTestId('live-password').fill('viewers-2');
  await page.getByTestId('live-questions').click();
  await page.getByTestId('meeting-submit').click();
  await formGone(page);

  const alice = await server.api.as('alice');
  const { records } = await alice.broadcasts.list({ query: { keyword: 'Booked as live' } });
  expect(records).toMatchObject([
    { state: 'scheduled', hasPassword: true, setting: { access: 'password', questions: false, replay: true } },
  ]);
  // Later the form leads to where it is changed.
  await page.goto(`${server.url}/#/myMeeting?edit=${records[0]?.meetId}`);
  await page.getByTestId('section-live').click();
  await page.getByText('Go to Live broadcasts').click();
  await expect(page).toHaveURL(/live-meeting/);
});

for (const locale of LOOKS)
  test(`the booking of a live meeting looks right (${locale})`, async ({ server, visit }) => {
    await mayBook(server, 'alice', ['sys:bookLive']);
    const page = await visit('alice', '/', '/myMeeting?edit=new', { locale });
    await page.getByTestId('type-LIVE_MEETING').click();
    await page.getByTestId('live-access-whiteList').click();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.getByTestId('section-live').scrollIntoViewIfNeeded();
      await looksRight(page, 'booking a live meeting');
    }
  });
