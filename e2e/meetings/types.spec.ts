import type { Page } from '@playwright/test';
import { expect, LOCALES, LOOKS, looksRight, test } from '../pages.ts';
import { formGone, optionOf } from '../support.ts';
import { choose, mayBook, onlyBooks, roomsOf } from './support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const EVERYTHING = [
  'sys:network',
  'sys:video',
  'sys:tel',
  'sys:local',
  'sys:uploadMeetingFile',
  'sys:vipMeeting',
] as const;
const rowOf = (page: Page, subject: string) => page.getByTestId('meeting-row').filter({ hasText: subject });

/** Opens the form for a type, with a subject. */
async function start(page: Page, type: string, subject: string): Promise<void> {
  await page.getByTestId('meeting-new').click();
  await page.getByTestId(`type-${type}`).click();
  await page.getByTestId('meeting-subject').fill(subject);
}

/** Cancels from the list, and checks that it disappears. */
async function cancel(page: Page, subject: string): Promise<void> {
  await rowOf(page, subject).getByTestId('meeting-cancel').click();
  await page.getByTestId('question-ok').click();
  await expect(rowOf(page, subject)).toHaveCount(0);
}

test('a network meeting: template, rules, zone and importance are booked, kept by an edit, and cancelled', async ({
  server,
  visit,
}) => {
  await mayBook(server, 'alice', EVERYTHING);
  const page = await visit('alice', '/', '/myMeeting?q=Teaching+round', { locale: LANGUAGE });
  await start(page, 'NETWORK_MEETING', 'Teaching round');
  await page.getByTestId('section-entry').locator('summary').click();
  await choose(page, 'meeting-template', LANGUAGE === 'zh-CN' ? '讲座' : 'Lecture');
  // The template fills in its rules.
  await expect(page.getByTestId('meeting-mute-on-entry')).toBeChecked();
  await expect(page.getByTestId('meeting-join-before-host')).not.toBeChecked();
  await page.getByTestId('meeting-waiting-room').click();
  await page.getByTestId('section-more').locator('summary').click();
  await page.getByTestId('meeting-vip').click();
  await page.getByTestId('meeting-submit').click();
  await formGone(page);
  const row = rowOf(page, 'Teaching round');
  await expect(row.getByTestId('badge-vip')).toBeVisible();

  await row.getByTestId('meeting-edit').click();
  // A section with content is open.
  await expect(page.getByTestId('meeting-vip')).toBeChecked();
  await page.getByTestId('meeting-subject').fill('Teaching round, room two');
  await page.getByTestId('meeting-submit').click();
  await rowOf(page, 'room two').getByTestId('meeting-name').click();
  await expect(page.getByTestId('meeting-detail')).toContainText(LANGUAGE === 'zh-CN' ? '讲座' : 'Lecture');
  const saved = (await (await server.api.as('alice')).meetings.list({ query: { keyword: 'room two' } })).records[0];
  expect(saved).toMatchObject({
    type: 'NETWORK_MEETING',
    template: 'lecture',
    muteOnEntry: true,
    joinBeforeHost: false,
    waitingRoom: true,
    vip: true,
  });
});

