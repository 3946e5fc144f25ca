import { system } from './browser.ts';
import { isClientShell } from './clientShell.ts';
import { fetchAhead } from './fetchAhead.ts';

const SCRIPT = '/service-worker.js';

/**
 * Registers the service worker of the user app (public/service-worker.js) once the page has the network to itself. It
 * is left out where the app is embedded: the desktop client and other pages have their own way to be without a server.
 */
export function registerServiceWorker(): void {
  const isEmbedded = isClientShell(navigator.userAgent) || window.parent !== window;
  if (system !== 'user' || isEmbedded || !('serviceWorker' in navigator) || !import.meta.env.PROD) return;
  fetchAhead(register);
}

async function register(): Promise<void> {
  const isFirst = navigator.serviceWorker.controller === null;
  await navigator.serviceWorker.register(SCRIPT);
  if (!isFirst) return;
  const { active } = await navigator.serviceWorker.ready;
  // What the first page loaded did not pass through the worker.
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is not a window
  active?.postMessage({ loaded: loaded.filter((url) => new URL(url).pathname.startsWith('/assets/')) });
}

/** Whether this page came from the service worker because the server could not be reached. */
export function isOpenedOffline(): boolean {
  return document.documentElement.dataset['offline'] !== undefined;
}
