import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transportOption } from '@rmeet/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { apiKey, apiSecret, joinToken } from './support/engine.ts';
import { forwardPorts, Host, hostsMissing } from './support/hosts.ts';

const ENGINE = fileURLToPath(new URL('engine-process.ts', import.meta.resolve('@rmeet/testkit')));
const PEOPLE = join(import.meta.dirname, 'support', 'people-host.ts');
const PERSON = join(import.meta.dirname, 'support', 'person-host.ts');
const missing = hostsMissing();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`an engine and its clients on different hosts${skipped}`, () => {
  const cleanUp: (() => unknown)[] = [];
  afterEach(async () => {
    for (const undo of cleanUp.splice(0).toReversed()) await undo();
  });

  function host(): Host {
    const made = new Host();
    cleanUp.push(() => made.remove());
    return made;
  }

  /** An engine on a host; `more` are further options of it. */
  async function engineOn(where: Host, more: object = {}): Promise<{ port: number; udpPort: number }> {
    return (await where.run(ENGINE, {
      host: '::',
      port: 0,
      udpPort: 0,
      apiKey,
      apiSecret,
      ...transportOption(),
      ...more,
    })) as {
      port: number;
      udpPort: number;
    };
  }

  /** Two participants on a host, with signalling at this address: one publishes, the other one sees it. */
  async function meet(where: Host, address: string, port: number): Promise<void> {
    const tokens = await Promise.all(['alice', 'bob'].map((identity) => joinToken(identity, 'hall')));
    const { frames } = await where.run(PEOPLE, { url: `ws://${address}:${port}`, tokens });
    expect(frames).toBeGreaterThan(10);
  }

  it('meet over IPv6 if there is nothing else', async () => {
    const [server, client] = [host(), host()];
    Host.cable(server, ['fd00:7::1/64'], client, ['fd00:7::2/64']);
    const { port } = await engineOn(server);
    await meet(client, '[fd00:7::1]', port);
  });

  it('meet over IPv4 if there is nothing else', async () => {
    const [server, client] = [host(), host()];
    Host.cable(server, ['10.77.1.1/24'], client, ['10.77.1.2/24']);
    const { port } = await engineOn(server);
    await meet(client, '10.77.1.1', port);
  });

  it('meet over the one of several interfaces that leads to the client', async () => {
    const [server, elsewhere, client] = [host(), host(), host()];
    Host.cable(server, ['10.77.2.1/24', 'fd00:8::1/64'], elsewhere, ['10.77.2.2/24']);
    Host.cable(server, ['10.77.3.1/24'], client, ['10.77.3.2/24']);
    Host.cable(server, ['10.77.4.1/24', 'fd00:9::1/64'], elsewhere, ['10.77.4.2/24']);
    const { port } = await engineOn(server);
    await meet(client, '10.77.3.1', port);
  });

  it('meet through a NAT that forwards the ports of a public address', async () => {
    const [server, client] = [host(), host()];
    // this machine is the router: it forwards nothing by itself, so that no packet takes another path
    Host.cable(server, ['10.77.5.2/24'], undefined, ['10.77.5.1/24']);
    Host.cable(client, ['10.77.6.2/24'], undefined, ['10.77.6.1/24']);
    const { port, udpPort } = await engineOn(server, { publicIp: '10.77.6.1' });
    cleanUp.push(await forwardPorts('10.77.6.1', port, udpPort, '10.77.5.2'));
    await meet(client, '10.77.6.1', port);
  });

  // 1,200 is about the packet of a browser; one of 1,350 fits into neither
  it.each([
    [1_280, 1_200],
    [1_280, 1_350],
    [1_400, 1_350],
  ])('meet over a link with an MTU of %s bytes, with packets of %s', async (mtu, size) => {
    const [server, near, far] = [host(), host(), host()];
    Host.cable(server, ['10.77.8.1/24'], near, ['10.77.8.2/24']);
    Host.cable(server, ['10.77.9.1/24'], far, ['10.77.9.2/24'], mtu);
    const { port } = await engineOn(server);
    const [alice, bob] = await Promise.all(['alice', 'bob'].map((identity) => joinToken(identity, 'hall')));
    await near.run(PERSON, { url: `ws://10.77.8.1:${port}`, token: alice, size });
    const { packets, lost } = await far.run(PERSON, { url: `ws://10.77.9.1:${port}`, token: bob });
    expect(packets).toBeGreaterThanOrEqual(500);
    expect(lost).toBe(0);
  });
});
