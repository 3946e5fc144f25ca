import type { Page } from '@playwright/test';
import type { ClientPackage } from '@rmeet/contract';
import type { Api, RunningServer } from '@rmeet/testkit';
import { signInProven } from '../admin-pages.ts';

export const IOS_LINK = 'https://apps.example.org/rmeet/id123456';
export const PHONE =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36';
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 ' +
  'Mobile/15E148 Safari/604.1';

/** A file as the form takes it; `content` begins as a package does. */
export const fileOf = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});

/** Withdraws and deletes all packages: they are the platform's, and the server is shared. */
export async function clearPackages(server: RunningServer): Promise<Api> {
  const root = await signInProven(server, 'root');
  const { records } = await root.clientPackages.query({ query: { size: 200 } });
  for (const { id, withdrawnAt } of records) {
    if (withdrawnAt === null) await root.clientPackages.withdraw({ params: { id }, body: { withdrawn: true } });
    await root.clientPackages.remove({ params: { id } });
  }
  return root;
}

type Body = Parameters<Api['clientPackages']['create']>[0]['body'];

/** Publishes a package from a link, or from a file. */
export const publish = (root: Api, body: Body, file?: File): Promise<ClientPackage> =>
  root.clientPackages.create({ body, ...(file ? { files: [file] } : {}) });

/** Publishes an Android package as a file and the store link of iOS. */
export async function publishPhones(root: Api, version = '3.4.0'): Promise<{ android: ClientPackage }> {
  const android = await publish(root, { type: 1, version }, new File(['PK\x03\x04 android'], 'rmeet.apk'));
  await publish(root, { type: 2, version, link: IOS_LINK });
  return { android };
}

/** Signs a page of a client shell in, with what the shell passes. */
export async function signInShell(
  page: Page,
  server: RunningServer,
  account: string,
  notes: Record<string, string>,
): Promise<void> {
  const { token } = await server.api.as(account);
  await page.addInitScript(`
    localStorage.setItem('token', ${JSON.stringify(token)});
    for (const [key, value] of Object.entries(${JSON.stringify(notes)})) sessionStorage.setItem(key, value);`);
  await page.goto(`${server.url}/#/myMeeting`);
  await page.getByTestId('account-menu').waitFor();
}