test('a video meeting calls terminals of the registry; an edit keeps and changes them', async ({ server, visit }) => {
  const admin = await server.api.as('admin');
  for (const name of ['Surgery screen', 'Ward screen'])
    await admin.terminals.create({ body: { name, address: `${name.split(' ')[0]}@rooms.example.org`, kind: 'sip' } });
  await mayBook(server, 'bob', EVERYTHING);
  const page = await visit('bob', '/', '/myMeeting?q=Remote+operation', { locale: LANGUAGE });
  await start(page, 'VIDEO_MEETING', 'Remote operation');
  const terminals = page.locator('.form-field').filter({ has: page.getByTestId('meeting-terminals') });
  await terminals.getByRole('combobox').fill('Surgery');
  await page.getByTestId('meeting-terminal-option').filter({ hasText: 'Surgery screen' }).click();
  await page.keyboard.press('Escape');
  await page.getByTestId('meeting-submit').click();
  await formGone(page);

  await rowOf(page, 'Remote operation').getByTestId('meeting-edit').click();
  await expect(terminals).toContainText('Surgery screen');
  await terminals.getByRole('combobox').fill('Ward');
  await page.getByTestId('meeting-terminal-option').filter({ hasText: 'Ward screen' }).click();
  await page.keyboard.press('Escape');
  await page.getByTestId('meeting-submit').click();
  await rowOf(page, 'Remote operation').getByTestId('meeting-name').click();
  await expect(page.getByTestId('detail-terminals').getByRole('listitem')).toHaveText([
    /Surgery screen/,
    /Ward screen/,
  ]);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('meeting-detail')).toHaveCount(0);
  await cancel(page, 'Remote operation');
});

test('a telephone meeting needs a valid number; parties are named, changed and removed', async ({ server, visit }) => {
  await mayBook(server, 'carol', EVERYTHING);
  const page = await visit('carol', '/', '/myMeeting?q=Call+the+clinics', { locale: LANGUAGE });
  await start(page, 'PHONE_MEETING', 'Call the clinics');
  await page.getByTestId('meeting-submit').click();
  await expect(page.locator('.booking-phones').getByRole('alert')).toBeVisible();
  await page.getByTestId('phone-number').first().fill('nobody');
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('phone-number').first()).toHaveAttribute('aria-invalid', 'true');
  await page.getByTestId('phone-number').first().fill('+86 10 6512 3456');
  await page.getByTestId('phone-name').first().fill('North clinic');
  // There is always an empty row to type into.
  await page.getByTestId('phone-number').nth(1).fill('010 6512 9999');
  await page.getByTestId('meeting-submit').click();
  await formGone(page);

  await rowOf(page, 'Call the clinics').getByTestId('meeting-edit').click();
  await expect(page.getByTestId('phone-number')).toHaveCount(3);
  await page.getByTestId('phone-remove').nth(1).click();
  await page.getByTestId('meeting-submit').click();
  await rowOf(page, 'Call the clinics').getByTestId('meeting-name').click();
  await expect(page.getByTestId('detail-phones').getByRole('listitem')).toHaveText(['North clinic +861065123456']);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('meeting-detail')).toHaveCount(0);
  await cancel(page, 'Call the clinics');
});

test('a local meeting takes place in a room, with files that are added, downloaded and removed', async ({
  server,
  visit,
}) => {
  await roomsOf(await server.api.as('admin'), 'House of files', ['Reading room']);
  await mayBook(server, 'chair', EVERYTHING);
  const page = await visit('chair', '/', '/myMeeting?q=Reading+hour', { locale: LANGUAGE });
  await start(page, 'LOCAL_MEETING', 'Reading hour');
  // It has neither a password nor entry rules.
  await expect(page.getByTestId('section-entry')).toHaveCount(0);
  const rooms = page.locator('.form-field').filter({ has: page.getByTestId('meeting-rooms') });
  await page.getByTestId('meeting-submit').click();
  await expect(rooms.getByRole('alert')).toBeVisible();
  await rooms.getByRole('combobox').fill('Reading');
  await page.getByTestId('meeting-room-option').filter({ hasText: 'Reading room' }).click();
  await page.keyboard.press('Escape');
  await page.getByTestId('meeting-file').setInputFiles([
    { name: 'agenda.txt', mimeType: 'text/plain', buffer: Buffer.from('first the figures') },
    { name: '报告.txt', mimeType: 'text/plain', buffer: Buffer.from('x'.repeat(3_000)) },
  ]);
  await expect(page.getByTestId('meeting-file-row')).toHaveText([/agenda\.txt.*17 B/, /报告\.txt.*3 KB/]);
  await page.getByTestId('meeting-submit').click();
  await formGone(page);

  const row = rowOf(page, 'Reading hour');
  await expect(row.getByTestId('meeting-room')).toHaveText('Reading room');
  await row.getByTestId('meeting-edit').click();
  await page
    .getByTestId('meeting-file-row')
    .filter({ hasText: 'agenda.txt' })
    .getByTestId('meeting-file-remove')
    .click();
  await page
    .getByTestId('meeting-file')
    .setInputFiles({ name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('what was said') });
  await page.getByTestId('meeting-submit').click();
  await row.getByTestId('meeting-name').click();
  const files = page.getByTestId('detail-files').getByRole('listitem');
  await expect(files).toHaveText([/报告\.txt/, /minutes\.txt/]);
  const fetched = page.waitForEvent('download');
  await files.filter({ hasText: 'minutes.txt' }).getByTestId('file-download').click();
  expect((await fetched).suggestedFilename()).toBe('minutes.txt');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('meeting-detail')).toHaveCount(0);
  await cancel(page, 'Reading hour');
});

