import { TONES, type Colour } from '@rmeet/participant';
import { openPage, storeFor, until, type Api, type RunningServer } from '@rmeet/testkit';
import { HEARD, nearest, type Heard, type Seen } from '../../packages/recorder/test/film.ts';
import { levelOf } from '../../packages/recorder/test/tones.ts';
import type { PlacedPicture } from './witness.ts';

type Browser = Parameters<typeof openPage>[0];
type Page = Awaited<ReturnType<typeof openPage>>;

/** Samples of one look at the sound. */
const WINDOW = 4_096;

/** Runs in the page: what it needs to look and listen. */
const TOOLS = `(() => {
  const levelOf = ${levelOf.toString()};
  const programme = document.querySelector('[data-testid="player-video"]');
  const canvas = Object.assign(document.createElement('canvas'), { width: 16, height: 9 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const corner = (video) => {
    if (video.hidden || video.readyState < 2) return null;
    context.drawImage(video, 0, 0, 16, 9);
    return [...context.getImageData(1, 1, 1, 1).data].slice(0, 3);
  };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const tiles = () => [...document.querySelectorAll('[data-testid="seen-tile"]')];
  const isSettled = () =>
    [programme, ...tiles().flatMap((tile) => [...tile.querySelectorAll('video')])]
      .every((video) => video.hidden || (video.readyState >= 2 && !video.seeking));
  window.rmeetSoak = {
    programme, corner,
    /** Goes to a position, and looks once everything stands still. */
    async lookAt(position) {
      programme.currentTime = position;
      let calm = 0;
      for (let n = 0; n < 200 && calm < 4; n += 1) {
        await pause(40);
        calm = isSettled() ? calm + 1 : 0;
      }
      const stage = document.querySelector('[data-testid="seen"]').getBoundingClientRect();
      const cells = tiles().map((tile) => {
        const { left, top, width, height } = tile.getBoundingClientRect();
        const video = tile.querySelector('video');
        return {
          key: tile.dataset.key, kind: tile.dataset.kind, rgb: video && corner(video),
          x: (left - stage.left) / stage.width, y: (top - stage.top) / stage.height,
          width: width / stage.width, height: height / stage.height,
        };
      });
      return { cells, isCalm: calm >= 4, screen: { width: stage.width, height: stage.height } };
    },
    /** Plays to the end, and notes what is seen and heard. */
    async play() {
      const audio = new AudioContext({ sampleRate: 48000 });
      const analyser = new AnalyserNode(audio, { fftSize: ${WINDOW} });
      audio.createMediaElementSource(programme).connect(analyser).connect(audio.destination);
      const samples = new Float32Array(${WINDOW});
      const seen = [];
      const heard = [];
      programme.currentTime = 0;
      await programme.play();
      for (;;) {
        await pause(100);
        const at = programme.currentTime;
        analyser.getFloatTimeDomainData(samples);
        heard.push({ at, levels: ${JSON.stringify(TONES)}.map((tone) => levelOf(samples, tone, 48000)) });
        seen.push({ at, rgb: corner(programme) });
        if (programme.paused || programme.ended) return { seen, heard };
      }
    },
  };
})()`;

/** What the player's page shows at a position: its pictures, and the colours of those that are drawn. */
export interface SeenAt {
  cells: (PlacedPicture & { kind: 'camera' | 'screen'; colour: Colour | null })[];
  screen: { width: number; height: number };
  /** It stood still within 8 s. */
  isCalm: boolean;
}

/** The page of one recording, as its host opens it. */
export class RecordingPage {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(
    browser: Browser,
    { url }: RunningServer,
    host: Awaited<ReturnType<Api['as']>>,
    id: string,
  ): Promise<RecordingPage> {
    const page = await openPage(browser, { locale: 'en-US', size: { width: 1440, height: 900 } });
    await storeFor(page, url, { token: host.token, loginUser: JSON.stringify(host.user) });
    await page.goto(`${url}/#/record-details/${id}`);
    const isReady = `(document.querySelector('[data-testid="player-video"]')?.readyState ?? 0) >= 2`;
    await until('the programme has a picture', () => page.evaluate<boolean>(isReady));
    await page.evaluate(TOOLS);
    return new RecordingPage(page);
  }

  /** Plays the programme at its own speed. */
  async played(): Promise<{ pictures: Seen[]; sounds: Heard[]; everySeconds: number }> {
    const { seen, heard } = await this.#page.evaluate<{
      seen: { at: number; rgb: number[] | null }[];
      heard: { at: number; levels: number[] }[];
    }>('rmeetSoak.play()');
    return {
      pictures: seen.map(({ at, rgb }) => ({ at, colour: rgb && nearest(rgb) })),
      sounds: heard.map(({ at, levels }) => ({ at, tones: TONES.filter((_, n) => levels[n]! > HEARD) })),
      everySeconds: 0.1,
    };
  }

  /** Shows the meeting as it was seen from now on. */
  async asSeen(): Promise<void> {
    await this.#page.getByTestId('as-seen').click();
    await this.#page.getByTestId('seen').waitFor();
  }

  /** The meeting as it was seen at a position; seconds. */
  async seenAt(position: number): Promise<SeenAt> {
    type Cell = SeenAt['cells'][number] & { rgb: number[] | null };
    const { cells, ...others } = await this.#page.evaluate<Omit<SeenAt, 'cells'> & { cells: Cell[] }>(
      `rmeetSoak.lookAt(${position})`,
    );
    const named = ({ rgb, ...cell }: Cell): SeenAt['cells'][number] => ({ ...cell, colour: rgb && nearest(rgb) });
    return { ...others, cells: cells.map(named) };
  }

  async screenshot(path: string): Promise<void> {
    await this.#page.screenshot({ path });
  }
}
