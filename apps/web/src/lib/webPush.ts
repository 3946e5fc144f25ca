import { api } from './api/index.ts';

/** Whether this browser can receive notifications of this app, and does. */
export type WebPushState = 'unsupported' | 'blocked' | 'off' | 'on';

/** iOS has it in the installed app only. */
const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

export async function webPushState(): Promise<WebPushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return Notification.permission === 'granted' && (await subscription()) !== null ? 'on' : 'off';
}

/**
 * Asks the user for permission, and sends this browser's address to the server. Resolves with the new state; `off` if
 * the user closes the question. Throws an ApiError, or a DOMException if the browser does not reach its push service.
 */
export async function turnOnWebPush(): Promise<WebPushState> {
  if ((await Notification.requestPermission()) !== 'granted') return webPushState();
  const { publicKey } = await api.webPush.key();
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription to another key, from before a new installation of the server, cannot be renewed.
  await (await pushManager.getSubscription())?.unsubscribe();
  await send(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  return 'on';
}

export async function turnOffWebPush(): Promise<WebPushState> {
  const known = await subscription();
  if (known === null) return 'off';
  await api.webPush.unsubscribe({ body: { endpoint: known.endpoint } });
  await known.unsubscribe();
  return 'off';
}

/** After a sign-in: notifications that were turned on in this browser now belong to this sign-in. */
export async function renewWebPush(): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted') return;
  const known = await subscription();
  if (known !== null) await send(known);
}

async function send(known: PushSubscription): Promise<void> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = known.toJSON();
  await api.webPush.subscribe({ body: { endpoint, p256dh, auth } });
}