test(
  'a local meeting has no conference: details and invitation name its room, as does its number',
  { tag: '@more' },
  async ({ server, visit }) => {
    const admin = await server.api.as('admin');
    const [room] = await roomsOf(admin, 'House without links', ['Map room']);
    await mayBook(server, 'chair', EVERYTHING);
    const chair = await server.api.as('chair');
    const made = await chair.meetings.createLocal({
      body: {
        subject: 'Reading the map',
        startTime: new Date(Date.now() + 7_200_000).toISOString(),
        duration: 30,
        roomIds: [room?.id ?? ''],
      },
    });
    const page = await visit('chair', '/', `/myMeeting?scope=all&open=${made.meetId}`, { locale: LANGUAGE });
    const detail = page.getByTestId('meeting-detail');
    await expect(page.getByTestId('invitation-text')).toContainText('Map room');
    await expect(page.getByTestId('invitation-copy')).toBeVisible();
    await expect(detail).not.toContainText('http');
    await expect(detail).not.toContainText(made.numericId.replace(/(\d{3})(?=\d)/g, '$1 '));
    for (const way of ['link-copy', 'detail-join', 'detail-start'])
      await expect(detail.getByTestId(way)).toHaveCount(0);
    await looksRight(page, 'local meeting');
    await page.goto(`${server.url}/#/join?number=${made.numericId}`);
    await page.getByTestId('join-submit').click();
    await expect(
      page
        .getByText(
          LANGUAGE === 'zh-CN'
            ? '这是本地会议，请到会议室参加'
            : 'This meeting takes place only in its room. Please go there.',
        )
        .first(),
    ).toBeVisible();
  },
);

test(
  'users who may book one type only do not choose it; the list shows one type',
  { tag: '@more' },
  async ({ server, visit }) => {
    const giveBack = await onlyBooks(server, 'alice', ['sys:network']);
    try {
      const page = await visit('alice', '/', '/myMeeting?scope=all', { locale: LANGUAGE });
      await page.getByTestId('meeting-new').click();
      await page.getByTestId('meeting-subject').waitFor();
      await expect(page.locator('.booking-types')).toHaveCount(0);
      await page.keyboard.press('Escape');
      // The filter offers what they may book or have, and nothing that does not exist.
      await expect(page.getByTestId('meeting-type-filter').locator('[value="LIVE_MEETING"]')).toHaveCount(0);
      await page.goto(`${server.url}/#/myMeeting?scope=all&type=LIVE_MEETING`);
      await expect(page.getByTestId('state-empty')).toBeVisible();
      await page.getByTestId('meeting-type-filter').selectOption('NETWORK_MEETING');
      await expect(page).toHaveURL(/type=NETWORK_MEETING/);
    } finally {
      await giveBack();
    }
  },
);

