import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HOUR = 3_600_000;

/** The kinds of keys that openssl makes here. */
export type TestKey = 'RSA' | 'RSA-1024' | 'P-256' | 'P-384' | 'P-521' | 'SM2';
const KEY_ARGUMENTS: Record<TestKey, string[]> = {
  RSA: ['genrsa', '-traditional', '2048'],
  'RSA-1024': ['genrsa', '-traditional', '1024'],
  'P-256': ['ecparam', '-name', 'prime256v1', '-genkey', '-noout'],
  'P-384': ['ecparam', '-name', 'secp384r1', '-genkey', '-noout'],
  'P-521': ['ecparam', '-name', 'secp521r1', '-genkey', '-noout'],
  SM2: ['ecparam', '-name', 'SM2', '-genkey', '-noout'],
};
/** The identity of signers with SM2 (GM/T 0009). */
const DISTID = 'distid:1234567812345678';

export interface Wanted {
  /** As openssl writes it: `/O=North/CN=alice`. */
  subject: string;
  key?: TestKey;
  /** Lines of an extension section of openssl; default: a certificate for signing in. */
  extensions?: readonly string[];
  /** Milliseconds from now; default: from an hour ago for thirty days. */
  from?: number;
  until?: number;
}

/** A certificate with its key. */
export interface Issued {
  /** PEM. */
  certificate: string;
  key: string;
  /** Base64 of DER. */
  der: string;
  certificateFile: string;
  keyFile: string;
}

export const FOR_CLIENTS = [
  'basicConstraints=critical,CA:FALSE',
  'keyUsage=critical,digitalSignature',
  'extendedKeyUsage=clientAuth',
  'subjectKeyIdentifier=hash',
  'authorityKeyIdentifier=keyid',
];
export const FOR_AUTHORITIES = [
  'basicConstraints=critical,CA:TRUE',
  'keyUsage=critical,keyCertSign,cRLSign',
  'subjectKeyIdentifier=hash',
];

