import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { until } from '@rmeet/testkit';
import type { Machine } from './machine.ts';

/** Let's Encrypt's own ACME server for tests. */
const MODULE = 'github.com/letsencrypt/pebble/v2';
const VERSION = 'v2.8.0';
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'rmeet-install');

/** @throws Error if there is no Go to build it */
function pebble(): string {
  const binary = join(CACHE, 'bin', 'pebble');
  if (existsSync(binary)) return binary;
  const { status, stderr } = spawnSync('go', ['install', `${MODULE}/cmd/pebble@${VERSION}`], {
    env: { ...process.env, GOBIN: join(CACHE, 'bin') },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`pebble could not be built: ${stderr}`);
  return binary;
}

/**
 * A certificate authority that uses ACME, like Let's Encrypt. It accepts every name from every caller, because it
 * cannot resolve it here.
 */
export async function startAuthority(machine: Machine): Promise<{ directory: string; stop: () => void }> {
  const binary = pebble();
  const folder = join(machine.folder, 'etc');
  machine.run(
    'openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=pebble -addext subjectAltName=DNS:localhost ' +
      '-keyout /etc/pebble.key -out /etc/pebble.pem',
  );
  const config = join(folder, 'pebble.json');
  writeFileSync(
    config,
    JSON.stringify({
      pebble: {
        listenAddress: '127.0.0.1:14000',
        managementListenAddress: '127.0.0.1:15000',
        certificate: join(folder, 'pebble.pem'),
        privateKey: join(folder, 'pebble.key'),
        httpPort: 80,
        tlsPort: 443,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      },
    }),
  );
  const child = spawn(binary, ['-config', config], {
    env: { ...process.env, PEBBLE_VA_ALWAYS_VALID: '1', PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
    stdio: 'ignore',
  });
  await until(
    'the authority listens',
    () => machine.run("node --eval \"require('net').connect(14000, '127.0.0.1', () => process.exit(0))\"") === '',
    { within: 15_000 },
  );
  return {
    directory: 'https://localhost:14000/dir',
    stop: () => {
      child.kill();
    },
  };
}
