import { expect, failing, LOCALES, LOOKS, LONG_NAME, looksRight, test } from '../pages.ts';
import { optionOf } from '../support.ts';
import { peopleOf } from './support.ts';

const LANGUAGE = LOCALES[0] ?? 'zh-CN';

test('people are added by department, one by one, and by mail address, and kept as a group', async ({
  server,
  visit,
}) => {
  const admin = await server.api.as('admin');
  await peopleOf(admin, 'Laboratory', ['lab1']);
  await peopleOf(admin, 'Laboratory/Night', ['lab2', 'lab3']);
  const page = await visit('chair', '/', '/myMeeting', { locale: LANGUAGE });
  await page.getByTestId('meeting-new').click();
  const field = page.locator('.form-field').filter({ has: page.getByTestId('meeting-participants') });
  await page.getByTestId('people-departments').click();
  const laboratory = page.getByTestId('department-tick').filter({ hasText: 'Laboratory' });
  await laboratory.click();
  for (const name of ['lab1', 'lab2', 'lab3']) await expect(field).toContainText(name);

  // If one person of a department is unchecked, the department is half checked.
  await page.locator('li').filter({ has: laboratory }).getByTestId('department-open').first().click();
  await page.getByTestId('person-tick').filter({ hasText: 'lab1' }).click();
  await expect(field).not.toContainText('lab1');
  await expect(laboratory.locator('input')).toHaveJSProperty('indeterminate', true);

  await field.getByRole('combobox').fill('guest@example.org');
  await page.keyboard.press('Enter');
  await expect(field).toContainText('guest@example.org');

  await page.getByTestId('people-groups').click();
  await page.getByTestId('group-keep').click();
  await page.getByTestId('group-name').fill('Night shift');
  await page.keyboard.press('Enter');
  const group = page.getByTestId('people-group').filter({ hasText: 'Night shift' });
  await expect(group).toContainText('2');
  await group.getByTestId('group-rename').click();
  await page.getByTestId('group-name').fill('Night watch');
  await page.getByTestId('group-save').click();
  await expect(page.getByTestId('people-group')).toHaveText([/Night watch/]);
  await page.getByTestId('meeting-subject').fill('At night');
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('meeting-subject')).toHaveCount(0);

  // The group adds them to the next meeting with two presses.
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('people-groups').click();
  await page.getByTestId('group-add').click();
  for (const name of ['lab2', 'lab3']) await expect(field).toContainText(name);
  await page.getByTestId('group-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(page.getByTestId('people-group')).toHaveCount(0);
  await expect(field).toContainText('lab2');
});

test(
  'busy people are marked, with the times, and only while they are busy',
  { tag: '@more' },
  async ({ server, visit }) => {
    const bob = await server.api.as('bob');
    const startTime = new Date(Math.ceil(Date.now() / 3_600_000 + 30) * 3_600_000).toISOString();
    await bob.meetings.createNetwork({ body: { subject: 'Elsewhere', startTime, duration: 30, password: '4821' } });
    const page = await visit('alice', '/', `/myMeeting?book=1&startTime=${startTime}&duration=60`, {
      locale: LANGUAGE,
    });
    const field = page.locator('.form-field').filter({ has: page.getByTestId('meeting-participants') });
    await field.getByRole('combobox').fill('bob');
    const choice = optionOf(page, 'Bob');
    await expect(choice).toContainText('⚠');
    await choice.click();
    const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(startTime));
    await expect(page.getByTestId('people-busy')).toContainText('Bob');
    await expect(page.getByTestId('people-busy')).toContainText(clock);
    await expect(field).toContainText('⚠');
    await page.keyboard.press('Escape');
    await looksRight(page, 'busy');
    // Half an hour later Bob is free.
    await page.getByTestId('meeting-time').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(clock.replace(':00', ':30'));
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('people-busy')).toBeEmpty();
    await expect(field).not.toContainText('⚠');
  },
);

for (const locale of LOOKS) {
  test(`looks right in ${locale}: very long names of departments and groups, groups that cannot be loaded`, async ({
    server,
    visit,
  }) => {
    const admin = await server.api.as('admin');
    await peopleOf(admin, `${LONG_NAME}/${LONG_NAME}`, [`long-${locale.slice(0, 2)}`]);
    const alice = await server.api.as('alice');
    const [bob] = await alice.meetings.invitees({ query: { keyword: 'bob' } });
    await alice.booking.createGroup({
      body: { name: `${LONG_NAME}${locale.slice(0, 2)}`, userIds: [bob?.userId ?? ''] },
    });
    const page = await visit('alice', '/', '/myMeeting?edit=new', { locale, size: { width: 390, height: 844 } });
    await page.getByTestId('people-departments').click();
    await page.getByTestId('department-open').filter({ visible: true }).last().click();
    await looksRight(page, 'departments');
    await page.getByTestId('people-groups').click();
    await page.getByTestId('people-group').first().waitFor();
    await looksRight(page, 'groups');
    const end = await failing(page, '/api/api/v1/meetings/groups');
    await page.reload();
    await page.getByTestId('people-groups').click();
    await page.getByTestId('state-error').waitFor();
    await looksRight(page, 'no groups');
    await end();
  });
}
