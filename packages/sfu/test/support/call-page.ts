import { startCallBrowser, type CallBrowser } from '@rmeet/testkit';

export type { CallBrowser, CallPage } from '@rmeet/testkit';

/** Pages whose cameras produce three simulcast layers: 320, 640 and 1280 pixels wide. */
export async function startBrowser(): Promise<CallBrowser> {
  const browser = await startCallBrowser();
  return {
    ...browser,
    open: (identity) => browser.open(identity, { camera: { width: 1280, height: 720, frameRate: 20 } }),
  };
}
