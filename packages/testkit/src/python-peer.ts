import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from './wait.ts';

/** The release of the SDK, from PyPI. */
export const PYTHON_SDK_VERSION = '1.2.1';
/** A virtual environment outside the clone, made by tools/python-sdk.ts. */
export const PYTHON_SDK_FOLDER = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  `rmeet-livekit-python-${PYTHON_SDK_VERSION}`,
);
const PYTHON = join(PYTHON_SDK_FOLDER, 'bin', 'python');
/** Written as the last step of the installation. */
export const PYTHON_SDK_INSTALLED = join(PYTHON_SDK_FOLDER, 'installed');
const PEER = join(import.meta.dirname, '..', 'python', 'peer.py');

/** Why LiveKit's Python SDK cannot be used here; undefined if it can. */
export function pythonSdkMissing(): string | undefined {
  return existsSync(PYTHON_SDK_INSTALLED)
    ? undefined
    : `LiveKit's Python SDK is not installed (npm run test:matrix installs it into ${PYTHON_SDK_FOLDER})`;
}

interface Report {
  /** By `<identity> <audio|video>`; `level` is the mean of the samples' absolute values, or the picture's width. */
  received: Record<string, { frames: number; level: number }>;
  /** `<sender> <topic> <text>` */
  messages: string[];
}

/** A participant by LiveKit's Python SDK, in its own process. */
export class PythonPeer {
  readonly #child: ChildProcess;
  #report: Report | undefined;
  #errors = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    createInterface({ input: child.stdout! }).on('line', (line) => {
      this.#report = JSON.parse(line) as Report;
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4_000);
    });
  }

  /**
   * Joins; `single` selects one peer connection for both directions, otherwise there are two.
   *
   * @throws Error with the SDK's messages if it does not connect
   */
  static async join(url: string, token: string, { single }: { single: boolean }): Promise<PythonPeer> {
    const child = spawn(PYTHON, [PEER, JSON.stringify({ url, token, single })], { stdio: 'pipe' });
    const peer = new PythonPeer(child);
    try {
      await until('the Python SDK is connected', () => peer.#report !== undefined || child.exitCode !== null);
      if (child.exitCode !== null) throw new Error(`the Python SDK ended with code ${child.exitCode}`);
      return peer;
    } catch (error) {
      child.kill('SIGKILL');
      throw new Error(`${String(error)}\n${peer.#errors}`, { cause: error });
    }
  }

  get messages(): readonly string[] {
    return this.#report?.messages ?? [];
  }

  /** A subscribed track, by `<identity> <audio|video>`. */
  received(key: string): { frames: number; level: number } | undefined {
    return this.#report?.received[key];
  }

  /** Publishes a tone of 440 Hz and a moving picture of 320 x 180. */
  publish(): void {
    this.#order({ do: 'publish' });
  }

  say(text: string, options: { reliable: boolean; topic: string }): void {
    this.#order({ do: 'say', text, ...options });
  }

  async leave(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.stdin!.end();
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await exit;
    clearTimeout(late);
  }

  #order(command: object): void {
    this.#child.stdin!.write(`${JSON.stringify(command)}\n`);
  }
}
