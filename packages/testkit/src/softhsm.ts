import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentKey } from './certificate-agent.ts';
import type { Issued } from './certificate-authority.ts';

const run = promisify(execFile);
const MODULE = '/usr/lib/softhsm/libsofthsm2.so';
/** Debian's software token (softhsm2) with its tool (opensc); without them, its tests are skipped. */
export const SOFTHSM_SKIPPED =
  existsSync(MODULE) && existsSync('/usr/bin/pkcs11-tool') ? '' : ' (skipped: softhsm2 or opensc is missing)';
const PIN = '482913';

export interface SoftHsm {
  /** Moves an RSA key into the token; from then on it signs there, by PKCS #11. */
  hold(name: string, issued: Issued): Promise<AgentKey>;
  remove(): Promise<void>;
}

/** A token with a PIN, as key devices (UKey) are. */
export async function startSoftHsm(): Promise<SoftHsm> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-hsm-'));
  await mkdir(join(folder, 'tokens'));
  await writeFile(join(folder, 'softhsm2.conf'), `directories.tokendir = ${join(folder, 'tokens')}\n`);
  const options = { cwd: folder, env: { ...process.env, SOFTHSM2_CONF: join(folder, 'softhsm2.conf') } };
  await run('softhsm2-util', ['--init-token', '--free', '--label', 'rmeet', '--so-pin', PIN, '--pin', PIN], options);
  let keys = 0;
  return {
    async hold(name, { keyFile, der }) {
      keys += 1;
      const id = String(keys).padStart(2, '0');
      await run('openssl', ['pkcs8', '-topk8', '-nocrypt', '-in', keyFile, '-out', 'key.p8'], options);
      await run(
        'softhsm2-util',
        ['--import', 'key.p8', '--token', 'rmeet', '--label', `key ${id}`, '--id', id, '--pin', PIN],
        options,
      );
      await rm(join(folder, 'key.p8'));
      return {
        name,
        async sign(text) {
          await writeFile(join(folder, 'text'), text);
          await run(
            'pkcs11-tool',
            [
              ['--module', MODULE, '--token-label', 'rmeet', '--login', '--pin', PIN, '--id', id],
              ['--sign', '--mechanism', 'SHA256-RSA-PKCS', '--input-file', 'text', '--output-file', 'signature'],
            ].flat(),
            options,
          );
          const signature = (await readFile(join(folder, 'signature'))).toString('base64');
          return { certificate: der, chain: [], algorithm: 'RS256', signature };
        },
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
