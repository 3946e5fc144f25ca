import { expect, LOCALES, test } from '../pages.ts';
import { choose, countEffort, peopleOf, roomsOf } from './support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';
const PEOPLE = Array.from({ length: 10 }, (_, at) => `nurse${at}`);

test('a network meeting now takes two clicks and no typing', async ({ visit }) => {
  const page = await visit('chair', '/', '/myMeeting', { locale: LANGUAGE });
  const effort = await countEffort(page);
  await page.getByTestId('meeting-now').click();
  await page.getByTestId('join-submit').click();
  await page.getByTestId('toolbar-leave').waitFor();
  expect(await effort()).toEqual({ clicks: 2, fields: 0 });
});

test(
  'a weekly meeting with two rooms and ten people takes at most twelve clicks and three typed fields',
  { tag: '@more' },
  async ({ server, visit }) => {
    const admin = await server.api.as('admin');
    await roomsOf(admin, 'House of clicks', ['Clicks one', 'Clicks two']);
    await peopleOf(admin, 'Nurses of clicks', PEOPLE);
    const page = await visit('alice', '/', '/myMeeting', { locale: LANGUAGE });
    await page.getByTestId('agenda').waitFor();
    const effort = await countEffort(page);
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

    await page.getByTestId('meeting-new').click();
    await expect(page.getByTestId('meeting-subject')).toBeFocused();
    await page.keyboard.type('Weekly round of clicks');
    for (const [field, value] of [
      ['meeting-date', day],
      ['meeting-time', '10:00'],
    ] as const) {
      await page.getByTestId(field).click();
      await page.keyboard.press('Control+a');
      await page.keyboard.type(value);
      await page.keyboard.press('Enter');
    }
    await choose(page, 'meeting-repeat', LANGUAGE === 'zh-CN' ? '每周' : 'Every week on');
    await page.getByTestId('people-departments').click();
    await page.getByTestId('department-tick').filter({ hasText: 'Nurses of clicks' }).click();
    await expect(page.getByText(LANGUAGE === 'zh-CN' ? '参会人（10）' : 'Participants (10)')).toBeVisible();
    await page.getByTestId('meeting-rooms').click();
    for (const room of ['Clicks one', 'Clicks two'])
      await page.getByTestId('meeting-room-option').filter({ hasText: room }).click();
    await page.getByTestId('meeting-submit').click();
    await expect(page.getByTestId('meeting-subject')).toHaveCount(0);

    const { clicks, fields } = await effort();
    test.info().annotations.push({ type: 'effort', description: `${clicks} clicks, ${fields} fields` });
    expect(clicks).toBeLessThanOrEqual(12);
    expect(fields).toBeLessThanOrEqual(3);
    const { records } = await (
      await server.api.as('alice')
    ).meetings.list({ query: { keyword: 'Weekly round of clicks', scope: 'all' } });
    expect(records).toHaveLength(10);
    for (const one of records) {
      expect(one.rooms.map(({ name }) => name).toSorted()).toEqual(['Clicks one', 'Clicks two']);
      expect(one.participants).toHaveLength(PEOPLE.length);
      expect(one.startTime).toMatch(/T10:00/);
    }
  },
);
