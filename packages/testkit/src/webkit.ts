import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './port.ts';
import { until } from './wait.ts';

/** Debian's packages webkit2gtk-driver and xvfb. */
const DRIVER = '/usr/bin/WebKitWebDriver';
const DISPLAY_SERVER = '/usr/bin/Xvfb';
/** The name of an element reference in WebDriver's JSON (W3C WebDriver, section 12). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** Escape in WebDriver's key codes (W3C WebDriver, section 17.4.2). */
const ESCAPE = '\uE00C';

/** Time limit for a call of the driver, ms. */
const PATIENCE = 60_000;

export interface PageSize {
  width: number;
  height: number;
}

/** Whether WebKit can be controlled here: tools/browser.ts installs what it needs if it runs as root on Debian. */
export function hasWebKit(): boolean {
  return existsSync(DRIVER) && existsSync(DISPLAY_SERVER);
}

/** Ends a process and waits until it has ended. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exit;
}

/** Starts a virtual screen. Returns its name, as `:99`. */
async function startDisplay(): Promise<{ name: string; process: ChildProcess }> {
  // It chooses a free number and writes it to the file descriptor.
  const process = spawn(DISPLAY_SERVER, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let number = '';
  process.stdout.on('data', (chunk: Buffer) => {
    number += chunk.toString();
  });
  await until('Xvfb has a display', () => number.endsWith('\n') || process.exitCode !== null);
  if (process.exitCode !== null) throw new Error(`Xvfb ended with code ${process.exitCode}`);
  return { name: `:${number.trim()}`, process };
}

/**
 * One page of WebKitGTK's MiniBrowser, over W3C WebDriver. Only a few of its calls are used, with `fetch`: the clients
 * on npm contain programs for other browsers, or download them.
 */
export class WebKitPage {
  readonly #session: string;

  private constructor(session: string) {
    this.#session = session;
  }

  static async open(driver: string, size: PageSize): Promise<WebKitPage> {
    // Without its tool bar, the window can be as narrow as a phone, and the page is as large as the window.
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { args: ['--automation', '--full-screen'] } } };
    const { sessionId } = await call<{ sessionId: string }>('POST', `${driver}/session`, { capabilities });
    const page = new WebKitPage(`${driver}/session/${sessionId}`);
    await page.resize(size);
    return page;
  }

  async resize({ width, height }: PageSize): Promise<void> {
    await this.#post('/window/rect', { width, height });
    await until(`the page is ${width} wide`, () => this.evaluate(`innerWidth === ${width}`));
  }

  async goto(url: string): Promise<void> {
    await this.#post('/url', { url });
  }

  /** The value of an expression in the page; promises are awaited. */
  evaluate<T>(expression: string): Promise<T> {
    return this.#post<T>('/execute/sync', { script: `return ${expression}`, args: [] });
  }

  /** Waits until an expression in the page is true. */
  async waitFor(expression: string, within = 30_000): Promise<void> {
    await until(expression, () => this.evaluate(`Boolean(${expression})`), { within });
  }

  /** Clicks the first element that matches a selector, once it exists and nothing covers it. */
  async click(selector: string): Promise<void> {
    await until(`${selector} is pressed`, async () => {
      await this.#post(`/element/${await this.#find(selector)}/click`, {});
      return true;
    });
  }

  /** Replaces the content of a field by typing. (React does not notice WebDriver's own method to clear a field.) */
  async fill(selector: string, text: string): Promise<void> {
    const field = `document.querySelector(${JSON.stringify(selector)})`;
    await until(
      `${selector} takes ${text}`,
      async () => {
        await this.evaluate(`(${field}.focus(), ${field}.select())`);
        await this.#press(...Array.from(text));
        // The page may process the keys late.
        return until('it is there', () => this.evaluate(`${field}.value === ${JSON.stringify(text)}`), {
          within: 3_000,
        });
      },
      { within: 30_000 },
    );
  }

  /** Presses Escape in the focused element. */
  escape(): Promise<void> {
    return this.#press(ESCAPE);
  }

  /** The page as a PNG. */
  async screenshot(): Promise<Buffer> {
    // Scrolling parts are painted after the rest.
    await this.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))');
    return Buffer.from(await call<string>('GET', `${this.#session}/screenshot`), 'base64');
  }

  /** Presses keys one after the other in the focused element. */
  async #press(...keys: string[]): Promise<void> {
    const actions = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async #find(selector: string): Promise<string> {
    const element = await this.#post<Record<string, string>>('/element', { using: 'css selector', value: selector });
    return element[ELEMENT] ?? '';
  }

  #post<T>(path: string, body: object): Promise<T> {
    return call<T>('POST', `${this.#session}${path}`, body);
  }
}

/** @throws with WebDriver's error code and message */
async function call<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(PATIENCE),
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value as T;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${error}: ${message}`);
}

export interface WebKit {
  /** Its storage is empty at first. */
  page: WebKitPage;
  readonly stop: () => Promise<void>;
}

/**
 * Opens a page of WebKit with its own driver and screen; retries once if the driver does not get a connection from the
 * browser that it has started. Works for root and other accounts, since MiniBrowser does not start a sandbox by itself.
 */
export function openWebKit(size: PageSize): Promise<WebKit> {
  return startWebKit(size).catch(() => startWebKit(size));
}

async function startWebKit(size: PageSize): Promise<WebKit> {
  const display = await startDisplay();
  // Its caches and settings must be deleted at the end, and those of the account that runs the tests must not be
  // changed.
  const home = mkdtempSync(join(tmpdir(), 'rmeet-webkit-'));
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: display.name,
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    GDK_BACKEND: 'x11',
  };
  const driver = spawn(DRIVER, [`--port=${port}`], { env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    await end(driver);
    // The browser ends with its display.
    await end(display.process);
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    await until('WebKitWebDriver answers', () => call('GET', `${url}/status`));
    return { page: await WebKitPage.open(url, size), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
