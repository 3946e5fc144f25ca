import { fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@rmeet/testkit';
import { livekitServer } from '../../tools/livekit.ts';
import type { ServedBy } from './load.ts';
import { nextMessage, stopped } from './process.ts';

/** A media engine in its own process. */
export interface RunningEngine {
  pid: number;
  /** Its media port, if it has only one. */
  udpPort?: number;
  /** How the load generator connects to it. */
  served: ServedBy;
  stop(): Promise<void>;
}

export const API_KEY = 'bench';
export const API_SECRET = 'a secret of the benchmark, 32 bytes or more';

/**
 * The address for the media of all engines: one address of one family, because otherwise the comparison would be
 * between IPv4 and IPv6 (Janus offers only IPv4).
 */
const ADDRESS =
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

interface RmeetOptions {
  /** Default: what the engine chooses. */
  transport?: 'native' | 'datachannel';
  execArgv?: readonly string[];
}

/** packages/sfu alone in its process. */
export async function startRmeet({ transport, execArgv = [] }: RmeetOptions = {}): Promise<RunningEngine> {
  const child = fork(join(import.meta.dirname, 'rmeet.ts'), {
    env: { ...process.env, API_KEY, API_SECRET, ADDRESS, ...(transport && { TRANSPORT: transport }) },
    execArgv: [...process.execArgv, ...execArgv],
  });
  const { port, udpPort } = await nextMessage<{ port: number; udpPort: number }>(child);
  return {
    pid: child.pid!,
    udpPort,
    served: { by: 'rmeet', url: `ws://127.0.0.1:${port}`, apiKey: API_KEY, apiSecret: API_SECRET },
    stop: () => stopped(child),
  };
}

/** Why LiveKit cannot run here, in one sentence; undefined if it can. */
export function livekitMissing(): string | undefined {
  const binary = livekitServer();
  return binary.path === undefined ? binary.reason : undefined;
}

/** LiveKit's own server, one node, one UDP port, congestion control and everything else as by default. */
export async function startLiveKit(): Promise<RunningEngine> {
  const binary = livekitServer();
  if (binary.path === undefined) throw new Error(binary.reason);
  const [port, tcp, udp] = [await freePort(), await freePort(), await freePort()];
  const config = [
    `port: ${port}`,
    'bind_addresses: ["127.0.0.1"]',
    `rtc: {tcp_port: ${tcp}, udp_port: ${udp}, use_external_ip: false, ips: {includes: [${ADDRESS}/32]}}`,
    `keys: {${API_KEY}: "${API_SECRET}"}`,
    'logging: {level: error}',
  ].join('\n');
  const child = spawn(binary.path, ['--config-body', config], { stdio: 'ignore' });
  try {
    await until('LiveKit answers', async () => (await fetch(`http://127.0.0.1:${port}/`)).ok, { within: 30_000 });
  } catch (error) {
    await stopped(child);
    throw error;
  }
  return {
    pid: child.pid!,
    udpPort: udp,
    served: { by: 'livekit', url: `ws://127.0.0.1:${port}`, apiKey: API_KEY, apiSecret: API_SECRET },
    stop: () => stopped(child),
  };
}

const JANUS = '/usr/lib/x86_64-linux-gnu/janus';

/** Why Janus cannot run here, in one sentence; undefined if it can. */
export function janusMissing(): string | undefined {
  return existsSync('/usr/bin/janus')
    ? undefined
    : 'Install the Debian package janus to compare with it: apt-get install janus.';
}

/** Debian's Janus with the VideoRoom plugin and the WebSocket transport; no other plugins. */
export async function startJanus(): Promise<RunningEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'rmeet-janus-'));
  const port = await freePort();
  const others = (kind: string, kept: string): string =>
    existsSync(join(JANUS, kind))
      ? readdirSync(join(JANUS, kind))
          .filter((file) => file.endsWith('.so') && file !== kept)
          .join(',')
      : '';
  writeFileSync(
    join(folder, 'janus.jcfg'),
    `
general: {
  configs_folder = "${folder}"
  plugins_folder = "${JANUS}/plugins"
  transports_folder = "${JANUS}/transports"
  debug_level = 2
}
plugins: { disable = "${others('plugins', 'libjanus_videoroom.so')}" }
transports: { disable = "${others('transports', 'libjanus_websockets.so')}" }
media: { no_media_timer = 10 }
`,
  );
  writeFileSync(
    join(folder, 'janus.transport.websockets.jcfg'),
    `general: { ws = true, ws_port = ${port}, ws_interface = "lo", wss = false }\n`,
  );
  writeFileSync(join(folder, 'janus.plugin.videoroom.jcfg'), 'general: {}\n');
  const child = spawn('janus', ['-F', folder, '-C', join(folder, 'janus.jcfg'), '-N'], { stdio: 'ignore' });
  const stop = async (): Promise<void> => {
    await stopped(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(
      'Janus takes connections',
      () =>
        new Promise<boolean>((resolve) => {
          const socket = new WebSocket(`ws://127.0.0.1:${port}`, 'janus-protocol');
          socket.addEventListener('open', () => {
            socket.close();
            resolve(true);
          });
          socket.addEventListener('error', () => resolve(false));
        }),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid!, served: { by: 'janus', url: `ws://127.0.0.1:${port}` }, stop };
}
