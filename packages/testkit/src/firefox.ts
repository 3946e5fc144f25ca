import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firefox, type Browser } from '@playwright/test';
import { until } from './wait.ts';

/** Debian's path; RMEET_TEST_FIREFOX sets another one. */
const FIREFOX = '/usr/bin/firefox-esr';
/** Without a sound server, Firefox neither records nor plays audio on a machine without a sound card. */
const PULSEAUDIO = '/usr/bin/pulseaudio';

const preferences = {
  // Pages play without a click, as in the Chromium of the tests.
  'media.autoplay.default': 0,
  'media.navigator.permission.disabled': true,
  'media.navigator.streams.fake': true,
  // Nothing is downloaded, especially not Cisco's H.264.
  'media.gmp-manager.updateEnabled': false,
};

/** Why scenarios cannot run in Firefox here; null if they can. */
export function firefoxMissing(): string | null {
  const missing = [process.env['RMEET_TEST_FIREFOX'] ?? FIREFOX, PULSEAUDIO].filter((path) => !existsSync(path));
  return missing.length === 0
    ? null
    : `There is no ${missing.join(' and no ')} (on Debian: apt-get install firefox-esr pulseaudio).`;
}

/**
 * Firefox, headless, controlled by WebDriver BiDi, with a sound server that ends with it. Throws if either is missing.
 */
export async function launchFirefox(): Promise<Browser> {
  const missing = firefoxMissing();
  if (missing !== null) throw new Error(missing);
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-firefox-'));
  const socket = join(folder, 'sound');
  const soundServer = await startSoundServer(folder, socket);
  const end = (): void => {
    soundServer.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const browser = await firefox.launch({
      channel: 'moz-firefox',
      executablePath: join(import.meta.dirname, 'firefox-relay.ts'),
      env: {
        ...process.env,
        RMEET_FIREFOX: process.env['RMEET_TEST_FIREFOX'] ?? FIREFOX,
        PULSE_SERVER: `unix:${socket}`,
      },
      firefoxUserPrefs: preferences,
    });
    browser.on('disconnected', end);
    return browser;
  } catch (error) {
    end();
    throw error;
  }
}

/** A separate sound server without an output device. */
async function startSoundServer(folder: string, socket: string): Promise<ChildProcess> {
  const args = [
    '-n',
    '--daemonize=no',
    '--use-pid-file=no',
    '--exit-idle-time=-1',
    '--log-level=error',
    '-L',
    'module-null-sink',
    '-L',
    `module-native-protocol-unix socket=${socket} auth-anonymous=1`,
  ];
  const server = spawn(PULSEAUDIO, args, {
    env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder },
    stdio: 'ignore',
  });
  await until('the sound server is there', () => {
    if (server.exitCode !== null) throw new Error(`it ended with code ${server.exitCode}`);
    return existsSync(socket);
  });
  return server;
}
