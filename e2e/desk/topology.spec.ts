import {
  bookMeeting,
  closePage,
  joinMany,
  openPage,
  startMediaEngine,
  startServer,
  until,
  type Api,
} from '@rmeet/testkit';
import type { ConferenceControl } from '@rmeet/conference';
import type { LoggedCommand } from '@rmeet/contract';
import { ENGINE_ACK } from '@rmeet/contract';
import { expect, join, ownTermId, test } from '../conferences/support.ts';

const TERMINALS = 20;
/** The number of terminals that send; all receive. */
const SENDING = 4;
const MOST = 2_000;
const rz = { res: 'rz' };

const stateOf = async (api: Api, meetId: string): Promise<Omit<ConferenceControl, 'version' | 'generation'>> => {
  const { version: _, generation: __, ...rest } = (await api.conferences.state({ params: { meetId } })).control;
  return rest;
};

/** The 95th percentile (nearest rank). */
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? Infinity;

test(
  'a conference of 20 terminals and a page goes to another zone, back, and is rebuilt unchanged',
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  async ({ open, chromium }) => {
    test.setTimeout(300_000);
    const engine = await startMediaEngine({ holdTracks: true });
    const second = { id: 'second', name: 'Second', url: engine.url, key: engine.apiKey, secret: engine.apiSecret };
    const server = await startServer({ env: { RMEET_MEDIA_ZONES: JSON.stringify([second]) } });
    try {
      const host = await server.api.as('bob');
      const { meetId, numericId } = await bookMeeting(host);
      const alice = await open('alice');
      await join(alice, server, { number: numericId, password: '4821', name: 'alice' });
      const aliceId = await ownTermId(alice);
      const terminals = await joinMany(server.api, server.url, TERMINALS, (n) => ({
        numericId,
        password: '4821',
        name: `Room ${n + 1}`,
      }));
      for (const { media } of terminals.slice(0, SENDING)) {
        await media.publishVideo({ colour: 'blue', height: 180 });
        await media.publishAudio({});
      }
      const held = terminals[0];
      if (!held) throw new Error('nobody is there');
      await host.conferences.termMute({ params: rz, body: { meetId, termId: held.admission.termId, mute: true } });
      await host.conferences.setConfSpeaker({ params: rz, query: { meetId, termId: aliceId } });
      await until('all receive', () => terminals.every(({ media }) => media.tracks.size >= SENDING), {
        within: 60_000,
      });
      const before = await stateOf(host, meetId);

      const { url } = await host.conferences.manageUrl({ params: { a: meetId, b: 'chair' }, query: {} });
      const desk = await openPage(chromium, { locale: 'en-US' });
      await desk.goto(`${server.url}/${url.slice(url.indexOf('#'))}`);
      await desk.getByTestId('desk-open-topology').click();

      const wentOver = async (commandId: string): Promise<LoggedCommand> => {
        const row = await until(
          'everybody says so',
          async () => {
            const found = (await host.conferences.events({ params: { meetId }, query: {} })).find(
              (each) => each.commandId === commandId,
            );
            return found?.affected.every((termId) => found.acknowledgements.some((ack) => ack.termId === termId))
              ? found
              : undefined;
          },
          { within: 60_000, every: 200 },
        );
        const acks = row.acknowledgements.filter(({ termId }) => termId !== ENGINE_ACK);
        expect(row.affected).toHaveLength(TERMINALS + 1);
        expect(acks.filter(({ failed }) => failed !== null)).toEqual([]);
        const gaps = acks.flatMap(({ gap }) => gap ?? []);
        expect(gaps, JSON.stringify(acks)).toHaveLength(TERMINALS + 1);
        expect(p95(gaps), JSON.stringify(gaps)).toBeLessThan(MOST);
        test.info().annotations.push({
          type: 'measured',
          description: `${row.verb}: gap ${p95(gaps)} ms at the 95th percentile, ${Math.max(...gaps)} ms at most`,
        });
        expect(await stateOf(host, meetId)).toEqual(before);
        expect(held.media.self.permission?.canPublishSources).not.toContain(2);
        return row;
      };
      const at = async (): Promise<string> => (await host.conferences.meetingPlace({ query: { meetId } })).mcuZoneId;

      await desk.getByTestId('topology-zone-second').check();
      await desk.getByTestId('topology-act').click();
      await expect(desk.getByTestId('topology-cancel')).toBeFocused();
      await desk.getByTestId('topology-ok').click();
      await expect.poll(at, { timeout: 30_000 }).toBe('second');
      const moves = (await host.conferences.events({ params: { meetId }, query: {} })).filter(
        ({ verb }) => verb === 'moveZone',
      );
      expect(moves.map(({ input }) => input)).toEqual([{ fromZoneId: 'local', zoneId: 'second', mcuId: null }]);
      await wentOver(moves[0]?.commandId ?? '');
      await expect(desk.getByTestId('topology-progress')).toHaveAttribute('data-missing', '0');
      await expect(desk.getByTestId('topology-gaps')).toBeVisible();

      const { commandId: back } = await host.conferences.moveZone({
        params: rz,
        query: { meetId, oldMcuZoneId: 'second', mcuZoneId: 'local' },
      });
      await wentOver(back);
      expect(await at()).toBe('local');
      const { commandId: rebuilt } = await host.conferences.reset({ query: { meetId } });
      expect((await wentOver(rebuilt)).verb).toBe('reset');
      // The log also shows the move, and its duration.
      await desk.keyboard.press('Escape');
      await desk.getByTestId('desk-tab-log').click();
      await expect(desk.getByTestId('desk-log-moveZone')).toHaveText([
        /Moved the conference to zone Local/,
        /Moved the conference to zone second/,
      ]);
      await expect(desk.getByTestId('desk-log-gaps')).toHaveCount(3);
      await closePage(desk);
    } finally {
      await server.stop();
      await engine.stop();
    }
  },
);

test('an unavailable zone is shown as such, and accepts no conference', async () => {
  const url = 'ws://127.0.0.1:9';
  const server = await startServer({
    env: {
      RMEET_MEDIA_ZONES: JSON.stringify([
        { id: 'away', name: 'Away', url, key: 'key', secret: 'a-secret-that-is-32-characters-long' },
      ]),
    },
  });
  try {
    const host = await server.api.as('bob');
    const { meetId, numericId } = await bookMeeting(host);
    const [terminal] = await joinMany(server.api, server.url, 1, () => ({ numericId, password: '4821', name: 'Room' }));
    expect((await host.conferences.zonesMcus()).find(({ mcuZoneId }) => mcuZoneId === 'away')?.available).toBe(false);
    await expect(
      host.conferences.moveZone({ params: rz, query: { meetId, oldMcuZoneId: 'local', mcuZoneId: 'away' } }),
    ).rejects.toMatchObject({ code: 'ZONE_UNAVAILABLE' });
    expect(await host.conferences.meetingPlace({ query: { meetId } })).toMatchObject({ mcuZoneId: 'local' });
    await terminal?.leave();
  } finally {
    await server.stop();
  }
});
