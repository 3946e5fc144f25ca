/** The prepared clips: pictures, tones and layers. */

/** Possible colours of a video, as red, green and blue of 0 to 255. */
export const COLOURS = {
  red: [208, 32, 32],
  green: [32, 160, 64],
  blue: [32, 64, 208],
  yellow: [224, 192, 32],
  magenta: [192, 48, 176],
  cyan: [32, 176, 192],
} as const satisfies Record<string, readonly [number, number, number]>;
export type Colour = keyof typeof COLOURS;

/** Frequencies of the prepared tones in hertz: far enough apart to be distinguished by ear and by a short transform. */
export const TONES = [300, 500, 700, 900, 1100, 1300, 1500, 1700, 1900, 2100] as const;
export type Tone = (typeof TONES)[number];

export const FRAMES_PER_SECOND = 15;

/** Simulcast layers from low to high, with the rid of LiveKit's clients. */
export const LAYERS = [
  { rid: 'q', width: 320, height: 180 },
  { rid: 'h', width: 640, height: 360 },
  { rid: 'f', width: 1280, height: 720 },
] as const;
export type LayerHeight = (typeof LAYERS)[number]['height'];

export type VideoCodec = 'vp8' | 'h264';

/** The picture of a phone that is held upright. */
export const PHONE = { colour: 'cyan', width: 720, height: 1280 } as const satisfies {
  colour: Colour;
  width: number;
  height: number;
};

/**
 * A picture and a sound by which their distance is measured: at each even second of Unix time the field of the counter
 * is white, and beside the steady tone there is one of `hertz`, both for `seconds`.
 */
export const CLAP = { colour: 'blue', tone: 700, hertz: 2_700, seconds: 0.2, everySeconds: 2 } as const satisfies {
  colour: Colour;
  tone: Tone;
  hertz: number;
  seconds: number;
  everySeconds: number;
};
