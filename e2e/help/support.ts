import { UPLOAD_PATH } from '@rmeet/contract';
import type { Api, RunningServer } from '@rmeet/testkit';

/** Grants the assistant to accounts of an administrator's organisation. */
export async function grantAssistant(server: RunningServer, administrator: string, ...ids: string[]): Promise<void> {
  const root = await server.api.as('root');
  const admin = await server.api.as(administrator);
  const entry = (await root.permissions.tree()).find(({ code, type }) => code === 'sys:itbotEntrance' && type === 2);
  for (const id of ids) {
    const grants = await admin.users.grants({ params: { id }, query: {} });
    await admin.users.setGrants({
      params: { id },
      body: { ...grants, permissionIds: [...grants.permissionIds, entry?.id ?? ''] },
    });
  }
}

/** The settings of an assistant that answers from the manual, without a desk. */
export const PLAIN = { answers: 'manual', deskMail: '', modelUrl: '', modelName: '', pageUrl: '' } as const;

/** Stores settings of the assistant in addition to the plain ones. */
export async function saveSettings(
  admin: Api,
  values: Partial<Parameters<Api['assistant']['saveSettings']>[0]['body']>,
): Promise<void> {
  const { version } = await admin.assistant.settings();
  await admin.assistant.saveSettings({ body: { ...PLAIN, version, ...values } });
}

/** Uploads a text to a meeting's files. */
export async function uploadText(
  server: RunningServer,
  who: Api & { token: string },
  meetId: string,
  name: string,
  text: string,
): Promise<void> {
  const body = new Uint8Array(Buffer.from(text));
  const { id } = await who.meetingFiles.startUpload({ body: { meetId, name, size: body.length } });
  await fetch(`${server.url}${UPLOAD_PATH}/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: who.token,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
    body,
  });
}
