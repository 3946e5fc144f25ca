import { expect, test } from '../pages.ts';
import { bookMeeting, optionOf, violations } from '../support.ts';

test('a host appoints a stand-in, who finds the meeting in the own list, until it is revoked', async ({
  server,
  visit,
}) => {
  const host = await server.api.as('chair');
  const { meetId, subject } = await bookMeeting(host, 'Ward round of the stand-ins', { minutesFromNow: 30 });
  const page = await visit('chair', '/', `/myMeeting?open=${meetId}`, { locale: 'en-US' });
  const grants = page.getByTestId('grants');
  await expect(grants).toContainText('Nobody yet');
  await grants.getByRole('combobox').fill('bob');
  await optionOf(page, 'Bob').click();
  await expect(grants).toContainText('Bob');
  expect(await violations(page)).toEqual([]);

  const bob = await server.api.as('bob');
  const found = (await bob.meetings.list({ query: {} })).records.find((one) => one.subject === subject);
  expect(found).toMatchObject({ granted: [{ name: 'Bob' }], can: { edit: true, grant: true } });

  await grants.getByTestId('grant-take-back').click();
  await expect(grants).toContainText('Nobody yet');
  expect((await bob.meetings.list({ query: {} })).records.some((one) => one.subject === subject)).toBe(false);
});
