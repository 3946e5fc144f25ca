import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { Participant } from '@rmeet/participant';
import { startCallBrowser, startRelay, until, type CallBrowser, type CallPage, type Impairment } from '@rmeet/testkit';
import type { Benchmark, Report } from './report.ts';
import { livekitMissing, startLiveKit, startRmeet, type RunningEngine } from './sfu/engines.ts';
import { benchToken } from './sfu/setup.ts';

/** Bits per second of the lowest of three layers; the top one has ten times as much. */
const LOWEST_LAYER = 250_000;
const SETTLE_MS = 8_000;
const MEASURED_MS = 20_000;
const LOOK_MS = 1_000;
const DELAY_MS = 20;

/** The impairments of the receiver's network, in both directions or towards it. */
const CASES: Record<string, { up: Impairment; down: Impairment }> = Object.fromEntries([
  ...[0, 2, 5, 10].map(
    (percent) =>
      [
        `loss ${percent} %`,
        { up: { loss: percent / 100, delay: DELAY_MS }, down: { loss: percent / 100, delay: DELAY_MS } },
      ] as const,
  ),
  ...[300, 600, 1_500].map(
    (kilobits) =>
      [
        `${kilobits} kbit/s`,
        { up: { delay: DELAY_MS }, down: { delay: DELAY_MS, bandwidth: kilobits * 1000 } },
      ] as const,
  ),
]);

interface Looked {
  freezes: number;
  freezeSeconds: number;
  frames: number;
  concealed: number;
  samples: number;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function look(page: CallPage): Promise<Looked & { width: number }> {
  const [video, audio] = [await page.stream('video', 'publisher'), await page.stream('audio', 'publisher')];
  return {
    freezes: video?.freezes ?? 0,
    freezeSeconds: video?.freezeSeconds ?? 0,
    frames: video?.framesDecoded ?? 0,
    width: video?.frameWidth ?? 0,
    concealed: audio?.concealed ?? 0,
    samples: audio?.samples ?? 0,
  };
}

/**
 * The engine's bandwidth estimate towards the receiver, bits per second; undefined if its metrics do not contain it.
 */
async function estimateOf(engine: RunningEngine): Promise<number | undefined> {
  if (engine.served.by !== 'rmeet') return undefined;
  const text = await (await fetch(`${engine.served.url.replace('ws', 'http')}/metrics`)).text();
  const found = /^rmeet_sfu_estimate_bits_per_second (\S+)$/m.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

async function measure(report: Report, browser: CallBrowser, engine: RunningEngine, name: string): Promise<void> {
  const { served } = engine;
  if (served.by === 'janus' || engine.udpPort === undefined) throw new Error("LiveKit's protocol only");
  const token = (identity: string): Promise<string> => benchToken(served.apiKey, served.apiSecret, identity);
  const publisher = await Participant.connect({ url: served.url, token: await token('publisher'), feedback: true });
  const relay = await startRelay({ targetPort: engine.udpPort, up: { delay: DELAY_MS }, down: { delay: DELAY_MS } });
  try {
    await publisher.publishVideo({ simulcast: true, bitrate: LOWEST_LAYER });
    await publisher.publishAudio();
    const page = await browser.open('receiver');
    await page.page.evaluate(relay.pageScript());
    await page.run('join', served.url, await token('receiver'), {});
    await until('the picture comes', async () => (await look(page)).frames > 10, { within: 20_000 });
    [relay.up.impairment, relay.down.impairment] = [CASES[name]!.up, CASES[name]!.down];
    await wait(SETTLE_MS);
    const before = await look(page);
    const [widths, estimates]: [number[], number[]] = [[], []];
    const began = performance.now();
    while (performance.now() - began < MEASURED_MS) {
      widths.push((await look(page)).width);
      estimates.push(...[await estimateOf(engine)].filter((estimate) => estimate !== undefined));
      await wait(LOOK_MS);
    }
    const [after, seconds] = [await look(page), (performance.now() - began) / 1000];
    const grown = (figure: keyof Looked): number => after[figure] - before[figure];
    const label = `${served.by} ${name}`;
    const figures: [figure: string, value: number, unit: string][] = [
      ['freezes', grown('freezes'), 'times'],
      ['frozen', (100 * grown('freezeSeconds')) / seconds, '% of the time'],
      ['frames', grown('frames') / seconds, 'frames/s'],
      ['concealed_audio', (100 * grown('concealed')) / Math.max(1, grown('samples')), '% of samples'],
      ...[320, 640, 1_280].map((width): [string, number, string] => [
        `at_${width}`,
        (100 * widths.filter((seen) => seen === width).length) / widths.length,
        '% of the time',
      ]),
      ...(estimates.length > 0
        ? [
            [
              'estimate',
              estimates.reduce((sum, estimate) => sum + estimate, 0) / estimates.length / 1000,
              'kbit/s',
            ] as [string, number, string],
          ]
        : []),
      ['machine_load', loadavg()[0] ?? Number.NaN, 'load average'],
    ];
    for (const [figure, value, unit] of figures) report({ case: label, figure, value, unit });
    console.log(`${label}: width each second ${widths.join(' ')}`);
  } finally {
    publisher.leave();
    await browser.clear();
    await relay.close();
  }
}

/**
 * What one real receiver sees and hears through a bad network: the engines in turn, `--case "loss 5 %,600 kbit/s"
 * --engines rmeet`.
 */
const loss: Benchmark = async (report, args) => {
  const { values } = parseArgs({ args: [...args], options: { case: { type: 'string' }, engines: { type: 'string' } } });
  const names = values.case?.split(',') ?? Object.keys(CASES);
  if (names.some((name) => CASES[name] === undefined)) throw new Error(`Cases are ${Object.keys(CASES).join(', ')}.`);
  const engines = values.engines?.split(',') ?? ['rmeet', 'livekit'];
  const missing = engines.includes('livekit') ? livekitMissing() : undefined;
  const browser = await startCallBrowser();
  try {
    for (const name of names) {
      for (const by of engines) {
        if (by === 'livekit' && missing !== undefined) continue;
        const engine = await (by === 'livekit' ? startLiveKit() : startRmeet());
        try {
          await measure(report, browser, engine, name);
        } finally {
          await engine.stop();
        }
      }
    }
  } finally {
    await browser.close();
  }
  return (
    `One receiver behind a bad network, of a publisher with a top layer of ${LOWEST_LAYER / 100_000} ` +
    `Mbit/s.${missing === undefined ? '' : ` ${missing}`}`
  );
};
export default loss;
