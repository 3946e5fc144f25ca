import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isListening } from './port.ts';
import { makeCertificates } from './slapd.ts';
import { until } from './wait.ts';

const PROGRAM = '/usr/sbin/samba';
const PORTS = [389, 636];
const ADMIN_PASSWORD = 'Admin-Password-1';

/** An Active Directory domain controller. */
export interface Samba {
  ldaps: string;
  suffix: string;
  /** PEM of the authority of its certificate. */
  certificate: string;
  admin: { dn: string; password: string };
  /** Runs `samba-tool` on its database. */
  tool: (...args: readonly string[]) => void;
  remove(): Promise<void>;
}

/** Why Samba cannot run here; null if it can. Its LDAP ports cannot be chosen. */
export async function sambaMissing(): Promise<string | null> {
  if (!existsSync(PROGRAM) || !existsSync('/usr/share/samba/setup'))
    return 'samba-ad-dc and samba-ad-provision are missing';
  if (process.getuid?.() !== 0) return 'it needs root';
  for (const port of PORTS) if (await isListening(port)) return `port ${port} is in use`;
  return null;
}

/** Provisions and starts a domain `example.org` on 127.0.0.1; only its LDAP service. */
export async function startSamba(): Promise<Samba> {
  const folder = mkdtempSync(join(tmpdir(), 'samba-'));
  makeCertificates(folder);
  chmodSync(join(folder, 'server.key'), 0o600);
  const own = ['interfaces = lo', 'bind interfaces only = yes'];
  execFileSync(
    'samba-tool',
    [
      ['domain', 'provision', `--targetdir=${folder}`, '--realm=EXAMPLE.ORG', '--domain=EXAMPLE'],
      ['--server-role=dc', '--dns-backend=NONE', `--adminpass=${ADMIN_PASSWORD}`],
      own.map((option) => `--option=${option}`),
    ].flat(),
    { stdio: 'pipe' },
  );
  const config = join(folder, 'etc', 'smb.conf');
  const services = [
    'server services = ldap',
    `log file = ${folder}/log`,
    `tls cafile = ${folder}/ca.pem`,
    `tls certfile = ${folder}/server.pem`,
    `tls keyfile = ${folder}/server.key`,
  ];
  const text = readFileSync(config, 'utf8').replaceAll(/^\s*(server services|log file) =.*\n/gm, '');
  writeFileSync(config, text.replace('[global]', `[global]\n\t${services.join('\n\t')}`));
  const database = join(folder, 'private', 'sam.ldb');
  const tool = (...args: readonly string[]): void => {
    execFileSync('samba-tool', [...args, '-H', database, '-s', config], { stdio: 'pipe' });
  };
  const program: ChildProcess = spawn(PROGRAM, ['-i', '-M', 'single', '-s', config], { stdio: 'ignore' });
  await until('Samba listens', () => isListening(636), { within: 60_000 });
  const suffix = 'DC=example,DC=org';
  return {
    ldaps: 'ldaps://127.0.0.1',
    suffix,
    certificate: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    admin: { dn: `CN=Administrator,CN=Users,${suffix}`, password: ADMIN_PASSWORD },
    tool,
    async remove() {
      const ended = once(program, 'exit');
      program.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
