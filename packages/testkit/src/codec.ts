import type { CameraCodec } from '@rmeet/contract';
import type { Api } from './api.ts';

/** Sets what cameras and shares send in the meetings of the demo organisation. */
export async function setCodec(api: Api, codec: CameraCodec): Promise<void> {
  const admin = await api.as('admin');
  const own = await admin.tenants.own();
  await admin.tenants.updateOwn({ body: { ...own, recording: { ...own.recording, codec } } });
}
