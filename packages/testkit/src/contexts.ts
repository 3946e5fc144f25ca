import type { Browser, BrowserContext, Page } from '@playwright/test';

/**
 * A browser context that pages of several scenarios use, one scenario after the other. In a new context, a page fetches
 * and compiles the whole web app again: 1.4 s of computing, half of which is saved here. Effects that scenarios may
 * notice of one another are reset in between: pages, storage, cookies. A context that a scenario changed in another way
 * is not used again.
 */
interface SharedContext {
  key: string;
  context: BrowserContext;
  /**
   * Shows a file of the product's address without scripts: it keeps the renderer process, and with it the compiled app,
   * between scenarios.
   */
  home: Page | undefined;
  /** Where pages have been. */
  origins: Set<string>;
  isSpoilt: boolean;
}

/** Methods that change a context, or all its pages, in a way that is not reset. */
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
/** Also those of a page's clock, which belongs to its context. */
const CLOCK_CHANGES = [
  'install',
  'pauseAt',
  'setFixedTime',
  'setSystemTime',
] as const satisfies (keyof BrowserContext['clock'])[];
/** Idle contexts kept per browser; each keeps a renderer process. */
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
 * Opens a page in an unused context, if the browser's pages share contexts; `key` contains the differences between
 * contexts.
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

/** Sets the local storage of an origin that a page finds when it opens it; everything else in it is removed. */
export async function storeFor(page: Page, origin: string, items: Readonly<Record<string, string>>): Promise<void> {
  const shared = sharedBy.get(page);
  if (shared === undefined) {
    const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }));
    await page.context().setStorageState({ cookies: [], origins: [{ origin, localStorage }] });
    return;
  }
  await setStorage(await homeAt(shared, origin), items);
}

/** Closes a page of `openPage`, and all else that is open in its context. */
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

/** Whether a context is in its initial state again. */
async function isAsNew(shared: SharedContext): Promise<boolean> {
  const [origin, ...others] = shared.origins;
  if (shared.isSpoilt || origin === undefined || others.length > 0) return false;
  // If a server has ended, there is no page to open, and its context has nothing to keep.
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
  // Without its own scripts, and always available.
  if (!shared.home.url().startsWith(`${origin}/`)) await shared.home.goto(`${origin}/healthz`);
  return shared.home;
}

async function setStorage(home: Page, items: Readonly<Record<string, string>>): Promise<void> {
  await home.evaluate(`localStorage.clear(); Object.assign(localStorage, ${JSON.stringify(items)})`);
}
