import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';

const run = promisify(execFile);

/** Cameras and microphones of a page that show and play what a scenario gives: scripts for `enter`. */

/** A camera with stripes; `picture` (a data URL) in the middle, `dark` for one without light. */
export function cameraScript({ picture = '', dark = false } = {}): string {
  return `{
    const given = ${JSON.stringify({ picture, dark })};
    const before = navigator.mediaDevices.getUserMedia;
    const [width, height] = [640, 360];
    const image = new Image();
    image.src = given.picture;
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      if (!constraints.video) return before(constraints);
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [width, height];
      const context = canvas.getContext('2d');
      const draw = () => {
        for (let at = 0; at < 40; at++) {
          context.fillStyle = given.dark ? '#0a0a0a' : at % 2 ? '#d02020' : '#20c040';
          context.fillRect(at * 16, 0, 16, height);
        }
        if (image.naturalWidth) context.drawImage(image, 140, 0, 360, 360);
      };
      draw();
      const timer = setInterval(draw, 100);
      const [track] = canvas.captureStream(10).getVideoTracks();
      const stop = track.stop.bind(track);
      track.stop = () => { clearInterval(timer); stop(); };
      const sound = constraints.audio ? await before({ audio: constraints.audio }) : new MediaStream();
      return new MediaStream([track, ...sound.getAudioTracks()]);
    };
  }`;
}

/** Keeps what is captured: see `systemTakes`. */
export const KEPT_TRACKS = `{
  const before = navigator.mediaDevices.getUserMedia;
  window.captured = [];
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    const stream = await before(constraints);
    captured.push(...stream.getTracks());
    return stream;
  };
}`;

/** What the browser tells a page when the system takes a device, such as for a phone call, or gives it back. */
export function systemTakes(page: Page, kind: 'audio' | 'video', takes: boolean): Promise<unknown> {
  return page.evaluate(
    `captured.findLast(({ kind }) => kind === '${kind}').dispatchEvent(new Event('${takes ? 'mute' : 'unmute'}'))`,
  );
}

/** A phone with a camera on each side, which show the same picture. */
export const TWO_CAMERAS = `{
  const devices = navigator.mediaDevices;
  const [front, list] = [devices.getUserMedia, devices.enumerateDevices];
  devices.getUserMedia = async (constraints) => {
    const stream = await front(constraints);
    const facingMode = constraints.video?.facingMode?.ideal ?? 'user';
    for (const track of stream.getVideoTracks()) {
      const settings = track.getSettings.bind(track);
      track.getSettings = () => ({ ...settings(), facingMode });
    }
    return stream;
  };
  devices.enumerateDevices = async () => {
    const all = await list();
    const camera = all.find(({ kind }) => kind === 'videoinput');
    return [...all, { ...camera, kind: 'videoinput', deviceId: 'back', label: 'Back camera' }];
  };
}`;

/** A microphone that plays samples again and again; `samples` is JavaScript that makes a Float32Array at 48 kHz. */
export function microphoneScript(samples: string): string {
  return `{
    const before = navigator.mediaDevices.getUserMedia;
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const others = constraints.video ? await before({ video: constraints.video }) : new MediaStream();
      if (!constraints.audio) return others;
      const context = new AudioContext({ sampleRate: 48000 });
      const samples = ${samples};
      const buffer = new AudioBuffer({ length: samples.length, sampleRate: 48000 });
      buffer.copyToChannel(samples, 0);
      const source = new AudioBufferSourceNode(context, { buffer, loop: true });
      const output = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
      source.connect(output);
      source.start();
      return new MediaStream([...others.getVideoTracks(), ...output.stream.getAudioTracks()]);
    };
    const Peer = window.RTCPeerConnection;
    const peers = [];
    window.RTCPeerConnection = class extends Peer {
      constructor(...given) { super(...given); peers.push(this); }
    };
    /** The level in dB of full scale of what the page sends, over some milliseconds. */
    window.sentLevel = async (milliseconds) => {
      const sender = peers.flatMap((peer) => peer.getSenders()).find((one) => one.track?.kind === 'audio');
      if (!sender) return null;
      const context = new AudioContext({ sampleRate: 48000 });
      const analyser = new AnalyserNode(context, { fftSize: 4096 });
      new MediaStreamAudioSourceNode(context, { mediaStream: new MediaStream([sender.track]) }).connect(analyser);
      const samples = new Float32Array(4096);
      let [sum, count] = [0, 0];
      const end = performance.now() + milliseconds;
      while (performance.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 80));
        analyser.getFloatTimeDomainData(samples);
        for (const sample of samples) sum += sample * sample;
        count += samples.length;
      }
      await context.close();
      return 10 * Math.log10(sum / count + 1e-12);
    };
  }`;
}

