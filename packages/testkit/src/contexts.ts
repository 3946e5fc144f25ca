import type { Browser, BrowserContext, Page } from '@playwright/test';

/**
 * A browser context that pages of several scenarios use, one scenario after the other. In a context of its own a page
 * fetches and compiles the whole web app anew: 1.4 s of computing, half of which is spared here. What scenarios may
 * notice of one another is taken back in between: pages, storage, cookies. A context that a scenario changed in another
 * way serves no further one.
 */
interface SharedContext {
  key: string;
  context: BrowserContext;
  /**
   * Shows a file without scripts of the product's address: it keeps the renderer process, and with it the compiled app,
   * between scenarios.
   */
  home: Page | undefined;
  /** Where pages have been. */
  origins: Set<string>;
  isSpoilt: boolean;
}

/** What changes a context, or all its pages, in a way that is not taken back. */
const CHANGES = [
  'addInitScript',
  'clearPermissions',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'route',
  'routeFromHAR',
  'routeWebSocket',
  'setDefaultNavigationTimeout',
  'setDefaultTimeout',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setHTTPCredentials',
  'setOffline',
] as const satisfies (keyof BrowserContext)[];
/** Of a page's clock too: it is its context's. */
const CLOCK_CHANGES = [
  'install',
  'pauseAt',
  'setFixedTime',
  'setSystemTime',
] as const satisfies (keyof BrowserContext['clock'])[];
/** Idle contexts kept for each browser; each keeps a renderer process. */
const KEPT = 4;
const idle = new WeakMap<Browser, SharedContext[]>();
const sharedBy = new WeakMap<Page, SharedContext>();
/** Pages that `closePage` was called for: their context may be another page's by now. */
const closed = new WeakSet<Page>();

/** Lets the pages of a browser share contexts. It must have been launched with `--process-per-site`. */
export function shareContexts(browser: Browser): void {
  idle.set(browser, []);
}

export function sharesContexts(browser: Browser): boolean {
  return idle.has(browser);
}

/**
 * Opens a page in a context nobody uses now, if the browser's pages share contexts; `key` names what contexts differ
 * in.
 */
export async function pageOfShared(
  browser: Browser,
  key: string,
  makeContext: () => Promise<BrowserContext>,
): Promise<Page | undefined> {
  const waiting = idle.get(browser);
  if (waiting === undefined) return undefined;
  const at = waiting.findLastIndex((one) => one.key === key);
  const [found] = at === -1 ? [] : waiting.splice(at, 1);
  const shared = found ?? make(key, await makeContext());
  const { context } = shared;
  const page = await context.newPage();
  sharedBy.set(page, shared);
  return page;
}

function make(key: string, context: BrowserContext): SharedContext {
  const shared: SharedContext = { key, context, home: undefined, origins: new Set(), isSpoilt: false };
  context.on('page', (page) =>
    page.on('framenavigated', (frame) => {
      const { origin } = new URL(frame.url());
      if (origin.startsWith('http')) shared.origins.add(origin);
    }),
  );
  const spoil = (): void => {
    shared.isSpoilt = true;
  };
  onCall(context, CHANGES, spoil);
  onCall(context.clock, CLOCK_CHANGES, spoil);
  return shared;
}

/** Calls a function before each call of these methods of an object. */
function onCall<T extends object>(target: T, names: readonly (keyof T)[], before: () => void): void {
  for (const name of names) {
    const method = target[name] as (...given: unknown[]) => unknown;
    Object.defineProperty(target, name, {
      value: (...given: unknown[]) => {
        before();
        return method.apply(target, given);
      },
    });
  }
}

/** Puts into the local storage of an origin what a page finds there when it comes to it; nothing else is left in it. */
export async function storeFor(page: Page, origin: string, items: Readonly<Record<string, string>>): Promise<void> {
  const shared = sharedBy.get(page);
  if (shared === undefined) {
    const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }));
    await page.context().setStorageState({ cookies: [], origins: [{ origin, localStorage }] });
    return;
  }
  await setStorage(await homeAt(shared, origin), items);
}

/** Closes a page of `openPage`, and what else is open in its context. */
export async function closePage(page: Page): Promise<void> {
  if (closed.has(page)) return;
  closed.add(page);
  const shared = sharedBy.get(page);
  if (shared === undefined) {
    await page.context().close();
    return;
  }
  if (!(await isAsNew(shared))) {
    await shared.context.close();
    return;
  }
  const browser = shared.context.browser();
  const waiting = (browser && idle.get(browser)) ?? [];
  waiting.push(shared);
  if (waiting.length > KEPT) await waiting.shift()?.context.close();
}

/** Whether a context is again as it was when it was made. */
async function isAsNew(shared: SharedContext): Promise<boolean> {
  const [origin, ...others] = shared.origins;
  if (shared.isSpoilt || origin === undefined || others.length > 0) return false;
  // A server that has ended leaves nothing to go to, and its context nothing to keep.
  const home = await homeAt(shared, origin).catch(() => undefined);
  if (home === undefined) return false;
  for (const page of shared.context.pages()) if (page !== home) await page.close();
  await shared.context.clearCookies();
  await setStorage(home, {});
  // The next server has another address.
  shared.origins.clear();
  return true;
}

async function homeAt(shared: SharedContext, origin: string): Promise<Page> {
  shared.home ??= await shared.context.newPage();
  // Without scripts of its own, and always there.
  if (!shared.home.url().startsWith(`${origin}/`)) await shared.home.goto(`${origin}/healthz`);
  return shared.home;
}

async function setStorage(home: Page, items: Readonly<Record<string, string>>): Promise<void> {
  await home.evaluate(`localStorage.clear(); Object.assign(localStorage, ${JSON.stringify(items)})`);
}
