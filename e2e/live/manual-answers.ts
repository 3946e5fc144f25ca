import { manualLives, type ManualLive, type ProviderConfig } from '@rmeet/contract';
import type { Page } from '@playwright/test';
import { LONG_NAME } from '../pages.ts';

const { records: EXAMPLES } = manualLives.query.example.data as { records: [ManualLive] };
const [example] = EXAMPLES;
const arriving = { ...(example.ingest ?? never()), since: '2026-11-20T09:00:40.000Z' };
const waiting = { ...arriving, state: 'waiting', since: null, way: null, bitrate: 0 } as const;

function never(): never {
  throw new Error('The example shows what arrives.');
}

const idOf = (number: number): string => `0198f6a2-7c1e-7d3a-9f10-00000000000${number}`;

/** One broadcast in each state that a list can show. */
export const inEachState: readonly ManualLive[] = (
  [
    { subject: 'Waits for an encoder', state: 'scheduled', isReady: false, ingest: waiting },
    { subject: 'Can start', state: 'scheduled', startsItself: false, ingest: arriving },
    { subject: `On air ${LONG_NAME}`, state: 'onAir', ingest: arriving },
    { subject: 'Interrupted', state: 'onAir', isReady: false, ingest: waiting },
    { subject: 'Paused without sound', state: 'paused', ingest: { ...arriving, hasSound: false } },
    {
      subject: 'Cannot be broadcast',
      state: 'scheduled',
      isReady: false,
      ingest: { ...waiting, state: 'refused', reason: 'codec:hvc1' },
    },
    {
      subject: 'Camera in the hall',
      state: 'scheduled',
      source: 'play',
      playAddress: 'rtmp://camera.example.org/live/hall',
      isReady: false,
      ingest: { ...waiting, state: 'lost', reason: 'connect ECONNREFUSED' },
    },
    { subject: 'Over', state: 'ended', isReady: false, ingest: waiting },
  ] satisfies Partial<ManualLive>[]
).map((part, at) => Object.assign({}, example, part, { id: idOf(at), meetId: idOf(at), peak: 131 }));

/** What the server says of addresses for encoders. */
const CONFIG: ProviderConfig = {
  provider: 'own',
  ingest: {
    rtmp: { server: 'rtmp://meet.example.org:1935/live', key: 'k7Qm2vXz9aLp4sTw1bRn6e' },
    whip: { address: 'https://meet.example.org/api/api/v1/live/whip', token: 'k7Qm2vXz9aLp4sTw1bRn6e' },
  },
  play: { page: example.link, hls: `${example.link}.m3u8` },
  push: [],
};

const answer = (data: unknown) => ({
  status: 200,
  contentType: 'application/json',
  body: JSON.stringify({ status: true, data, statusCode: 'OK', message: '' }),
});

/** Answers the page's questions about addresses with this stream key. */
export async function answerConfig(page: Page, key: string): Promise<void> {
  const ingest = { ...CONFIG.ingest, rtmp: { server: 'rtmp://meet.example.org:1935/live', key } };
  await page.route('**/meetings/live/providerconfig/*', (route) => route.fulfill(answer({ ...CONFIG, ingest })));
}

/** Answers the page's questions about broadcasts of outside streams with these. */
export async function answerWith(page: Page, lives: readonly ManualLive[]): Promise<void> {
  await page.route('**/meetings/manualLive/query*', (route) => {
    const { id } = route.request().postDataJSON() as { id?: string };
    const records = lives.filter((one) => id === undefined || one.id === id);
    return route.fulfill(answer({ records, total: records.length, current: 1, size: 20 }));
  });
  await page.route('**/meetings/live/providerconfig/*', (route) => route.fulfill(answer(CONFIG)));
}
