import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  closePage,
  freePort,
  launchBrowser,
  openPage,
  startCallBrowser,
  startMediaEngine,
  startServer,
  storeFor,
  type CallPage,
} from '@rmeet/testkit';
import { AccessToken } from 'livekit-server-sdk';
import { bookMeeting, join as joinMeeting, seesPeople } from '../support.ts';
import { expect, meets, people, test } from './support.ts';

/** Chromium uses TCP only, as in a network that blocks UDP. */
const WITHOUT_UDP = ['--webrtc-ip-handling-policy=disable_non_proxied_udp', '--force-webrtc-ip-handling-policy'];
const camera = { width: 320, height: 180, frameRate: 15 };

test.skip(process.env['RMEET_TEST_LIVEKIT_URL'] !== undefined, 'the embedded engine is started here');

test('two people whose networks block UDP see and hear each other by TCP', async () => {
  const engine = await startMediaEngine({ transport: 'native', tcpPort: 0 });
  const browser = await startCallBrowser(WITHOUT_UDP);
  try {
    const join = async (person: 'alice' | 'bob'): Promise<CallPage> => {
      const page = await browser.open(person);
      await page.run('reset', { ...people[person], camera });
      const token = new AccessToken(engine.apiKey, engine.apiSecret, { identity: person, ttl: 600 });
      token.addGrant({ room: 'tcp', roomJoin: true });
      await page.run('join', engine.url, await token.toJwt(), {});
      await page.run('publish');
      return page;
    };
    const [alice, bob] = [await join('alice'), await join('bob')];
    await meets(alice, 'bob');
    await meets(bob, 'alice');
    for (const page of [alice, bob]) {
      const paths = await page.run<{ protocol: string }[]>('paths');
      expect(new Set(paths.map(({ protocol }) => protocol))).toEqual(new Set(['tcp']));
    }
  } finally {
    await browser.close();
    await engine.stop();
  }
});

test('where only the web port is open, media comes there, and goes on while the server is away', async () => {
  test.skip(process.env['RMEET_TEST_TRANSPORT'] === 'datachannel', 'only the native transport takes media by TCP');
  test.setTimeout(120_000);
  const [port, mediaPort] = [await freePort(), await freePort()];
  // Another program has the TCP port of the media process: only the web port is left.
  const other = createServer().listen(mediaPort);
  await once(other, 'listening');
  const server = await startServer({
    port,
    env: {
      RMEET_MEDIA_PROCESSES: '1',
      RMEET_MEDIA_PORT: String(mediaPort),
      RMEET_MEDIA_WEB_PORT: String(port),
      RMEET_PUBLIC_IP: '127.0.0.1',
    },
  });
  const browser = await launchBrowser({ flags: WITHOUT_UDP });
  const handed = async (): Promise<number> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^rmeet_media_connections_total\{result="handed"\} (\d+)$/m.exec(metrics)?.[1]);
  };
  try {
    expect(await handed()).toBe(0);
    const alice = await openPage(browser, { locale: 'en-US', media: { ...people.alice, camera } });
    await alice.goto(`${server.url}/#/join`);
    await alice.getByTestId('preview-check').click();
    await expect(alice.getByTestId('check-media')).toHaveAttribute('data-words', 'mediaTcp', { timeout: 30_000 });
    await expect(alice.getByTestId('check-quality')).toHaveAttribute('data-state', 'ok');
    expect(await handed()).toBeGreaterThan(0);
    await alice.keyboard.press('Escape');

    const host = await server.api.as('chair');
    const { numericId: number, password } = await bookMeeting(host, 'By TCP');
    const chair = await openPage(browser, { locale: 'en-US', media: { ...people.bob, camera } });
    await storeFor(chair, server.url, { token: host.token, loginUser: JSON.stringify(host.user) });
    await joinMeeting(chair, server, { number, password });
    await joinMeeting(alice, server, { number, password, name: 'Alice' });
    await seesPeople(alice, ['bob']);
    await seesPeople(chair, ['alice']);
    expect(await handed()).toBeGreaterThan(1);
    server.kill('server');
    await seesPeople(alice, ['bob']);
    await server.ready();
    await seesPeople(chair, ['alice']);
    await closePage(alice);
    await closePage(chair);
  } finally {
    await browser.close();
    await server.stop();
    other.close();
  }
});
