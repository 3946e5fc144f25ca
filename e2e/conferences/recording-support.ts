import type { ConferenceRecording } from '@rmeet/conference';
import type { Page, WebSocketRoute } from '@playwright/test';

export type SetRecording = (recording: Partial<ConferenceRecording> | null) => void;

const RUNNING: ConferenceRecording = {
  id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2dff',
  status: 'RECORDING',
  trouble: null,
  isSpaceLow: false,
  startedAt: new Date().toISOString(),
};

/**
 * Puts a recording into the states of conferences that a page gets over its push socket, as recorders in every
 * condition would: full disks and failures do not happen on request. The returned function changes it, for a page in a
 * conference in which nothing else happens. Call it before the page loads anything.
 */
export async function withRecording(page: Page, first: Partial<ConferenceRecording> | null): Promise<SetRecording> {
  let recording = first && { ...RUNNING, ...first };
  let newest: { socket: WebSocketRoute; message: { snapshot: { control: object } } } | undefined;
  const send = () => {
    if (newest === undefined) return;
    const { socket, message } = newest;
    const { snapshot } = message;
    socket.send(JSON.stringify({ ...message, snapshot: { ...snapshot, control: { ...snapshot.control, recording } } }));
  };
  await page.routeWebSocket(/\/api\/push/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((data) => {
      const message = JSON.parse(String(data)) as { snapshot?: { control?: object } };
      if (message.snapshot?.control === undefined) {
        socket.send(data);
        return;
      }
      newest = { socket, message: message as NonNullable<typeof newest>['message'] };
      send();
    });
  });
  // The server would really record, and tell the page of it.
  await page.route(/\/conferences\/[^/]+\/commands$/, (route) => {
    if (route.request().postData()?.includes('"record"') !== true) return route.fallback();
    const data = { commandId: RUNNING.id, version: 1, affected: [] };
    return route.fulfill({ json: { status: 200, statusCode: 'OK', message: '', data } });
  });
  return (next) => {
    recording = next && { ...RUNNING, ...next };
    send();
  };
}
