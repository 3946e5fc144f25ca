import { ASSISTANT_CLOSE } from '@rmeet/contract';

/** Whether the page is in the drawer, and not opened by its address. */
export const isInDrawer = (): boolean => window.parent !== window;

/** Asks the page around to close the drawer; only pages of this server hear it. */
export function closeDrawer(): void {
  window.parent.postMessage(ASSISTANT_CLOSE, location.origin);
}
