import { execFileSync, spawn } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memory } from '../../src/transport/native/arena.ts';
import { DtlsSession, type SrtpKeying } from '../../src/transport/native/dtls.ts';
import { needNative } from '../support/native.ts';
import { deliver, dtlsLink, sharedContext } from './dtls-link.ts';

beforeEach(needNative);

const links: ReturnType<typeof dtlsLink>[] = [];
function link(options: Parameters<typeof dtlsLink>[0] = {}) {
  const made = dtlsLink(options);
  links.push(made);
  return made;
}
afterEach(() => {
  for (const each of links.splice(0)) each.close();
});

/** A clear record of epoch 0. */
const record = (type: number, body: number[], version = 0xfefd, epoch = 0): Buffer =>
  Buffer.from([
    type,
    version >> 8,
    version & 255,
    0,
    epoch,
    0,
    0,
    0,
    0,
    0,
    99,
    body.length >> 8,
    body.length & 255,
    ...body,
  ]);
const handshakeBytes = (type: number, length: number, offset: number, fragment: number, body: number): number[] =>
  [type, 0, length >> 8, length & 255, 0, 9, 0, offset >> 8, offset & 255, 0, fragment >> 8, fragment & 255].concat(
    Array.from({ length: body }, () => 7),
  );

test('two sessions connect, agree on keys of AES-GCM and exchange packets', () => {
  const ends = link();
  const { client, server } = ends;
  ends.connect();
  const [ours, theirs] = [client.keying!, server.keying!];
  expect(ours.profile).toBe('AES_128_GCM');
  expect([ours.localKey, ours.localSalt]).toEqual([theirs.remoteKey, theirs.remoteSalt]);
  expect([ours.remoteKey, ours.remoteSalt]).toEqual([theirs.localKey, theirs.localSalt]);
  expect([ours.localKey.length, ours.localSalt.length]).toEqual([16, 12]);
  expect(ours.localKey.equals(ours.remoteKey)).toBe(false);
  expect(client.session.write(Buffer.from('to the server'))).toBe(true);
  expect(server.session.write(Buffer.alloc(1191, 5))).toBe(true);
  ends.run();
  expect(server.received).toEqual([Buffer.from('to the server')]);
  expect(client.received).toEqual([Buffer.alloc(1191, 5)]);
});

test('a peer with another certificate connects on neither side', () => {
  const foreign = sharedContext().fingerprint.replace(/^../, (byte) => (byte === '00' ? '11' : '00'));
  for (const fingerprints of [
    [foreign, sharedContext().fingerprint],
    [sharedContext().fingerprint, foreign],
  ] as [string, string][]) {
    const ends = link({ fingerprints });
    ends.connect();
    expect([ends.client.keying, ends.server.keying]).toEqual([undefined, undefined]);
    expect([ends.client.closed.length, ends.server.closed.length]).toEqual([1, 1]);
    expect(ends.client.session.write(Buffer.from('x'))).toBe(false);
  }
});

test('a handshake survives a loss of 40 %, duplicates and reordering', async () => {
  const ends = link();
  let random = 7;
  ends.client.session.start();
  await vi.waitFor(
    () => {
      ends.queue.reverse();
      ends.run((datagram) => {
        random = (random * 48_271) % 0x7fff_ffff;
        return random % 10 < 4 ? [] : [datagram, Buffer.from(datagram)];
      });
      expect(ends.client.session.connected && ends.server.session.connected).toBe(true);
    },
    { timeout: 12_000, interval: 10 },
  );
  ends.server.session.write(Buffer.from('after it'));
  ends.run();
  expect(ends.client.received).toEqual([Buffer.from('after it')]);
});

test('clear records, malformed and foreign ones do not end a connected session', () => {
  const ends = link();
  ends.connect();
  const { session } = ends.server;
  const forged = [
    record(21, [2, 40]),
    record(21, [1, 0]),
    record(22, handshakeBytes(1, 4, 0, 4, 4)),
    record(20, [1]),
    record(23, [1, 2, 3]),
    ...[20, 21, 22, 23, 24, 63].flatMap((type) =>
      [0, 1, 7, 23, 24, 40].map((bytes) =>
        record(
          type,
          Array.from({ length: bytes }, () => 1),
          0xfefd,
          1,
        ),
      ),
    ),
    record(
      21,
      Array.from({ length: 40 }, () => 1),
      0xfeff,
      1,
    ),
    record(
      23,
      Array.from({ length: 40 }, () => 1),
      0xfefd,
      2,
    ),
    Buffer.from([23]),
    record(23, []).subarray(0, 12),
  ];
  for (const datagram of forged) deliver(session, datagram);
  expect(ends.server.closed).toEqual([]);
  expect(ends.server.received).toEqual([]);
  expect(session.droppedRecords).toBeGreaterThan(20);
  ends.client.session.write(Buffer.from('still here'));
  ends.run();
  expect(ends.server.received).toEqual([Buffer.from('still here')]);
});

test('a record passes once, and not with any byte changed', () => {
  const ends = link();
  ends.connect();
  ends.client.session.write(Buffer.from('once'));
  const { datagram } = ends.queue.shift()!;
  for (let i = 0; i < datagram.length; i++) {
    const forged = Buffer.from(datagram);
    forged[i]! ^= 1;
    deliver(ends.server.session, forged);
  }
  expect(ends.server.received).toEqual([]);
  for (let i = 0; i < 3; i++) deliver(ends.server.session, datagram);
  expect(ends.server.received).toEqual([Buffer.from('once')]);
  expect(ends.server.closed).toEqual([]);
});

