import { TOKEN_PATH } from '@rmeet/contract';
import type { RunningServer } from '@rmeet/testkit';
import { newTenant, newUser } from '../auth/support.ts';
import { breakCalls, chooseByKeys, openAdminPage, rowOf, signInProven } from '../admin-pages.ts';
import { AXE_LOCALES, LOCALES, LONG_NAME, LOOKS, looksRight, tabTo, test as pages } from '../pages.ts';
import { expect, test, violations } from '../support.ts';

const CLIENTS = { app: '/manage/', account: 'admin', path: '/api-record' } as const;

/** A token for a client, as its program asks for it. */
async function tokenFor(server: RunningServer, id: string, secret: string, more: object = {}): Promise<Response> {
  return fetch(`${server.url}${TOKEN_PATH}`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...more }),
  });
}

/** The meetings that a program reads with a token. */
async function listMeetings(server: RunningServer, answer: Response): Promise<number> {
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const list = await fetch(`${server.url}/api/api/v1/meetings/list`, { headers: { authorization: `Bearer ${token}` } });
  return list.status;
}

test('an administrator makes an API client by keyboard, its program calls, and the call is listed', async ({
  server,
  open,
}) => {
  await signInProven(server, 'admin');
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, CLIENTS);
  await tabTo(page, 'api-client-new');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('api-client-field-name')).toBeFocused();
  await page.keyboard.type('Ward planner');
  await tabTo(page, 'scope-meetings:read');
  await page.keyboard.press('Space');
  await tabTo(page, 'form-submit');
  await page.keyboard.press('Enter');
  const id = await page.getByTestId('secret-id').innerText();
  const secret = await page.getByTestId('secret-value').innerText();
  await expect(page.getByTestId('secret-address')).toHaveText(`${server.url}${TOKEN_PATH}`);
  await tabTo(page, 'secret-done');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, 'api-client', 'Ward planner')).toContainText('Never');

  expect(await listMeetings(server, await tokenFor(server, id, secret))).toBe(200);
  await expect(async () => {
    await page.reload();
    await rowOf(page, 'api-client', 'Ward planner').getByTestId('row-records').click();
    await expect(page.getByTestId('api-call')).toHaveCount(2, { timeout: 1_000 });
  }).toPass();
  await expect(page.getByTestId('api-call').filter({ hasText: 'meetings.list' })).toContainText('200');
  await page.getByTestId('records-trail').click();
  await expect(page.getByTestId('api-trail')).toContainText('apiRecords.create');
});

test('a new secret replaces the former one after the time that was chosen, and the client is ended', async ({
  server,
  open,
}) => {
  const admin = await signInProven(server, 'admin');
  const { client, secret } = await admin.apiRecords.create({ body: { name: 'Turned', scopes: ['meetings:read'] } });
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...CLIENTS, path: '/api-record?q=Turned' });
  await page.getByTestId('row-more').click();
  await chooseByKeys(page, 'row-rotate');
  await page.getByTestId('rotate-1').check();
  await page.getByTestId('rotate-make').click();
  const next = await page.getByTestId('secret-value').innerText();
  await page.getByTestId('secret-done').click();
  expect((await tokenFor(server, client.id, secret ?? '')).status).toBe(200);
  expect((await tokenFor(server, client.id, next)).status).toBe(200);

  await page.getByTestId('row-more').click();
  await page.getByTestId('row-end').click();
  await page.getByTestId('question-ok').click();
  await expect(rowOf(page, 'api-client', 'Turned')).toContainText('Ended');
  expect((await tokenFor(server, client.id, next)).status).toBe(401);
});

test('a form without name, scopes or key says what is missing, and the platform names the tenant', async ({
  server,
  open,
}) => {
  const page = await open('chair', { locale: 'en-US' });
  await openAdminPage(page, server, { ...CLIENTS, app: '/admin/', account: 'root' });
  await page.getByTestId('api-client-new').click();
  await page.getByTestId('form-submit').click();
  const form = page.getByTestId('api-client-form');
  for (const text of ['Please choose a tenant', 'Please enter a name', 'Please choose what it may do'])
    await expect(form).toContainText(text);
});

pages('a user allows a program to act for them, and ends that', async ({ visit, server }) => {
  await newUser(server, 'grantor');
  const admin = await signInProven(server, 'admin');
  const { client, secret } = await admin.apiRecords.create({
    body: { name: 'Calendar link', scopes: ['meetings:read'], actsForUsers: true },
  });
  const page = await visit('grantor', '/', '/userInfo', { locale: 'en-US' });
  const row = page.getByTestId('program-row').filter({ hasText: 'Calendar link' });
  const ask = () => tokenFor(server, client.id, secret ?? '', { subject: 'grantor' });
  expect((await ask()).status).toBe(400);
  await row.getByTestId('program-allow').click();
  await page.getByTestId('question-ok').click();
  await row.getByTestId('program-end').waitFor();
  expect(await listMeetings(server, await ask())).toBe(200);
  await row.getByTestId('program-end').click();
  await row.getByTestId('program-allow').waitFor();
  expect((await ask()).status).toBe(400);
});

