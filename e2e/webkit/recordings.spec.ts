import { store } from '../recordings/support.ts';
import { expect, has, looksRight, PHONE, signIn, switchTo, test, testId } from './support.ts';

test.describe.configure({ timeout: 300_000 });

const programme = `document.querySelector('${testId('player-video')}')`;
const plays = `${programme}?.currentTime > 1`;

test('a recording is found, plays, and plays by a link', async ({ server, tab, watched }) => {
  const { id } = await store(server, { subject: 'Seen in WebKit' });
  const alice = await server.api.as('alice');
  const { link } = await alice.recordings.share({ params: { id }, body: { watermark: false } });
  await signIn(tab, `${watched.url}/`, 'alice');
  await switchTo(tab, 'en-US');
  await tab.goto(`${watched.url}/?list#/record-meeting?q=WebKit`);
  await tab.waitFor(has(testId('recording-open')));
  await looksRight(tab, watched, 'recordings');
  await tab.click(testId('recording-open'));
  await tab.waitFor(has(testId('player-large')));
  await tab.click(testId('player-large'));
  await tab.waitFor(plays);
  await looksRight(tab, watched, 'recording');
  await tab.resize(PHONE);
  await tab.goto(`${watched.url}/?link#${link.split('#')[1]}`);
  await tab.waitFor(has(testId('player-large')));
  await tab.click(testId('player-large'));
  await tab.waitFor(plays);
  await looksRight(tab, watched, 'shared recording');
  expect(await tab.evaluate(`${programme}.error`)).toBeNull();
});
