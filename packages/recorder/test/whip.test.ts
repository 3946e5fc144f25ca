import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WhipEndpoint } from '../src/whip/endpoint.ts';
import { CodecRefused, readOffer } from '../src/whip/offer.ts';

const PATH = '/live/whip';

const offerWith = (codec: string) =>
  [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 0.0.0.0',
    'a=ice-ufrag:abcd',
    'a=ice-pwd:abcdefghijklmnopqrstuv',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
    'a=setup:actpass',
    'a=mid:0',
    'a=sendonly',
    `a=rtpmap:96 ${codec}/90000`,
    '',
  ].join('\r\n');

/** An endpoint whose key is `right`, and can be used once at a time. */
async function served() {
  const ended = Promise.withResolvers<Error | null>();
  const errors: Error[] = [];
  let isUsed = false;
  const endpoint = new WhipEndpoint({
    path: PATH,
    network: { bindAddress: '127.0.0.1' },
    onError: (error) => errors.push(error),
    open: (key) => {
      if (key !== 'right' || isUsed) return Promise.resolve(null);
      isUsed = true;
      return Promise.resolve({
        onConfig: () => undefined,
        onFrame: () => undefined,
        onClosed: (reason) => {
          isUsed = false;
          ended.resolve(reason);
        },
      });
    },
  });
  const server = createServer((request, response) => void endpoint.handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`;
  const close = (): void => {
    endpoint.close();
    server.close();
  };
  return { url, close, errors, ended: ended.promise };
}

describe('the endpoint', () => {
  let one: Awaited<ReturnType<typeof served>>;
  beforeAll(async () => {
    one = await served();
  });
  afterAll(() => one.close());
  const post = (body: string, key = 'right', type = 'application/sdp') =>
    fetch(one.url, { method: 'POST', body, headers: { authorization: `Bearer ${key}`, 'content-type': type } });

  test('takes H.264, answers in full, and refuses the same key with the words for a wrong one', async () => {
    const taken = await post(offerWith('H264'));
    expect([taken.status, taken.headers.get('content-type')]).toEqual([201, 'application/sdp']);
    const answer = await taken.text();
    expect(answer).toMatch(/a=recvonly/);
    expect(answer).toMatch(/a=candidate:/);
    const [used, wrong] = [await post(offerWith('H264')), await post(offerWith('H264'), 'wrong')];
    expect([used.status, await used.text()]).toEqual([wrong.status, await wrong.text()]);
    expect(used.status).toBe(401);
    const session = new URL(taken.headers.get('location')!, one.url);
    expect((await fetch(session, { method: 'GET' })).status).toBe(405);
    expect((await fetch(session, { method: 'DELETE' })).status).toBe(200);
    expect((await fetch(session, { method: 'DELETE' })).status).toBe(404);
    expect(await one.ended).toBe(null);
  });

  test('refuses other codecs, types and texts', async () => {
    expect((await post(offerWith('VP8'))).status).toBe(406);
    expect((await post('{}', 'right', 'application/json')).status).toBe(415);
    expect((await post('v=0')).status).toBe(400);
    expect((await post('x'.repeat(70_000))).status).toBe(413);
    expect((await post(offerWith('H264'), '')).status).toBe(401);
    expect((await fetch(one.url)).status).toBe(405);
    expect(one.errors).toEqual([]);
  });

  test('names the codec that is accepted', () => {
    expect(() => readOffer(offerWith('AV1'))).toThrow(CodecRefused);
  });
});
