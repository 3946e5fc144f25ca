import graph from '@mediapipe/selfie_segmentation/selfie_segmentation.binarypb?url&no-inline';
import script from '@mediapipe/selfie_segmentation/selfie_segmentation.js?url&no-inline';
import square from '@mediapipe/selfie_segmentation/selfie_segmentation.tflite?url&no-inline';
import landscape from '@mediapipe/selfie_segmentation/selfie_segmentation_landscape.tflite?url&no-inline';
import simdScript from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_simd_wasm_bin.js?url&no-inline';
import simdWasm from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_simd_wasm_bin.wasm?url&no-inline';
import plainScript from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_wasm_bin.js?url&no-inline';
import plainWasm from '@mediapipe/selfie_segmentation/selfie_segmentation_solution_wasm_bin.wasm?url&no-inline';
import type { SelfieSegmentation } from '@mediapipe/selfie_segmentation';

/** The files that MediaPipe asks for, under the addresses of the build. */
const FILES: Record<string, string> = {
  'selfie_segmentation.binarypb': graph,
  'selfie_segmentation.tflite': square,
  'selfie_segmentation_landscape.tflite': landscape,
  'selfie_segmentation_solution_simd_wasm_bin.js': simdScript,
  'selfie_segmentation_solution_simd_wasm_bin.wasm': simdWasm,
  'selfie_segmentation_solution_wasm_bin.js': plainScript,
  'selfie_segmentation_solution_wasm_bin.wasm': plainWasm,
};

/** The longer side of the picture given to the model, which itself computes with 256 by 144. */
const LONG = 256;
const SHORT = 144;

declare global {
  interface Window {
    /** Set by MediaPipe's script, which is no module. */
    SelfieSegmentation?: new (config: { locateFile: (name: string) => string }) => SelfieSegmentation;
  }
}

/** Finds the person in a picture. */
export interface Segmenter {
  /** A small picture, opaque where the person is; valid until the next call. */
  segment(picture: CanvasImageSource, isPortrait: boolean): Promise<CanvasImageSource>;
}

let loaded: Promise<Segmenter> | null = null;

/** Loads MediaPipe from our own server, once for this page. Rejects if that fails; the next call tries again. */
export function loadSegmenter(): Promise<Segmenter> {
  loaded ??= load().catch((error: unknown) => {
    loaded = null;
    throw error;
  });
  return loaded;
}

async function load(): Promise<Segmenter> {
  if (window.SelfieSegmentation === undefined) await loadScript(script);
  if (window.SelfieSegmentation === undefined) throw new Error('MediaPipe has not started');
  const solution = new window.SelfieSegmentation({ locateFile: (name) => FILES[name] ?? name });
  // On software graphics, the processor is ten times as fast; with a graphics card there is no wait for its answer.
  const options = (isPortrait: boolean) => ({ useCpuInference: true, modelSelection: isPortrait ? 0 : 1 });
  let wasPortrait = false;
  let mask: CanvasImageSource | null = null;
  solution.setOptions(options(wasPortrait));
  solution.onResults(({ segmentationMask }) => {
    mask = segmentationMask;
  });
  await solution.initialize();
  const input = document.createElement('canvas');
  const context = input.getContext('2d');
  return {
    async segment(picture, isPortrait) {
      if (isPortrait !== wasPortrait) solution.setOptions(options(isPortrait));
      wasPortrait = isPortrait;
      [input.width, input.height] = isPortrait ? [SHORT, LONG] : [LONG, SHORT];
      context?.drawImage(picture, 0, 0, input.width, input.height);
      await solution.send({ image: input });
      if (mask === null) throw new Error('MediaPipe has not answered');
      return mask;
    },
  };
}

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = url;
    element.addEventListener('load', () => resolve());
    element.addEventListener('error', () => reject(new Error(`cannot load ${url}`)));
    document.head.append(element);
  });
}
