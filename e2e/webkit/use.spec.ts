import { expect, has, looksRight, signIn, switchTo, test, testId } from './support.ts';

// A dozen user steps.
test.describe.configure({ timeout: 300_000 });

const row = testId('meeting-row');
const rows = `[...document.querySelectorAll(${JSON.stringify(row)})]`;

test('a meeting next month is booked, found, viewed and cancelled; then its host signs out', async ({
  tab,
  watched,
}) => {
  await signIn(tab, `${watched.url}/`, 'bob');
  await switchTo(tab, 'en-US');
  await tab.click(testId('meeting-new'));
  await looksRight(tab, watched, 'booking');
  await tab.fill(testId('meeting-subject'), 'Seen by WebKit');
  await tab.click(testId('meeting-date'));
  await tab.click('.ant-picker-header-next-btn');
  // The 15th of this month may still be shown, and be over.
  const now = new Date();
  const day = [now.getFullYear() + Math.floor((now.getMonth() + 1) / 12), ((now.getMonth() + 1) % 12) + 1, 15]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  await tab.click(`.ant-picker-cell-in-view[title="${day}"]`);
  await tab.waitFor(`document.querySelector('${testId('meeting-date')}').value.includes('-15')`);
  await tab.click(testId('meeting-submit'));
  await tab.waitFor(`!${has('.side-drawer')}`);

  await tab.click(testId('view-list'));
  await tab.click(testId('scope-all'));
  await tab.fill(testId('meeting-search'), 'Seen by WebKit');
  await tab.waitFor(`${rows}.length === 1 && ${rows}[0].innerText.includes('Seen by WebKit')`);
  await tab.click(testId('meeting-name'));
  await tab.waitFor(has(testId('meeting-detail')));
  await looksRight(tab, watched, 'details');
  await tab.escape();
  await tab.waitFor(`!${has('.side-drawer')}`);
  await tab.click(testId('meeting-cancel'));
  await looksRight(tab, watched, 'question');
  await tab.click(testId('question-ok'));
  await tab.waitFor(`!${has(row)}`);

  await tab.click(testId('account-menu'));
  await tab.click(testId('logout'));
  await tab.waitFor(has(testId('login-account')));
  expect(await tab.evaluate(`localStorage.getItem('token')`)).toBeNull();
  expect(watched.takeFaults()).toEqual([]);
});

test('a wrong password shows an error, and does not sign in', async ({ tab, watched }) => {
  await tab.goto(watched.url);
  await tab.fill(testId('login-account'), 'carol');
  await tab.fill(testId('login-password'), 'wrong');
  await tab.click(testId('login-submit'));
  await tab.waitFor(has(testId('login-error')));
  await tab.waitFor(`document.querySelector('${testId('login-error')}').innerText.trim() !== ''`);
});

test('a browser without camera and microphone shows this before joining', async ({ tab, watched }) => {
  await tab.goto(`${watched.url}/#/join`);
  await tab.waitFor(
    `[...document.querySelectorAll('${testId('device-error')}')].map((one) => one.dataset.device + ' ' + ` +
      `one.dataset.code).join() === 'camera noDevice,microphone noDevice'`,
  );
});
