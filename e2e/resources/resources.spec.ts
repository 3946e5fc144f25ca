import type { Page } from '@playwright/test';
import type { Api } from '@rmeet/testkit';
import { chooseFound, openAdminPage, rowOf } from '../admin-pages.ts';
import { expect, LOCALES, LOOKS, LONG_NAME, looksRight, tabTo, test } from '../pages.ts';
import { formGone } from '../support.ts';

const RESOURCES = { app: '/manage/', account: 'admin', path: '/resources' } as const;
const [locale = 'zh-CN'] = LOCALES;

const all = async (api: Api) => (await api.resources.list({ query: { tenantWide: 'true' } })).records;

/** The demo's resource, which every other scenario uses implicitly. */
async function demoResource(api: Api) {
  const resource = (await all(api)).find(({ name }) => name === '院本部资源');
  if (!resource) throw new Error('There is no demo resource.');
  const { id, name, ports, hours, timeZone, version } = resource;
  return { id, name, ports, hours, timeZone, version };
}

/** Servers are shared: added resources are deleted, and the demo's resource is assigned to everyone again. */
test.afterEach(async ({ server }) => {
  const api = await server.api.as('admin');
  await api.resources.update({ body: { ...(await demoResource(api)), assignedTo: { everybody: true } } });
  for (const { id, name } of await all(api)) {
    if (name !== '院本部资源') await api.resources.remove({ params: { id } }).catch(() => undefined);
  }
});

test('a resource is added for a department and a person, changed and deleted', async ({ server, open }) => {
  const page = await open('chair', { locale });
  await openAdminPage(page, server, RESOURCES);
  await tabTo(page, 'resource-new');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('field-name')).toBeFocused();
  await page.keyboard.type('Operating theatres');
  await page.getByTestId('field-zone').fill('cn-east');
  await page.getByTestId('field-ports').fill('50');
  await page.getByTestId('field-hours').fill('40');
  await page.getByTestId('resource-everybody').click();
  await page.getByTestId('form-submit').click();
  // At least one assignee is required.
  await expect(page.getByTestId('resource-drawer').getByRole('alert')).toHaveCount(1);
  await chooseFound(page, 'resource-departments', '外科');
  await page.keyboard.press('Escape');
  await chooseFound(page, 'resource-people', 'carol');
  await page.getByTestId('form-submit').click();
  await formGone(page);
  const row = rowOf(page, 'resources', 'Operating theatres');
  await expect(row).toContainText('Carol');
  await expect(row).toContainText('50');

  await row.getByTestId('row-edit').click();
  await page.getByTestId('field-ports').fill('60');
  await page.getByTestId('form-submit').click();
  await expect(row).toContainText('60');
  await row.getByTestId('row-more').click();
  await page.getByTestId('row-remove').click();
  await page.getByTestId('question-ok').click();
  await expect(row).toHaveCount(0);
});

/** Opens the form for a new meeting. */
async function startBooking(page: Page): Promise<void> {
  await page.getByTestId('meeting-new').click();
  await page.getByTestId('meeting-resource').waitFor();
}

test('a booking names its resource and says at once when that has not enough', async ({ server, visit }) => {
  const api = await server.api.as('admin');
  await api.resources.create({ body: { name: 'Small', ports: 2, hours: 3, assignedTo: { everybody: true } } });
  const page = await visit('alice', '/', '/myMeeting', { locale });
  await startBooking(page);
  await page.getByTestId('meeting-subject').fill('On a small resource');
  await chooseFound(page, 'meeting-resource', 'Small');
  await expect(page.getByTestId('booking-limit')).toHaveCount(0);
  await page.getByTestId('meeting-duration').fill('240');
  await expect(page.getByTestId('booking-limit')).toHaveAttribute('data-limit', 'hours');
  await expect(page.getByTestId('booking-limit')).toContainText('8001');
  await page.getByTestId('meeting-submit').click();
  // The server rejects it as well, with the error at the field.
  await expect(page.getByTestId('booking').getByRole('alert')).toContainText('Small');
  await page.getByTestId('meeting-duration').fill('60');
  await expect(page.getByTestId('booking-limit')).toHaveCount(0);
  await page.getByTestId('meeting-submit').click();
  await expect(page.getByTestId('booking')).toHaveCount(0);
  await expect.poll(async () => (await all(api)).find(({ name }) => name === 'Small')?.minutesUsed).toBe(60);
  const { records } = await api.meetings.list({ query: { keyword: 'On a small resource', tenantWide: 'true' } });
  expect(records).toMatchObject([{ resource: { name: 'Small' } }]);
  for (const { meetId } of records) await api.meetings.cancel({ params: { id: meetId }, query: {} });
});

test(
  'the fields below the resource do not move while the list of resources loads',
  { tag: '@more' },
  async ({ visit }) => {
    const page = await visit('alice', '/', '/myMeeting', { locale });
    await page.getByTestId('agenda').waitFor();
    const { promise: held, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/choosePcmsMeetingResource*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByTestId('meeting-new').click();
    const select = page.getByTestId('meeting-resource');
    await expect(select).toHaveClass(/ant-select-disabled/);
    const below = page.getByTestId('section-entry');
    // The drawer slides in from the side: this does not change vertical positions.
    const place = await below.boundingBox();
    answer();
    await expect(select).not.toHaveClass(/ant-select-disabled/);
    expect((await below.boundingBox())?.y).toBe(place?.y);
  },
);

test('users without a resource see one message with the contacts', { tag: '@more' }, async ({ server, visit }) => {
  const api = await server.api.as('admin');
  const bob = (await api.users.list({ query: { keyword: 'bob' } })).records[0];
  await api.resources.update({ body: { ...(await demoResource(api)), assignedTo: { userIds: [bob?.id ?? ''] } } });
  const page = await visit('carol', '/', '/myMeeting', { locale });
  const question = page.getByTestId('question-ok');
  await question.waitFor();
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toContainText('8001');
  await expect(page.getByTestId('question-cancel')).toHaveCount(0);
  await question.click();
  await page.reload();
  await page.getByTestId('account-menu').waitFor();
  await expect(question).toHaveCount(0);
});

for (const language of LOOKS) {
  test(`resources look right (${language})`, async ({ server, visit }) => {
    const api = await server.api.as('chair');
    const admin = await server.api.as('admin');
    const made = await admin.resources.create({
      body: { name: LONG_NAME, zone: 'cn-east-2', ports: 4, hours: 1, assignedTo: { everybody: true } },
    });
    const { meetId } = await api.meetings.createNetwork({
      body: {
        subject: 'Fills the resource',
        startTime: new Date().toISOString(),
        duration: 55,
        password: '4821',
        resourceId: made.id,
      },
    });
    const list = await visit('admin', '/manage/', '/resources', {
      locale: language,
      size: { width: 390, height: 844 },
    });
    await list.getByTestId('resources-row').first().waitFor();
    await looksRight(list, 'list');
    await list.getByTestId('resource-new').click();
    await list.getByTestId('resource-everybody').click();
    await list.getByTestId('form-submit').click();
    await list.locator('[aria-invalid="true"]').first().waitFor();
    await looksRight(list, 'form with errors');
    const page = await visit('alice', '/', '/myMeeting', { locale: language, size: { width: 390, height: 844 } });
    await startBooking(page);
    await page.getByTestId('meeting-duration').fill('120');
    await chooseFound(page, 'meeting-resource', LONG_NAME.slice(0, 8));
    await page.getByTestId('booking-limit').waitFor();
    await looksRight(page, 'booking beyond a limit');
    await api.meetings.cancel({ params: { id: meetId }, query: {} });
  });
}
