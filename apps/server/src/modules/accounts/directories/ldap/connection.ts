import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { DirectorySettings } from '@rmeet/contract';
import { Client } from 'ldapts';
import { beginTls, connectOutside, hostOf, isNamedIn } from '../../../../platform/outbound/index.ts';
import { mayBeAt } from './address.ts';
import { DirectoryFailure, failureOf } from './problem.ts';

/** Where a directory is, and whom one signs in as to search it. */
export interface DirectoryAddress extends Pick<DirectorySettings, 'address' | 'startTls' | 'certificates' | 'bindDn'> {
  password: string;
}

const CONNECT_WITHIN = 5_000;
const MEGABYTE = 1_048_576;
/** What a directory may send between two requests of ours: a page of people. */
const BYTES = 64 * MEGABYTE;

/** ExtendedRequest 1.3.6.1.4.1.1466.20037 as the first message of a connection (RFC 4511, sections 4.12 and 4.14). */
const START_TLS = Buffer.concat([
  Buffer.from('301d02010177188016', 'hex'),
  Buffer.from('1.3.6.1.4.1.1466.20037', 'ascii'),
]);
const RESPONSE = /^30(?:([0-7].)|81(..)|82(....))02010178(?:[0-7].|81..|82....)0a0100/;

/**
 * Asks for TLS and reads the answer, which must be exactly one message: whatever follows it was not encrypted, and
 * would be taken for an answer later.
 */
async function askForTls(socket: Socket): Promise<void> {
  socket.write(START_TLS);
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(CONNECT_WITHIN) })) as [Buffer];
  socket.pause();
  const [head, short, one, two] = RESPONSE.exec(answer.subarray(0, 32).toString('hex')) ?? [];
  const lengthBytes = 2 + (one ? 1 : 0) + (two ? 2 : 0);
  const length = parseInt(short ?? one ?? two ?? '', 16);
  if (!head || answer.length !== lengthBytes + length) throw new DirectoryFailure('START_TLS_REFUSED');
}

/** Ends the connection when the directory sends more than it should. */
function limitAnswers(socket: Socket): void {
  let received = 0;
  socket.on('data', (data: Buffer) => {
    received += data.length;
    if (received > BYTES) socket.destroy(new DirectoryFailure('ANSWER_TOO_LONG'));
  });
  const write = socket.write.bind(socket);
  socket.write = ((...args: Parameters<typeof write>) => {
    received = 0;
    return write(...args);
  }) as typeof socket.write;
}

async function openSocket(
  { address, startTls, certificates }: DirectoryAddress,
  hosts: readonly string[],
): Promise<Socket> {
  mayBeAt(address, startTls, hosts);
  const url = new URL(address);
  const isTrusted = isNamedIn(hosts, address);
  const isTls = url.protocol === 'ldaps:';
  const host = hostOf(address);
  const socket = await connectOutside(
    { host, port: Number(url.port) || (isTls ? 636 : 389), isTrusted },
    CONNECT_WITHIN,
  );
  try {
    if (!isTls && startTls) await askForTls(socket);
    if (!isTls && !startTls) return socket;
    return await beginTls(socket, { host, certificates: certificates || undefined }, CONNECT_WITHIN);
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

/**
 * Binds as a DN, or a name that Active Directory knows. An empty password never gets there: the directory would sign in
 * nobody and say that it succeeded (RFC 4513, section 5.1.2). Throws the errors of ldapts.
 */
export async function bindAs(client: Client, dn: string, password: string): Promise<void> {
  if (password === '' || !/[=@\\]/.test(dn)) throw new DirectoryFailure('BIND_REFUSED');
  await client.bind(dn, password);
}

/**
 * Connects to a directory, and signs in as the account that searches. Every answer must come within `within` ms.
 *
 * @throws DirectoryFailure
 */
export async function connectTo(
  address: DirectoryAddress,
  hosts: readonly string[],
  within: number,
): Promise<{ client: Client; isEncrypted: boolean }> {
  let client: Client | undefined;
  try {
    const socket = await openSocket(address, hosts);
    limitAnswers(socket);
    let isUsed = false;
    client = new Client({
      // Never resolved: the connection is given.
      url: 'ldap://directory.invalid',
      timeout: within,
      connectTimeout: CONNECT_WITHIN,
      createConnection: () => {
        // One that is lost is not opened again, where nobody would be signed in.
        if (isUsed) throw new DirectoryFailure('UNREACHABLE');
        isUsed = true;
        return socket;
      },
    });
    await bindAs(client, address.bindDn, address.password);
    return { client, isEncrypted: 'encrypted' in socket };
  } catch (error) {
    await client?.unbind().catch(() => undefined);
    throw failureOf(error);
  }
}
