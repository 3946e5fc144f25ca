import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { createServer as createTlsServer, request as httpsRequest } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config/index.ts';
import { selfSignedPair, type TlsPair } from '../../src/platform/http/index.ts';
import { watchFirstBytes } from '../../src/platform/http/server/first-bytes.ts';
import { calledUfrag, isMediaConnection, MediaConnections } from '../../src/platform/media/media-connections.ts';
import { asHandle, takeConnection } from '../../src/platform/process/connection.ts';
import { processTag } from '../../src/platform/process/index.ts';
import { tempFolder } from './support/db.ts';

/**
 * A connectivity check (RFC 8489, section 5) with a user name, an odd attribute before it and a signature, as a frame
 * of RFC 4571.
 */
function checkFor(ufrag: string): Buffer {
  const name = Buffer.from(`${ufrag}:peer`);
  const padded = Buffer.concat([name, Buffer.alloc(-name.length & 3)]);
  const head = Buffer.alloc(20);
  head.writeUInt16BE(1, 0);
  head.writeUInt16BE(8 + 4 + padded.length + 24, 2);
  head.writeUInt32BE(0x2112a442, 4);
  const before = Buffer.from([0x80, 0x22, 0, 1, 65, 0, 0, 0]);
  const signature = Buffer.from(`\0\b\0\x14${'signature'.padEnd(20)}`);
  const message = Buffer.concat([head, before, Buffer.from([0, 6, 0, name.length]), padded, signature]);
  return Buffer.concat([Buffer.from([0, message.length]), message]);
}

describe('the first bytes', () => {
  test('of a check are recognized when it is complete', () => {
    const check = checkFor('01abcdef');
    for (let size = 0; size < check.length; size += 1)
      expect(isMediaConnection(check.subarray(0, size)), `${size} bytes`).toBe(undefined);
    expect(isMediaConnection(check)).toBe(true);
    expect(isMediaConnection(Buffer.concat([check, Buffer.from('more')]))).toBe(true);
    expect(calledUfrag(check)).toBe('01abcdef');
  });

  test.each([
    ['HTTP', Buffer.from('G')],
    ['TLS', Buffer.from([0x16])],
    ['an empty line before HTTP', Buffer.from('\r\n')],
    ['a frame that is too short', Buffer.from([0, 19])],
    ['a frame that is too long', Buffer.from([2, 37])],
    ['a response of STUN', Buffer.from([0, 20, 1, 1])],
    ['another cookie', Buffer.from([0, 20, 0, 1, 0, 0, 1, 2, 3, 4])],
  ])('of %s are left to HTTP', (_what, head) => {
    expect(isMediaConnection(head)).toBe(false);
  });

  test('of a check without a usable user name call no process', () => {
    const check = checkFor('01');
    check[27 + 6] = 200; // the length of the user name
    expect(calledUfrag(check)).toBe(undefined);
  });
});

describe.each(['http', 'https'] as const)('on an %s port', (scheme) => {
  let pair: TlsPair;
  let server: Server;
  let media: ChildProcess[] = [];
  let connections: MediaConnections;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    pair = await selfSignedPair((await tempFolder()).path, 'localhost');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const child of media.splice(0)) child.kill();
    server.close();
  });

  async function open(count: number): Promise<void> {
    const file = fileURLToPath(new URL('support/echo-process.ts', import.meta.url));
    media = Array.from({ length: count }, () => fork(file));
    connections = new MediaConnections(count, (index, socket, head) => {
      const connection = takeConnection(socket)!;
      const message = { type: 'mediaConnection', process: index, head: head.toString('base64') };
      media[index]!.send(message, asHandle(connection), {}, () => connection.close());
      return true;
    });
    const answer = (request: NodeJS.ReadableStream, response: NodeJS.WritableStream): void => {
      let size = 0;
      request.on('data', (bytes: Buffer) => (size += bytes.length));
      request.on('end', () => response.end(`read ${size}`));
    };
    server = scheme === 'http' ? createServer(answer) : createTlsServer(pair, answer);
    watchFirstBytes(server, { isTls: scheme === 'https', silence: 300 }, connections);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  function dial(): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket.on('error', () => undefined));
    return socket;
  }

  /** Everything that a connection receives until it contains the text. */
  async function readUntil(socket: Socket, text: string): Promise<string> {
    let read = '';
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      read += String(chunk);
      if (read.includes(text)) break;
    }
    return read;
  }

  test('a check in pieces leads to its process, which has the connection also when the server is gone', async () => {
    await open(2);
    const socket = dial().setNoDelay(true);
    const check = checkFor(`${processTag(1)}abcdef`);
    for (const byte of check) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    socket.write('and more');
    const first = await readUntil(socket, 'and more');
    expect(first).toContain(String(media[1]!.pid));
    expect(first).toContain(check.toString('latin1').slice(-8));
    expect(connections.counts).toEqual({ handed: 1, refused: 0 });
    const closed = once(server, 'close');
    server.close();
    await closed; // it does not wait for connections that it has passed on
    socket.write('later');
    expect(await readUntil(socket, 'later')).toContain('later');
  });

  test('a check for an unknown process is closed and counted', async () => {
    await open(1);
    for (const ufrag of [`${processTag(1)}abcdef`, '**abcdef', '']) {
      const socket = dial();
      socket.write(checkFor(ufrag));
      await once(socket, 'close');
    }
    expect(connections.counts).toEqual({ handed: 0, refused: 3 });
  });

  test('a silent connection is closed', async () => {
    await open(1);
    await once(dial().resume(), 'close');
  });

  test('requests are answered as before, also with a body of many packets', async () => {
    await open(1);
    const { port } = server.address() as AddressInfo;
    const send = scheme === 'http' ? httpRequest : httpsRequest;
    const request = send({ port, host: '127.0.0.1', method: 'POST', rejectUnauthorized: false });
    request.end(Buffer.alloc(300_000, 65));
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    let body = '';
    for await (const chunk of response) body += String(chunk);
    expect(body).toBe('read 300000');
    expect(connections.counts).toEqual({ handed: 0, refused: 0 });
  });
});

describe('the web port is offered for media', () => {
  test.each([
    [{ RMEET_HOST: '0.0.0.0', RMEET_PORT: '443' }, 443],
    [{}, undefined],
    [{ RMEET_HOST: '0.0.0.0', RMEET_TRUSTED_PROXIES: '10.0.0.1' }, undefined],
    [{ RMEET_TRUSTED_PROXIES: '127.0.0.1', RMEET_MEDIA_WEB_PORT: '443' }, 443],
    [{ RMEET_HOST: '0.0.0.0', RMEET_MEDIA_WEB_PORT: 'off' }, undefined],
    [{ RMEET_HOST: '0.0.0.0', RMEET_MEDIA_TCP: 'off', RMEET_MEDIA_WEB_PORT: '443' }, undefined],
  ])('%o: %s', (env, port) => {
    expect(readConfig(env).media.webPort).toBe(port);
  });

  test('not on an impossible port', () => {
    expect(() => readConfig({ RMEET_MEDIA_WEB_PORT: '65536' })).toThrow();
  });
});
