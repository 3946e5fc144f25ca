import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isListening } from './port.ts';
import { until } from './wait.ts';

const PROGRAM = '/usr/sbin/slapd';
/** Debian's LDAP server (package slapd, with ldap-utils); without it the tests of directories are skipped. */
export const SLAPD_SKIPPED =
  existsSync(PROGRAM) && existsSync('/usr/bin/ldapmodify') ? '' : ' (skipped: slapd or ldap-utils is missing)';

export const SLAPD_SUFFIX = 'dc=example,dc=org';
export const SLAPD_ADMIN = { dn: `cn=rmeet,${SLAPD_SUFFIX}`, password: 'Search-Secret-1' };
const PEOPLE = `ou=people,${SLAPD_SUFFIX}`;

export interface Slapd {
  /** Plain, and StartTLS. */
  ldap: string;
  ldaps: string;
  ports: { ldap: number; ldaps: number };
  /** The certificate authority, PEM. The server's certificate is for `127.0.0.1` and `localhost` alone. */
  certificate: string;
  /** Changes entries by LDIF with change types, as the administrator. */
  change(ldif: string): void;
  /** What it logged: connections, binds and searches. */
  log(): string;
  /** Ends it; its data stays. */
  away(): Promise<void>;
  back(): Promise<void>;
  remove(): Promise<void>;
}

const ORGANISATION = `dn: ${SLAPD_SUFFIX}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ${PEOPLE}
objectClass: organizationalUnit
ou: people

dn: ou=groups,${SLAPD_SUFFIX}
objectClass: organizationalUnit
ou: groups

dn: cn=policy,${SLAPD_SUFFIX}
objectClass: organizationalRole
objectClass: pwdPolicy
cn: policy
pwdAttribute: userPassword
pwdCheckQuality: 2
pwdMinLength: 10
pwdMustChange: TRUE
pwdAllowUserChange: TRUE
`;

const CONFIG = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/nis.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${folder}/slapd.pid
argsfile ${folder}/slapd.args
modulepath /usr/lib/ldap
moduleload back_mdb
moduleload ppolicy
loglevel stats
sizelimit size.soft=1000 size.hard=unlimited size.pr=1000 size.prtotal=unlimited
TLSCACertificateFile ${folder}/ca.pem
TLSCertificateFile ${folder}/server.pem
TLSCertificateKeyFile ${folder}/server.key
database mdb
maxsize 2147483648
suffix "${SLAPD_SUFFIX}"
rootdn "${SLAPD_ADMIN.dn}"
rootpw ${SLAPD_ADMIN.password}
directory ${folder}/data
dbnosync
index objectClass,uid,entryUUID,mail,member eq
limits dn.exact="${SLAPD_ADMIN.dn}" size=unlimited
access to attrs=userPassword by self write by anonymous auth by * none
access to * by * read
overlay ppolicy
ppolicy_default "cn=policy,${SLAPD_SUFFIX}"
`;

function openssl(folder: string, args: readonly string[]): void {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
}

/**
 * A certificate authority and a certificate of this machine, for `127.0.0.1` and `localhost`: `ca.pem`, `server.pem`,
 * `server.key` in the folder.
 */
export function makeCertificates(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = join(folder, 'names');
  writeFileSync(names, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  openssl(folder, ['req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority']);
  openssl(folder, ['req', ...key.slice(0, 5), '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost']);
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', names];
  openssl(folder, ['x509', '-req', '-in', 'server.csr', ...by, '-out', 'server.pem']);
}

/** An entry of a person in LDIF; the password is `<uid>-Password-1`. `unit` names an organisational unit. */
export function ldifPerson(uid: string, more: Record<string, string> = {}, unit = ''): string {
  const { cn = uid, ...others } = more;
  const values = Object.entries(others).map(([name, value]) => `${name}: ${value}\n`);
  return (
    `dn: ${slapdPerson(uid, unit)}\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${cn}\nsn: ${cn}\n` +
    `userPassword: ${uid}-Password-1\n${values.join('')}\n`
  );
}

export const slapdPerson = (uid: string, unit = ''): string =>
  `uid=${uid},${unit === '' ? '' : `ou=${unit},`}${PEOPLE}`;

/** Starts slapd on 127.0.0.1 with these entries; `ldif` may be a file. */
// oxlint-disable-next-line max-lines-per-function -- what the returned methods share
export async function startSlapd(ldif: string | { file: string }): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'slapd-'));
  mkdirSync(join(folder, 'data'));
  makeCertificates(folder);
  const config = join(folder, 'slapd.conf');
  writeFileSync(config, CONFIG(folder));
  writeFileSync(join(folder, 'seed.ldif'), `${ORGANISATION}\n${typeof ldif === 'string' ? ldif : ''}`);
  const files = [join(folder, 'seed.ldif'), ...(typeof ldif === 'string' ? [] : [ldif.file])];
  for (const file of files)
    execFileSync('/usr/sbin/slapadd', ['-q', '-f', config, '-l', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ports = { ldap: await freePort(), ldaps: await freePort() };
  const [ldap, ldaps] = [`ldap://127.0.0.1:${ports.ldap}`, `ldaps://127.0.0.1:${ports.ldaps}`];
  let output = '';
  let program: ChildProcess | undefined;

  async function back(): Promise<void> {
    program = spawn(PROGRAM, ['-f', config, '-h', `${ldap} ${ldaps}`, '-d', 'stats'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    program.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until('slapd listens', async () => (await isListening(ports.ldap)) && isListening(ports.ldaps));
  }
  async function away(): Promise<void> {
    if (!program || program.exitCode !== null) return;
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    await ended;
  }

  await back();
  return {
    ldap,
    ldaps,
    ports,
    certificate: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    change(entries) {
      const { status, stderr } = spawnSync(
        'ldapmodify',
        ['-x', '-H', ldap, '-D', SLAPD_ADMIN.dn, '-w', SLAPD_ADMIN.password, '-M'],
        { input: entries, encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(`ldapmodify: ${stderr}`);
    },
    log: () => output,
    away,
    back,
    async remove() {
      await away();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
