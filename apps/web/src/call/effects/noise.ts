import { loadRnnoise, RnnoiseWorkletNode } from '@sapphi-red/web-noise-suppressor';
import simdUrl from '@sapphi-red/web-noise-suppressor/rnnoise_simd.wasm?url&no-inline';
import url from '@sapphi-red/web-noise-suppressor/rnnoise.wasm?url&no-inline';
// oxlint-disable-next-line import/default -- The address of the file; its exports are not used here.
import workletUrl from '@sapphi-red/web-noise-suppressor/rnnoiseWorklet.js?url&no-inline';
import type { TrackEffect } from './track-effect.ts';

/** RNNoise works at this rate only. */
const RATE = 48_000;

/** A copy of a microphone's track without noise, computed by RNNoise in an audio worklet. */
export async function suppressNoise(source: MediaStreamTrack): Promise<TrackEffect> {
  const context = new AudioContext({ sampleRate: RATE });
  try {
    const [wasmBinary] = await Promise.all([loadRnnoise({ url, simdUrl }), context.audioWorklet.addModule(workletUrl)]);
    const input = context.createMediaStreamSource(new MediaStream([source]));
    const filter = new RnnoiseWorkletNode(context, { maxChannels: 1, wasmBinary });
    const output = new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
    input.connect(filter).connect(output);
    const stopWaking = keepAwake(context);
    const [track] = output.stream.getAudioTracks();
    if (track === undefined) throw new Error('no track of the filter');
    const stop = () => {
      stopWaking();
      filter.destroy();
      track.stop();
      void context.close();
    };
    return { track, stop };
  } catch (error) {
    void context.close();
    throw error;
  }
}

/** An AudioContext that starts before the first click on the page is suspended until there is one. */
function keepAwake(context: AudioContext): () => void {
  const over = new AbortController();
  const wake = () => void context.resume();
  wake();
  for (const event of ['pointerdown', 'keydown']) addEventListener(event, wake, { signal: over.signal, capture: true });
  return () => over.abort();
}
