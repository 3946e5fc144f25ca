import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalMedia, SHARE_DEFAULTS } from '../../src/call/index.ts';

const off = { on: false, deviceId: null };

/** A screen as the browser captures it; `refuses`: it cannot change its rate. */
function screenTrack({ displaySurface = 'window', refuses = false } = {}) {
  return Object.assign(new EventTarget(), {
    kind: 'video',
    contentHint: '',
    stop: vi.fn(),
    getSettings: () => ({ displaySurface }),
    applyConstraints: vi.fn(() => (refuses ? Promise.reject(new Error('no')) : Promise.resolve())),
  });
}

let track: ReturnType<typeof screenTrack>;
const getDisplayMedia = vi.fn<(options: DisplayMediaStreamOptions) => Promise<unknown>>(() =>
  Promise.resolve({ getTracks: () => [track], getVideoTracks: () => [track], getAudioTracks: () => [] }),
);

beforeEach(() => {
  track = screenTrack();
  vi.stubGlobal('navigator', { mediaDevices: { getDisplayMedia } });
});
afterEach(() => {
  vi.unstubAllGlobals();
  getDisplayMedia.mockClear();
});

const media = () => new LocalMedia({ camera: off, microphone: off, speakerId: null });
const rate = (value: number) => ({ frameRate: { ideal: value, max: value } });

test('a share begins with sharp text at 15 pictures a second, with sound, and labels its content', async () => {
  const local = media();
  await local.share();
  expect(getDisplayMedia).toHaveBeenCalledWith(expect.objectContaining({ video: rate(15), systemAudio: 'include' }));
  expect(track.contentHint).toBe('detail');
  expect(local.store.getSnapshot().screen).toMatchObject({ surface: 'window', paused: false });
});

test('smooth motion is applied while it is shared, and to the next share', async () => {
  const local = media();
  await local.share();
  local.setShareOptions({ hint: 'motion', rate: 30 });
  expect(track.contentHint).toBe('motion');
  expect(track.applyConstraints).toHaveBeenCalledWith(rate(30));
  local.stopShare();
  expect(track.stop).toHaveBeenCalled();
  track = screenTrack({ displaySurface: 'unheard of' });
  await local.share();
  expect(getDisplayMedia).toHaveBeenLastCalledWith(expect.objectContaining({ video: rate(30) }));
  expect(local.store.getSnapshot().screen).toMatchObject({ surface: 'unknown', options: { hint: 'motion', rate: 30 } });
});

test('a source that cannot change its rate continues', async () => {
  track = screenTrack({ refuses: true });
  const local = media();
  await local.share();
  local.setShareOptions({ ...SHARE_DEFAULTS, rate: 5 });
  await vi.waitFor(() => expect(track.applyConstraints).toHaveBeenCalled());
  expect(local.store.getSnapshot().screen.video).toBe(track);
});

test('the browser’s own button ends a share', async () => {
  const local = media();
  await local.share();
  track.dispatchEvent(new Event('ended'));
  expect(local.store.getSnapshot().screen).toMatchObject({ video: null, paused: false });
});
