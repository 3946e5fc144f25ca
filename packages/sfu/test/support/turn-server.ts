import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, until } from '@rmeet/testkit';

const PROGRAM = '/usr/bin/turnserver';

/** Why there is no TURN server here; undefined if one can be started. */
export function turnServerMissing(): string | undefined {
  if (!existsSync(PROGRAM)) return 'coturn is not installed (on Debian: apt-get install coturn)';
  if (hostAddress() === undefined)
    return 'this machine has no IPv4 address but loopback, which coturn does not relay to';
  return undefined;
}

function hostAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .find((entry) => entry.family === 'IPv4' && !entry.internal)?.address;
}

export interface TurnServer {
  host: string;
  /** Of UDP and TCP. */
  port: number;
  tlsPort: number;
  secret: string;
  /** Allocations so far, as logged by coturn: `udp`, `tcp` or `tls` by the client's connection. */
  log(): string;
  stop(): Promise<void>;
}

function makeCertificate(host: string, key: string, certificate: string): void {
  const command = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=${host}`;
  execFileSync('openssl', [...command.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' });
}

/** Debian's coturn with time-limited credentials and a temporary certificate. */
export async function startTurnServer(secret = 'turn-secret'): Promise<TurnServer> {
  const host = hostAddress() ?? '127.0.0.1';
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-turn-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  makeCertificate(host, key, certificate);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const options = {
    'listening-ip': host,
    'relay-ip': host,
    'listening-port': String(port),
    'tls-listening-port': String(tlsPort),
    'static-auth-secret': secret,
    realm: 'rmeet.test',
    cert: certificate,
    pkey: key,
    'log-file': 'stdout',
    pidfile: join(folder, 'pid'),
    userdb: join(folder, 'db'),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn(PROGRAM, ['-n', '--use-auth-secret', '--no-cli', '--verbose', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const listens = async (on: number): Promise<boolean> => {
    const socket = connect(on, host);
    try {
      await once(socket, 'connect');
      return true;
    } finally {
      socket.destroy();
    }
  };
  try {
    await until('coturn listens', async () => (await listens(port)) && (await listens(tlsPort)));
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}\n${log}`, { cause: error });
  }
  return { host, port, tlsPort, secret, log: () => log, stop };
}
