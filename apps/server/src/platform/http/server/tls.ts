import { X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { writeDurably } from '../../durable/index.ts';

export interface TlsPair {
  cert: string;
  key: string;
}

const DAYS = 365;
const RENEW_BEFORE = 30 * 86_400_000;

/**
 * Reads the pair at these paths. Throws a readable message if a file cannot be read or the two do not belong together.
 */
export async function readTlsPair(certFile: string, keyFile: string): Promise<TlsPair> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return { cert, key };
}

async function keptPair(folder: string): Promise<TlsPair | undefined> {
  try {
    const pair = await readTlsPair(join(folder, 'cert.pem'), join(folder, 'key.pem'));
    const validTo = new X509Certificate(pair.cert).validToDate.getTime();
    return validTo - Date.now() > RENEW_BEFORE ? pair : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The installation's self-signed pair, kept in `<data>/tls` and renewed a month before it expires. */
export async function selfSignedPair(dataFolder: string, host: string): Promise<TlsPair> {
  const folder = join(dataFolder, 'tls');
  const kept = await keptPair(folder);
  if (kept) return kept;
  // Loaded on demand: it would add a sixth of a second to every start.
  const { generate } = await import('selfsigned');
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address.split('%')[0] ?? address);
  const isAddress = /^[\d.]+$|:/.test(host);
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Rmeet' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + DAYS * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          ...(isAddress ? [] : [{ type: 2 as const, value: host }]),
          ...[...new Set(addresses)].map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  writeDurably(join(folder, 'key.pem'), key);
  writeDurably(join(folder, 'cert.pem'), cert);
  return { cert, key };
}
