import { createHmac } from 'node:crypto';
import { pathsOf, startCallBrowser, type CallBrowser, type CallPage } from '@rmeet/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../src/index.ts';
import { joinToken, startEngine } from './support/engine.ts';
import { startTurnServer, turnServerMissing, type TurnServer } from './support/turn-server.ts';

const missing = turnServerMissing();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`through a TURN server, and by no other way${skipped}`, () => {
  let turn: TurnServer;
  let browser: CallBrowser;
  let engine: Engine;
  beforeAll(async () => {
    // the certificate is temporary and self-signed
    [turn, browser] = await Promise.all([startTurnServer(), startCallBrowser(['--ignore-certificate-errors'])]);
  });
  afterAll(async () => {
    await browser.close();
    await turn.stop();
  });
  afterEach(async () => {
    await browser.clear();
    await engine.close();
  });

  async function join(identity: string): Promise<CallPage> {
    const page = await browser.open(identity, { camera: { width: 320, height: 180, frameRate: 15 } });
    const relayOnly = { connect: { rtcConfig: { iceTransportPolicy: 'relay' } } };
    await page.run('join', `ws://127.0.0.1:${engine.port}`, await joinToken(identity, 'hall'), relayOnly);
    await page.run('publish');
    return page;
  }

  // node-datachannel's ICE agent answers no checks of Chromium through TURN over TCP or TLS
  it.each([
    ['datachannel', 'udp'],
    ['native', 'udp'],
    ['native', 'tcp'],
    ['native', 'tls'],
  ] as const)('on the transport %s over %s, media flows both ways', async (transport, relayProtocol) => {
    const url = {
      udp: `turn:${turn.host}:${turn.port}?transport=udp`,
      tcp: `turn:${turn.host}:${turn.port}?transport=tcp`,
      tls: `turns:${turn.host}:${turn.tlsPort}?transport=tcp`,
    }[relayProtocol];
    engine = await startEngine({ transport, turn: { urls: [url], secret: turn.secret } });
    const [alice, bob] = await Promise.all([join('alice'), join('bob')]);
    await Promise.all([alice.seesFrames('bob'), bob.seesFrames('alice'), alice.hears('bob'), bob.hears('alice')]);
    for (const page of [alice, bob])
      expect(await pathsOf(page.page)).toEqual([expect.objectContaining({ type: 'relay', relayProtocol })]);
  });

  it('refuses credentials of another secret, or expired ones', async () => {
    engine = await startEngine();
    const page = await browser.open('alice');
    // whether a relayed address is allocated
    const relayed = (username: string, credential: string): Promise<boolean> =>
      page.page.evaluate(`(async () => {
      const urls = 'turn:${turn.host}:${turn.port}?transport=udp';
      const servers = [{ urls, username: '${username}', credential: '${credential}' }];
      const peer = new RTCPeerConnection({ iceServers: servers, iceTransportPolicy: 'relay' });
      const given = new Promise((resolve) => { peer.onicecandidate = ({ candidate }) => resolve(candidate !== null); });
      peer.createDataChannel('x');
      await peer.setLocalDescription();
      const result = await given;
      peer.close();
      return result;
    })()`);
    const credentialOf = (username: string, secret = turn.secret): string =>
      createHmac('sha1', secret).update(username).digest('base64');
    const [good, old] = [`${Math.floor(Date.now() / 1000) + 60}:alice`, `${Math.floor(Date.now() / 1000) - 60}:alice`];
    expect(await relayed(good, credentialOf(good))).toBe(true);
    expect(await relayed(good, credentialOf(good, 'another'))).toBe(false);
    expect(await relayed(old, credentialOf(old))).toBe(false);
  });
});
