/** How the microphone's noise is reduced: by the browser, or by RNNoise on this computer (`enhanced`). */
export type NoiseSuppression = 'off' | 'browser' | 'enhanced';

export interface AudioProcessing {
  noise: NoiseSuppression;
  echo: boolean;
  gain: boolean;
}

/** What replaces the background of the own camera; `own` is a picture kept in this browser. */
export const BACKGROUNDS = ['none', 'blurLight', 'blurStrong', 'dawn', 'meadow', 'slate', 'paper', 'own'] as const;
export type Background = (typeof BACKGROUNDS)[number];

export const DEFAULT_PROCESSING: AudioProcessing = { noise: 'browser', echo: true, gain: true };

/** The microphone's constraints. RNNoise gets the unfiltered sound: after another filter it distorts speech. */
export function audioConstraints({ noise, echo, gain }: AudioProcessing): MediaTrackConstraints {
  return { echoCancellation: echo, noiseSuppression: noise === 'browser', autoGainControl: gain };
}