for (const locale of LOOKS) {
  pages(`every state of the pages is shown (${locale})`, async ({ visit, server }) => {
    const admin = await signInProven(server, 'admin');
    const name = `${LONG_NAME}${locale.slice(0, 2)}`;
    const body = {
      description: 'Books the ward rounds.',
      actsForUsers: true,
      networks: ['192.0.2.0/24', '2001:db8::/32'],
    };
    const { client, secret } = await admin.apiRecords.create({
      body: { name, scopes: ['meetings:read', 'meetings:write'], ...body },
    });
    await listMeetings(server, await tokenFor(server, client.id, secret ?? ''));
    const page = await visit('admin', '/manage/', '/api-record', { locale });
    await page.getByTestId('api-client-row').first().waitFor();
    await looksRight(page, 'api-records list');
    await rowOf(page, 'api-client', name).getByTestId('api-client-name').click();
    await page.getByTestId('api-client-form').waitFor();
    await looksRight(page, 'api-records form');
    await page.keyboard.press('Escape');
    await page.getByTestId('api-client-new').click();
    await page.getByTestId('api-client-field-name').fill(`Secret ${locale}`);
    await page.getByTestId('scope-rooms:read').check();
    await page.getByTestId('form-submit').click();
    await page.getByTestId('secret-value').waitFor();
    await looksRight(page, 'api-records secret');
    await page.getByTestId('secret-done').click();
    await rowOf(page, 'api-client', name).getByTestId('row-records').click();
    await page.getByTestId('api-records').waitFor();
    await page.getByTestId('records-grants').click();
    await page.getByTestId('state-empty').waitFor();
    await looksRight(page, 'api-records grants');
    await page.getByTestId('records-trail').click();
    await page.getByTestId('api-trail').first().waitFor();
    await looksRight(page, 'api-records trail');
    const own = await visit('bob', '/', '/userInfo', { locale, size: { width: 360, height: 740 } });
    await own.getByTestId('program-row').first().waitFor();
    await own.getByTestId('programs').scrollIntoViewIfNeeded();
    await looksRight(own, 'api-records own');
  });
}

pages('an administrator makes a webhook, and sees what became of a delivery', async ({ server, visit }) => {
  await newTenant(server, 'Hook clinic', 'hookadmin');
  for (const locale of LOCALES) {
    const page = await visit('hookadmin', '/manage/', '/api-record', { locale });
    await page.getByTestId('view-webhooks').click();
    await page.getByTestId('webhook-new').click();
    await page.getByTestId('form-submit').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    await looksRight(page, 'webhook form with errors');
    await page.getByTestId('webhook-name').fill(`Board ${locale}`);
    await page.getByTestId('webhook-url').fill('https://127.0.0.1/rmeet');
    await page.getByTestId('event-conference.started').check();
    await page.getByTestId('form-submit').click();
    // The own network is not reached through the server.
    await expect(page.getByTestId('webhook-url')).toHaveAttribute('aria-invalid', 'true');
    await page.getByTestId('webhook-url').fill('https://board.invalid/rmeet');
    await page.getByTestId('form-submit').click();
    await expect(page.getByTestId('secret-value')).not.toBeEmpty();
    await page.getByTestId('secret-done').click();
    const row = rowOf(page, 'webhook', `Board ${locale}`);
    await row.getByTestId('row-deliveries').click();
    await page.getByTestId('webhook-test').click();
    await page.getByTestId('webhook-delivery').waitFor();
    await looksRight(page, 'webhook deliveries');
    await page.keyboard.press('Escape');
    await looksRight(page, 'webhooks');
  }
});

pages('the API reference lists the calls of programs, and says how each is made', async ({ visit }) => {
  for (const locale of LOCALES) {
    const page = await visit('admin', '/manage/', '/api-reference', { locale });
    const calls = page.getByTestId('reference-operation');
    await calls.first().waitFor();
    await looksRight(page, 'api reference');
    await page.getByTestId('reference-search').fill('rooms');
    await expect(calls.first()).toContainText('rooms');
    await calls.first().locator('summary').click();
    await expect(calls.first()).toContainText('curl');
    await looksRight(page, 'api reference with a call');
    await page.getByTestId('language-python').click();
    await expect(page.locator('pre').first()).toContainText('import');
  }
});

for (const locale of AXE_LOCALES) {
  test(`axe finds nothing wrong in any state (${locale})`, async ({ server, open }) => {
    const page = await open('chair', { locale });
    await openAdminPage(page, server, CLIENTS);
    await page.getByTestId('api-client-new').click();
    await page.getByTestId('form-submit').click();
    await page.locator('[aria-invalid="true"]').first().waitFor();
    expect(await violations(page), 'form with errors').toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByTestId('list-search').fill('nothing is called this');
    await page.getByTestId('state-empty').waitFor();
    expect(await violations(page), 'empty').toEqual([]);
    const mend = await breakCalls(page, '/api/api/v1/api-record/query');
    await page.getByTestId('list-search').fill('x');
    await page.getByTestId('state-error').waitFor();
    expect(await violations(page), 'failing').toEqual([]);
    await mend();
  });
}
