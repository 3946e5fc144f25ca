import { closePage, openPage } from '@rmeet/testkit';
import { bookLive } from '../live/support.ts';
import { agreeByKey, expect, LOOKS, looksRight, signInByToken, test } from '../pages.ts';
import { pressAction } from './support.ts';

test('the host starts, pauses and ends the broadcast at the desk, and sees how many watch', async ({
  server,
  chromium,
}) => {
  const { meetId, numericId } = await bookLive(server, 'alice', 'Run at the desk', { live: { access: 'public' } });
  const alice = await server.api.as('alice');
  await alice.conferences.join({ body: { numericId } });
  const desk = await openPage(chromium, { locale: 'en-US', size: { width: 1440, height: 900 } });
  await signInByToken(desk, server, 'alice');
  await desk.goto(`${server.url}/#/meetingControl?meetId=${meetId}`);
  await expect(desk.getByTestId('desk-live')).toHaveText('Go live');
  await pressAction(desk, 'desk-live');
  await expect(desk.getByTestId('broadcast-mark')).toHaveText('Live');
  await expect(desk.getByTestId('desk-viewers')).toContainText('0');
  await pressAction(desk, 'desk-live-pause');
  await expect(desk.getByTestId('broadcast-mark')).toHaveText('Live paused');
  await pressAction(desk, 'desk-live-pause');
  await expect(desk.getByTestId('broadcast-mark')).toHaveText('Live');
  for (const width of LOOKS.length === 0 ? [] : [1024, 1440]) {
    await desk.setViewportSize({ width, height: 800 });
    await looksRight(desk, 'desk of a live meeting');
  }
  await pressAction(desk, 'desk-live');
  await expect(desk.getByTestId('question')).toContainText('cannot be started again');
  await agreeByKey(desk);
  await expect(desk.getByTestId('broadcast-mark')).toHaveCount(0);
  await expect(desk.getByTestId('desk-live')).toHaveCount(0);
  await closePage(desk);
});

test('a person at the desk who may not run the broadcast has no buttons for it', async ({ server, chromium }) => {
  const { meetId, numericId } = await bookLive(server, 'alice', 'Only looked at');
  const alice = await server.api.as('alice');
  await alice.conferences.join({ body: { numericId } });
  const { url } = await alice.conferences.manageUrl({ params: { a: meetId, b: 'chair' }, query: {} });
  const desk = await openPage(chromium, { locale: 'en-US' });
  await desk.goto(`${server.url}/${url.slice(url.indexOf('#'))}`);
  await desk.getByTestId('desk-end').waitFor();
  await expect(desk.getByTestId('desk-live')).toHaveCount(0);
  await closePage(desk);
});