test('forged records before and during the handshake do not stop it', () => {
  const ends = link();
  const forged = [
    record(22, handshakeBytes(2, 4, 0, 4, 4)),
    record(22, handshakeBytes(16, 4, 2, 4, 4)),
    record(22, handshakeBytes(16, 0xfff0, 0, 4, 3)),
    record(22, [1, 0, 0]),
    record(23, [1, 2]),
    record(20, [2]),
    record(21, [3, 200]),
    ...Array.from({ length: 14 }, () =>
      record(
        22,
        Array.from({ length: 40 }, () => 1),
        0xfefd,
        1,
      ),
    ),
  ];
  for (const datagram of forged.slice(0, 7)) deliver(ends.server.session, datagram);
  ends.client.session.start();
  ends.run((datagram, to) => (to === 'server' ? [...forged, datagram] : [datagram]));
  expect(ends.server.closed).toEqual([]);
  expect([ends.client.session.connected, ends.server.session.connected]).toEqual([true, true]);
});

test('a session may be closed by any of its handlers', () => {
  for (const at of ['send', 'connected', 'data'] as const) {
    const ends = link();
    const calls: string[] = [];
    const session = new DtlsSession(
      sharedContext(),
      { isServer: true, fingerprint: sharedContext().fingerprint },
      {
        send: (from, length) => {
          calls.push('send');
          ends.queue.push({ to: 'client', datagram: Buffer.from(memory.subarray(from, from + length)) });
          if (at === 'send') session.close();
        },
        connected: () => {
          calls.push('connected');
          if (at === 'connected') session.close();
        },
        data: () => {
          calls.push('data');
          session.close();
        },
        closed: () => calls.push('closed'),
      },
    );
    ends.client.session.start();
    ends.run((datagram, to) => {
      if (to === 'client') return [datagram];
      deliver(session, datagram);
      return [];
    });
    ends.client.session.write(Buffer.from('x'));
    ends.run((datagram) => (deliver(session, datagram), []));
    expect(calls).toContain(at);
    expect(calls).not.toContain('closed');
    expect(session.connected).toBe(false);
    session.receive(64, 20);
    session.close();
  }
});

test('the peer learns of a close once', () => {
  const ends = link();
  ends.connect();
  ends.client.session.close();
  ends.client.session.close();
  expect(ends.queue.length).toBe(1);
  ends.run();
  expect(ends.server.closed).toEqual(['closed by the peer']);
  expect(ends.client.closed).toEqual([]);
  expect(ends.server.session.write(Buffer.from('x'))).toBe(false);
});

test('calls between sessions out of their handlers do not mix datagrams', () => {
  const ends = [link(), link(), link()];
  for (const each of ends) each.connect();
  const [first, second, third] = ends as [(typeof links)[0], (typeof links)[0], (typeof links)[0]];
  // A packet to the first makes the others write, inside its handler.
  vi.spyOn(first.server.received, 'push').mockImplementation(() => {
    second.client.session.write(Buffer.from('second'));
    second.run();
    third.server.session.close();
    return 0;
  });
  first.client.session.write(Buffer.from('first'));
  first.run();
  third.run();
  expect(second.server.received).toEqual([Buffer.from('second')]);
  expect(third.client.closed).toEqual(['closed by the peer']);
  expect(first.server.closed).toEqual([]);
});

function hasOpenssl(): boolean {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8' }).startsWith('OpenSSL 3');
  } catch {
    return false;
  }
}

describe.skipIf(!hasOpenssl())('with the command openssl', () => {
  test.each([
    ['SRTP_AEAD_AES_128_GCM', 'AES_128_GCM'],
    ['SRTP_AES128_CM_SHA1_80', 'AES_128_CM_SHA1_80'],
  ] as const)('a session connects with %s, and both sides export the same keys', async (offered, profile) => {
    const folder = mkdtempSync(join(tmpdir(), 'rmeet-dtls-'));
    const certificate = join(folder, 'cert.pem');
    const key = join(folder, 'key.pem');
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=alice'];
    execFileSync('openssl', ['req', '-x509', ...newKey, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const { raw } = new X509Certificate(readFileSync(certificate));
    const fingerprint = createHash('sha256')
      .update(raw)
      .digest('hex')
      .replaceAll(/(..)(?=.)/g, '$1:');
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const connected = Promise.withResolvers<SrtpKeying>();
    const data = Promise.withResolvers<string>();
    let peer = 0;
    const session = new DtlsSession(
      sharedContext(),
      { isServer: true, fingerprint },
      {
        send: (at, length) => socket.send(Buffer.from(memory.subarray(at, at + length)), peer, '127.0.0.1'),
        connected: connected.resolve,
        data: (packet) => data.resolve(packet.toString()),
        closed: (reason) => connected.reject(new Error(reason)),
      },
    );
    socket.on('message', (datagram, { port }) => {
      peer = port;
      deliver(session, datagram);
    });
    const bytes = profile === 'AES_128_GCM' ? 56 : 60;
    const options = `-dtls1_2 -use_srtp ${offered} -cert ${certificate} -key ${key} -keymatexport EXTRACTOR-dtls_srtp`;
    const target = `-keymatexportlen ${String(bytes)} -connect 127.0.0.1:${String(socket.address().port)}`;
    const client = spawn('openssl', ['s_client', ...`${options} ${target}`.split(' ')]);
    let output = '';
    client.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const keying = await connected.promise;
    expect(keying.profile).toBe(profile);
    client.stdin.write('hello\n');
    expect(await data.promise).toBe('hello\n');
    await vi.waitFor(() => expect(output).toContain('Keying material: '));
    const { remoteKey, localKey, remoteSalt, localSalt } = keying;
    const material = Buffer.concat([remoteKey, localKey, remoteSalt, localSalt]).toString('hex').toUpperCase();
    expect(output).toContain(material);
    session.close();
    client.kill();
    socket.close();
    rmSync(folder, { recursive: true });
  });
});