/** Runs openssl in a folder; arguments may be grouped. */
const openssl = async (folder: string, ...args: (string | readonly string[])[]): Promise<void> => {
  await run('openssl', args.flat(), { cwd: folder });
};
/** A time as openssl takes it: `20261120090000Z`. */
const timeOf = (time: Date): string => `${time.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
const derOfPem = (pem: string): string =>
  (/-----BEGIN CERTIFICATE-----([^-]+)-----END/.exec(pem)?.[1] ?? '').replace(/\s+/g, '');

const CONFIG = `
[ca]
default_ca = own
[own]
dir = .
database = index.txt
new_certs_dir = .
serial = serial
crlnumber = crlnumber
unique_subject = no
policy = any
default_days = 30
default_crl_days = 30
email_in_dn = yes
[any]
commonName = optional
`;

/** A certificate authority, run by openssl in a folder of its own. */
export class TestAuthority {
  readonly #folder: string;
  readonly #key: TestKey;
  readonly self: Issued;

  private constructor(folder: string, key: TestKey, self: Issued) {
    this.#folder = folder;
    this.#key = key;
    this.self = self;
  }

  /** A root. */
  static async create(wanted: Wanted): Promise<TestAuthority> {
    const { folder, key } = await prepare(wanted);
    const self = await issue(folder, key, { extensions: FOR_AUTHORITIES, ...wanted }, 'ca');
    return new TestAuthority(folder, key, self);
  }

  /** An authority below this one. */
  async below(wanted: Wanted): Promise<TestAuthority> {
    const { folder, key } = await prepare(wanted);
    const extensions = [...FOR_AUTHORITIES, 'authorityKeyIdentifier=keyid'];
    const self = await this.issue({ extensions, ...wanted });
    await writeFile(join(folder, 'ca.crt'), self.certificate);
    await writeFile(join(folder, 'ca.key'), self.key);
    return new TestAuthority(folder, key, self);
  }

  issue(wanted: Wanted): Promise<Issued> {
    return issue(this.#folder, this.#key, wanted, randomBytes(6).toString('hex'));
  }

  async revoke({ certificateFile }: Issued): Promise<void> {
    await openssl(this.#folder, 'ca', '-config', 'ca.cnf', signer(this.#key), '-revoke', certificateFile);
  }

  /** The revocation list, DER; `from` and `until` in ms from now, by default of today for a day. */
  async list({ from = -HOUR, until = 24 * HOUR }: { from?: number; until?: number } = {}): Promise<Buffer> {
    const [start, end] = [from, until].map((time) => timeOf(new Date(Date.now() + time)));
    await openssl(
      this.#folder,
      ['ca', '-config', 'ca.cnf', ...signer(this.#key), '-gencrl', '-out', 'list.pem'],
      ['-crl_lastupdate', start ?? '', '-crl_nextupdate', end ?? ''],
    );
    await openssl(this.#folder, 'crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.crl');
    return readFile(join(this.#folder, 'list.crl'));
  }

  /** A PKCS #12 file. `options`: further arguments of `openssl pkcs12 -export`, such as older encryption. */
  async pack(
    { certificateFile, keyFile }: Pick<Issued, 'certificateFile' | 'keyFile'>,
    password: string,
    options: readonly string[] = [],
  ): Promise<Buffer> {
    const out = join(this.#folder, `${randomBytes(6).toString('hex')}.p12`);
    await openssl(
      this.#folder,
      ['pkcs12', '-export', '-in', certificateFile, '-inkey', keyFile, '-certfile', 'ca.crt'],
      ['-out', out, '-passout', `pass:${password}`, ...options],
    );
    return readFile(out);
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function prepare({ key = 'P-256' }: Wanted): Promise<{ folder: string; key: TestKey }> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-ca-'));
  await writeFile(join(folder, 'ca.cnf'), CONFIG);
  await writeFile(join(folder, 'index.txt'), '');
  await writeFile(join(folder, 'serial'), `${randomBytes(8).toString('hex').replace(/^./, '1')}\n`);
  await writeFile(join(folder, 'crlnumber'), '01\n');
  return { folder, key };
}

/** How an authority signs; `isSelf`: its own certificate. */
function signer(key: TestKey, isSelf = false): string[] {
  const own = isSelf ? ['-selfsign'] : ['-cert', 'ca.crt'];
  const digest = key === 'SM2' ? ['-md', 'sm3', '-sigopt', DISTID] : ['-md', 'sha256'];
  return [...own, '-keyfile', 'ca.key', ...digest];
}

/** Makes a key, and a request for a certificate with it; both are files. */
async function request(folder: string, { subject, key = 'P-256' }: Wanted, name: string) {
  const [keyFile, requestFile] = [join(folder, `${name}.key`), join(folder, `${name}.csr`)];
  // The size comes last (genrsa).
  const [kind = '', ...rest] = KEY_ARGUMENTS[key];
  await openssl(folder, kind, '-out', keyFile, rest);
  await openssl(
    folder,
    ['req', '-new', '-utf8', '-config', 'ca.cnf', '-key', keyFile, '-subj', subject, '-out', requestFile],
    key === 'SM2' ? ['-sm3', '-sigopt', DISTID] : '-sha256',
  );
  return { keyFile, requestFile };
}

/** Issues a certificate; `name` `ca`: that of the authority itself. */
async function issue(folder: string, authority: TestKey, wanted: Wanted, name: string): Promise<Issued> {
  const { key, extensions = FOR_CLIENTS, from = -HOUR, until = 720 * HOUR } = wanted;
  const { keyFile, requestFile } = await request(folder, wanted, name);
  const certificateFile = join(folder, `${name}.crt`);
  const section = join(folder, `${name}.ext`);
  await writeFile(section, ['[own]', ...extensions].join('\n'));
  const [start, end] = [from, until].map((time) => timeOf(new Date(Date.now() + time)));
  await openssl(
    folder,
    ['ca', '-batch', '-config', 'ca.cnf', '-preserveDN', '-notext', '-in', requestFile, '-out', certificateFile],
    signer(authority, name === 'ca'),
    key === 'SM2' ? ['-vfyopt', DISTID] : [],
    ['-startdate', start ?? '', '-enddate', end ?? '', '-extfile', section, '-extensions', 'own'],
  );
  const [certificate, privateKey] = [await readFile(certificateFile, 'utf8'), await readFile(keyFile, 'utf8')];
  return { certificate, key: privateKey, der: derOfPem(certificate), certificateFile, keyFile };
}
