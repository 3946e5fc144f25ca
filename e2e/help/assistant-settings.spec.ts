import { startObedientModel, type ObedientModel } from '@rmeet/testkit';
import { newTenant } from '../auth/support.ts';
import { signInProven } from '../admin-pages.ts';
import { expect, failing, LOOKS, looksRight, tabTo, test, tryAgain } from '../pages.ts';

let model: ObedientModel;
test.beforeAll(async () => {
  model = await startObedientModel();
});
test.afterAll(() => model.close());

const PATH = '/assistantSettings';

test('an administrator sets the mail address of the desk by keyboard', async ({ visit, server }) => {
  await newTenant(server, 'Settings clinic', 'setclinic');
  const admin = await signInProven(server, 'setclinic');
  const page = await visit('setclinic', '/manage/', PATH, { locale: 'en-US' });
  await tabTo(page, 'assistant-desk-mail');
  await page.keyboard.type('desk@example.org');
  await tabTo(page, 'assistant-save');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('toast-success')).toBeVisible();
  expect(await admin.assistant.settings()).toMatchObject({ answers: 'manual', deskMail: 'desk@example.org' });
});

test('a language model is set up after wrong inputs, tested, and its key is not shown again', async ({
  visit,
  server,
}) => {
  await newTenant(server, 'Modelled clinic', 'modset');
  await signInProven(server, 'modset');
  const page = await visit('modset', '/manage/', PATH, { locale: 'en-US' });
  await page.getByTestId('assistant-answers').click();
  await page.locator('.ant-select-item-option', { hasText: 'Language model' }).click();
  await page.getByTestId('assistant-desk-mail').fill('no address');
  await page.getByTestId('assistant-save').click();
  const form = page.getByTestId('assistant-settings');
  for (const text of ['begins with http', 'name of the model', 'correct mail address'])
    await expect(form).toContainText(text);
  await page.getByTestId('assistant-desk-mail').fill('');
  await page.getByTestId('assistant-model-name').fill('small');
  await page.getByTestId('assistant-model-url').fill('https://10.0.0.1/v1');
  await page.getByTestId('assistant-save').click();
  await expect(page.getByTestId('toast-error')).toContainText('RMEET_ASSISTANT_HOSTS');
  await page.getByTestId('assistant-model-url').fill(model.url);
  await page.getByTestId('assistant-model-key').fill('sk-wrong');
  await page.getByTestId('assistant-save').click();
  await page.getByTestId('assistant-test').click();
  await expect(page.getByTestId('assistant-test-said')).toContainText('The key was refused');
  await expect(page.getByTestId('assistant-model-key')).toHaveValue('');
  await page.getByTestId('assistant-model-key').fill(model.key);
  await page.getByTestId('assistant-save').click();
  await expect(page.getByTestId('assistant-test')).toBeEnabled();
  await page.getByTestId('assistant-test').click();
  await expect(page.getByTestId('assistant-test-said')).toContainText('answered in');
});

test('a change that another administrator saved meanwhile is shown before it is overwritten', async ({
  visit,
  server,
}) => {
  await newTenant(server, 'Twofold clinic', 'twofold');
  const admin = await signInProven(server, 'twofold');
  const page = await visit('twofold', '/manage/', PATH, { locale: 'en-US' });
  await page.getByTestId('assistant-desk-mail').fill('mine@example.org');
  const { version } = await admin.assistant.settings();
  await admin.assistant.saveSettings({
    body: { answers: 'manual', deskMail: 'theirs@example.org', modelUrl: '', modelName: '', pageUrl: '', version },
  });
  await page.getByTestId('assistant-save').click();
  await expect(page.getByTestId('conflict-notice')).toContainText('theirs@example.org');
});

for (const locale of LOOKS) {
  test(`the settings of the assistant look right (${locale})`, async ({ visit, server }) => {
    const account = `setlook.${locale.slice(0, 2)}`;
    await newTenant(server, `Setlook ${locale}`, account);
    await signInProven(server, account);
    for (const size of [
      { width: 1280, height: 800 },
      { width: 834, height: 1112 },
      { width: 390, height: 844 },
    ]) {
      const page = await visit(account, '/manage/', '/users', { locale, size });
      const mend = await failing(page, '/api/api/v1/assistant/settings');
      await page.evaluate(`location.hash = '${PATH}'`);
      await page.getByTestId('state-error').waitFor();
      await looksRight(page, 'assistant settings failing');
      await tryAgain(page, mend, page.getByTestId('assistant-settings'));
      await looksRight(page, 'assistant settings');
      await page.getByTestId('assistant-answers').click();
      await page.locator('.ant-select-item-option').nth(1).click();
      await page.getByTestId('assistant-model-url').fill(`https://${'long'.repeat(60)}`);
      await page.getByTestId('assistant-save').click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
      await looksRight(page, 'assistant settings with errors');
      await page.getByTestId('assistant-undo').click();
    }
  });
}
