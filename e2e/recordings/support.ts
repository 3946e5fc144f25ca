import type { RunningServer } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import {
  storeRecording,
  type StoredOptions,
  type StoredRecording,
} from '../../packages/recorder/test/stored-recording.ts';

/** Puts a recording of twelve seconds into the server; see `storeRecording`. */
export function store({ data, databaseUrl }: RunningServer, options: StoredOptions = {}): Promise<StoredRecording> {
  if (databaseUrl === undefined) throw new Error('The server has its own database.');
  return storeRecording({ folder: data, databaseUrl }, options);
}

/** The colour near the corner of a video, beside its counter: `red`, `blue`, or its values. */
export const colourOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate(`(() => {
    const video = document.querySelector(${JSON.stringify(selector)});
    if (!video || video.readyState < 2) return 'none';
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d');
    context.drawImage(video, video.videoWidth / 8, video.videoHeight / 8, 1, 1, 0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    if (red > 120 && blue < 110) return 'red';
    if (blue > 120 && red < 110) return 'blue';
    return [red, green, blue].join(' ');
  })()`);

export const PROGRAMME = '[data-testid="player-video"]';
