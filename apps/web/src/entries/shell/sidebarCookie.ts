import { SIDEBAR_COOKIE } from '@rmeet/contract';

const YEAR = 365 * 24 * 60 * 60;

/** Whether the sidebar was left open; it is initially collapsed. */
export function wasSidebarOpen(): boolean {
  return document.cookie.split('; ').includes(`${SIDEBAR_COOKIE}=1`);
}

/** Stores the state of the sidebar: 1 open, 0 closed. */
export function rememberSidebar(open: boolean): void {
  document.cookie = `${SIDEBAR_COOKIE}=${open ? 1 : 0}; path=/; max-age=${YEAR}; samesite=lax`;
}
