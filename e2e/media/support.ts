import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test as base } from '@playwright/test';
import { Participant, type ConnectOptions } from '@rmeet/participant';
import {
  startCallBrowser,
  startMediaEngine,
  type CallBrowser,
  type CallPage,
  type MediaEngine,
  type PageMedia,
} from '@rmeet/testkit';
import {
  AccessToken,
  RoomServiceClient,
  WebhookReceiver,
  type VideoGrant,
  type WebhookEvent,
} from 'livekit-server-sdk';

/** What the participants in the scenarios send, so that others can distinguish them. */
export const people = {
  alice: { colour: '#c02020', tone: 700 },
  bob: { colour: '#20a040', tone: 1000 },
  carol: { colour: '#2040c0', tone: 1300 },
} as const satisfies Record<string, Pick<PageMedia, 'colour' | 'tone'>>;
export type Person = keyof typeof people;

export const screen = { colour: '#20a0a0', tone: 1600 } as const;

interface TokenOptions {
  grant?: Partial<VideoGrant>;
  name?: string;
  metadata?: string;
  attributes?: Record<string, string>;
}

interface JoinOptions extends TokenOptions {
  /** livekit-client's RoomOptions; `connect` its RoomConnectOptions, `encryption` a passphrase. */
  options?: Record<string, unknown>;
  /** A name other than the person's. */
  identity?: string;
  /** A different URL of the engine. */
  url?: string;
  media?: Partial<PageMedia>;
  /** Also publishes microphone and camera. */
  publish?: boolean;
}

/** One room of the engine, used by one scenario. */
export interface TestRoom {
  name: string;
  api: RoomServiceClient;
  token: (identity: string, options?: TokenOptions) => Promise<string>;
  /** In a page with livekit-client. */
  join: (person: Person, options?: JoinOptions) => Promise<CallPage>;
  /** Without a page. */
  joinHeadless: (identity: string, options?: TokenOptions & Partial<ConnectOptions>) => Promise<Participant>;
}

export type Engine = MediaEngine & {
  /** The engine's webhook events so far, of all rooms, and the reasons why wrongly signed ones were refused. */
  webhooks: { events: WebhookEvent[]; refused: unknown[] };
};

interface Fixtures {
  room: TestRoom;
}

interface WorkerFixtures {
  engine: Engine;
  /** One page for each person, reused for one room after another. */
  pages: Map<Person, CallPage>;
  callBrowser: CallBrowser;
}

const camera = { width: 320, height: 180, frameRate: 15 };

export const test = base.extend<Fixtures, WorkerFixtures>({
  engine: [
    async ({}, use) => {
      const webhooks: Engine['webhooks'] = { events: [], refused: [] };
      let receiver: WebhookReceiver | undefined;
      const server = createServer((request, response) => {
        text(request)
          .then((body) => receiver!.receive(body, request.headers.authorization))
          .then(
            (event) => webhooks.events.push(event),
            (error: unknown) => webhooks.refused.push(error),
          )
          .finally(() => response.end());
      });
      server.listen(Number(process.env['RMEET_TEST_WEBHOOK_PORT'] ?? 0), '127.0.0.1');
      await once(server, 'listening');
      const engine = await startMediaEngine({
        webhookUrls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`],
      });
      receiver = new WebhookReceiver(engine.apiKey, engine.apiSecret);
      await use({ ...engine, webhooks });
      await engine.stop();
      server.closeAllConnections();
      server.close();
    },
    { scope: 'worker' },
  ],
  callBrowser: [
    async ({}, use) => {
      const browser = await startCallBrowser();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  pages: [
    async ({}, use) => {
      await use(new Map());
    },
    { scope: 'worker' },
  ],
  room: async ({ engine, callBrowser, pages }, use, { titlePath }) => {
    const name = `${titlePath.at(-1) ?? ''} ${Date.now()}`;
    const api = new RoomServiceClient(engine.url.replace('ws', 'http'), engine.apiKey, engine.apiSecret);
    const headless: Participant[] = [];
    const token: TestRoom['token'] = async (identity, { grant = {}, ...identityOptions } = {}) => {
      const made = new AccessToken(engine.apiKey, engine.apiSecret, {
        identity,
        name: identity,
        ttl: 600,
        ...identityOptions,
      });
      made.addGrant({ room: name, roomJoin: true, ...grant });
      return made.toJwt();
    };
    await use({
      name,
      api,
      token,
      join: async (
        person,
        { options = {}, url = engine.url, identity = person, media = {}, publish = false, ...tokenOptions } = {},
      ) => {
        const page = pages.get(person) ?? (await callBrowser.open(person));
        pages.set(person, page);
        await page.run('reset', {
          ...people[person],
          camera,
          screenColour: screen.colour,
          screenTone: screen.tone,
          ...media,
        });
        await page.run('join', url, await token(identity, tokenOptions), options);
        if (publish) await page.run('publish');
        return page;
      },
      joinHeadless: async (identity, { grant, name: called, metadata, attributes, ...options } = {}) => {
        const tokenOptions = {
          ...(grant && { grant }),
          ...(called !== undefined && { name: called }),
          ...(metadata !== undefined && { metadata }),
          ...(attributes && { attributes }),
        };
        const participant = await Participant.connect({
          url: engine.url,
          token: await token(identity, tokenOptions),
          ...options,
        });
        headless.push(participant);
        return participant;
      },
    });
    for (const participant of headless) if (!participant.ended) participant.leave();
    for (const [person, page] of pages) {
      // A page that fails to reset is not reused.
      await page.run('reset', {}).catch(async () => {
        pages.delete(person);
        await page.page.context().close();
      });
    }
  },
});
export { expect } from '@playwright/test';

/** Waits until a person sees and hears others: their colours, moving, and their tones. */
export async function meets(page: CallPage, ...others: Person[]): Promise<void> {
  for (const other of others) {
    await page.hears(other, people[other].tone);
    await page.sees(other, people[other].colour);
  }
}