test('the list shows the password on request', async ({ server, visit }) => {
  const { meetings } = await server.api.as('bob');
  await meetings.createNetwork({
    body: {
      subject: 'Behind dots',
      startTime: new Date(Date.now() + 60_000).toISOString(),
      duration: 30,
      password: 'sesame12',
    },
  });
  const page = await visit('bob', '/', '/myMeeting?q=Behind+dots', { locale: LANGUAGE });
  const cell = rowOf(page, 'Behind dots').getByTestId('meeting-password');
  await expect(cell).not.toContainText('sesame12');
  await cell.getByTestId('password-show').click();
  await expect(cell).toContainText('sesame12');
});

test('a meeting booked in another time zone shows both times', { tag: '@more' }, async ({ server, visit }) => {
  const { meetings } = await server.api.as('carol');
  const startTime = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000).toISOString();
  await meetings.createNetwork({
    body: { subject: 'Over there', startTime, duration: 30, password: '4821', timeZone: 'Pacific/Kiritimati' },
  });
  const page = await visit('carol', '/', '/myMeeting?scope=all&q=Over+there', { locale: LANGUAGE });
  const row = rowOf(page, 'Over there');
  await expect(row.getByTestId('meeting-elsewhere')).toContainText('GMT+14');
  await row.getByTestId('meeting-edit').click();
  const there = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Pacific/Kiritimati',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(startTime));
  await expect(page.getByTestId('meeting-time')).toHaveValue(there);
  // 08:00 stays 08:00 in another zone.
  await page.getByTestId('meeting-zone').click();
  await page.keyboard.type('Asia/Tokyo');
  await optionOf(page, 'Asia/Tokyo').click();
  await expect(page.getByTestId('meeting-time')).toHaveValue(there);
});

for (const locale of LOOKS) {
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`the form looks right in ${locale}, ${size.width} wide: every type, all open, faults`, async ({
      server,
      visit,
    }) => {
      await mayBook(server, 'bob', EVERYTHING);
      const page = await visit('bob', '/', '/myMeeting', { locale, size });
      await page.getByTestId('meeting-new').click();
      await page.getByTestId('meeting-subject').waitFor();
      for (const section of ['entry', 'phones', 'agenda', 'more'])
        await page.getByTestId(`section-${section}`).locator('summary').click();
      await page.getByTestId('people-departments').click();
      await page.getByTestId('department-open').first().click();
      await page.getByTestId('person-tick').first().waitFor();
      await looksRight(page, 'network, all open');
      for (const type of ['VIDEO_MEETING', 'PHONE_MEETING', 'LOCAL_MEETING']) {
        await page.getByTestId(`type-${type}`).click();
        await looksRight(page, type);
        await fitsDrawer(page);
      }
      await page.getByTestId('people-groups').click();
      await page.getByTestId('group-keep').waitFor();
      await page.getByTestId('meeting-submit').click();
      await expect(page.getByRole('alert').first()).toBeVisible();
      await looksRight(page, 'faults');
    });
  }
}

/** Checks that nothing in the form is wider than its drawer. */
async function fitsDrawer(page: Page): Promise<void> {
  const [content, width] = (await page.evaluate(
    `(() => { const { scrollWidth, clientWidth } = document.querySelector('.booking').parentElement; return ` +
      '[scrollWidth, clientWidth]; })()',
  )) as [number, number];
  expect(content).toBeLessThanOrEqual(width);
}

test(
  'a booking in progress is kept when the rights of its author change',
  { tag: '@more' },
  async ({ server, visit }) => {
    await mayBook(server, 'carol', ['sys:video']);
    const page = await visit('carol', '/', '/myMeeting', { locale: LANGUAGE });
    await start(page, 'VIDEO_MEETING', 'Half written');
    const giveBack = await onlyBooks(server, 'carol', ['sys:network', 'sys:video']);
    try {
      await expect(page.getByTestId('type-PHONE_MEETING')).toHaveCount(0);
      await expect(page.getByTestId('meeting-subject')).toHaveValue('Half written');
      await expect(page.getByTestId('meeting-terminals')).toBeVisible();
    } finally {
      await giveBack();
    }
  },
);