/** Steady noise as of a fan, about -30 dB of full scale. */
export const FAN = `(() => {
  const noise = new Float32Array(96000);
  let seed = 7, low = 0;
  for (let at = 0; at < noise.length; at++) {
    seed = (seed * 1664525 + 1013904223) % 4294967296;
    low += 0.2 * ((seed / 2147483648 - 1) - low);
    noise[at] = 0.16 * low;
  }
  return noise;
})()`;

/** The course of speech: loud for a third of a second, then a short pause. */
export const BABBLE = `Float32Array.from({ length: 48000 }, (_, at) =>
  at % 24000 < 16000 ? 0.3 * Math.sin(at / 40) * Math.sin(at / 300) : 0)`;

/** The level in dB of what a page sends. */
export function sentLevel(page: Page, milliseconds = 1_500): Promise<number | null> {
  return page.evaluate<number | null>(`sentLevel(${milliseconds})`);
}

/** How much neighbouring pixels differ, and the mean colour, of a part of the own picture (shares of its size). */
export async function lookAt(
  page: Page,
  part: { x: number; y: number; width: number; height: number },
): Promise<{ contrast: number; colour: number[] }> {
  return page.evaluate<{ contrast: number; colour: number[] }>(`(() => {
    const video = document.querySelector(
      '[data-testid="settings-picture"] video, [data-own=true] video, .preview video');
    if (!video?.videoWidth) return { contrast: -1, colour: [] };
    const part = ${JSON.stringify(part)};
    const canvas = new OffscreenCanvas(640, 360);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(video, 0, 0, 640, 360);
    const [width, height] = [part.width * 640, part.height * 360].map(Math.round);
    const { data } = context.getImageData(Math.round(part.x * 640), Math.round(part.y * 360), width, height);
    let difference = 0, pairs = 0;
    const sum = [0, 0, 0];
    for (let row = 0; row < height; row++)
      for (let column = 0; column < width; column++) {
        const at = 4 * (row * width + column);
        for (let c = 0; c < 3; c++) sum[c] += data[at + c];
        if (column < 8) continue;
        for (let c = 0; c < 3; c++) difference += Math.abs(data[at + c] - data[at + c - 32]);
        pairs += 3;
      }
    return { contrast: difference / pairs, colour: sum.map((value) => Math.round(value / (width * height))) };
  })()`);
}

/**
 * A picture of a face out of a package of PyPI, as a data URL; null where it cannot be fetched. It shows the astronaut
 * Eileen Collins (NASA, public domain).
 */
export async function facePicture(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-face-'));
  try {
    await run('pip', ['download', '--no-deps', '--only-binary=:all:', '-q', '-d', folder, 'scikit-image'], {
      timeout: 90_000,
    });
    const unpack =
      'import sys,glob,zipfile;' +
      "zipfile.ZipFile(glob.glob(sys.argv[1]+'/*.whl')[0]).extract('skimage/data/astronaut.png',sys.argv[1])";
    await run('python3', ['-c', unpack, folder]);
    const bytes = await readFile(join(folder, 'skimage', 'data', 'astronaut.png'));
    return `data:image/png;base64,${bytes.toString('base64')}`;
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A sentence spoken by espeak-ng, as JavaScript for `microphoneScript`; null where it is not installed. */
export async function spokenSentence(): Promise<string | null> {
  try {
    const { stdout } = await run(
      'espeak-ng',
      ['--stdout', '-s', '150', 'Good morning everybody. The ward round begins in five minutes in room seven.'],
      { encoding: 'buffer', maxBuffer: 10_000_000 },
    );
    const rate = stdout.readUInt32LE(24);
    // espeak writes its length as unknown; the samples follow the header of 44 bytes.
    return `(() => {
      const bytes = Uint8Array.from(atob('${stdout.subarray(44).toString('base64')}'), (c) => c.charCodeAt(0));
      const spoken = new Int16Array(bytes.buffer, 0, bytes.length >> 1);
      const length = Math.floor((spoken.length * 48000) / ${rate});
      return Float32Array.from({ length }, (_, at) => {
        const place = (at * ${rate}) / 48000, before = Math.floor(place), share = place - before;
        return ((1 - share) * spoken[before] + share * (spoken[before + 1] ?? 0)) / 32768;
      });
    })()`;
  } catch {
    return null;
  }
}
