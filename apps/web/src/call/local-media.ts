import { deviceErrorOf, pageAbilities, pageRefusal, type DeviceError } from './device-errors.ts';
import { audioConstraints, DEFAULT_PROCESSING, type AudioProcessing, type Background } from './effects/choices.ts';
import type { TrackEffect } from './effects/track-effect.ts';
import type { VideoHandle } from './media-types.ts';
import {
  applyShareOptions,
  screenRequest,
  SHARE_DEFAULTS,
  stillOf,
  surfaceOf,
  type ShareOptions,
  type ShareSurface,
} from './share.ts';
import { Store, type ReadableStore } from './store.ts';

export type CaptureKind = 'camera' | 'microphone';

export interface Capture {
  /** Requested by the user; while `pending` the track may be missing. */
  on: boolean;
  pending: boolean;
  /** What is sent. */
  track: MediaStreamTrack | null;
  /** The device's own track: another one than `track` while an effect changes it. */
  source: MediaStreamTrack | null;
  /** The selected device; null follows the browser's default. */
  deviceId: string | null;
  /** Why it is off although requested. */
  error: DeviceError | null;
  /** The system has taken the device for a while, for example for a phone call: it delivers nothing. */
  interrupted: boolean;
}

export interface ScreenCapture {
  pending: boolean;
  /** What is sent; while paused, a still picture. */
  video: MediaStreamTrack | null;
  audio: MediaStreamTrack | null;
  error: DeviceError | null;
  paused: boolean;
  surface: ShareSurface;
  options: ShareOptions;
}

export interface Devices {
  cameras: MediaDeviceInfo[];
  microphones: MediaDeviceInfo[];
  speakers: MediaDeviceInfo[];
}

/** A change of a device or of an effect that the user did not cause. */
export interface DeviceNotice {
  id: number;
  code:
    | 'cameraFellBack'
    | 'cameraLost'
    | 'microphoneFellBack'
    | 'microphoneLost'
    | 'speakerFellBack'
    | 'backgroundTooSlow'
    | 'backgroundFailed'
    | 'backgroundFailedCameraOff'
    | 'noiseFailed';
  /** Label of the device used instead; empty when there is none. */
  label: string;
}

export interface LocalMediaState {
  camera: Capture;
  microphone: Capture;
  screen: ScreenCapture;
  devices: Devices;
  /** Output device; null follows the browser's default. */
  speakerId: string | null;
  processing: AudioProcessing;
  background: Background;
  /** Why the background that the user chose is off. */
  backgroundProblem: 'tooSlow' | 'failed' | null;
  notice: DeviceNotice | null;
}

/** The user's last choice. */
export interface MediaPreferences {
  camera: { on: boolean; deviceId: string | null };
  microphone: { on: boolean; deviceId: string | null };
  speakerId: string | null;
  processing?: AudioProcessing;
  background?: Background;
}

const CAMERA: MediaTrackConstraints = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
const NO_SCREEN = { pending: false, video: null, audio: null, error: null, paused: false, surface: 'unknown' } as const;

/**
 * The user's camera, microphone and screen: captured by the preview, passed to the call, released by `dispose`. Never
 * throws; errors are part of the state. A camera that is off is released, so that its light goes out; a muted
 * microphone stays captured but disabled, so that unmuting loses no audio. A chosen background is in the picture before
 * anybody sees it.
 */
export class LocalMedia {
  readonly #store: Store<LocalMediaState>;
  /** From `start` to `dispose`. */
  #lifetime = new AbortController();
  #notices = 0;
  readonly #handles = new WeakMap<MediaStreamTrack, VideoHandle>();
  /** Counts requests per kind; results of older requests are dropped. */
  readonly #requests = { camera: 0, microphone: 0, screen: 0 };
  /** The captured screen; what is sent differs while paused. */
  #screen: MediaStreamTrack | null = null;
  readonly #effects: Record<CaptureKind, TrackEffect | null> = { camera: null, microphone: null };
  /** Counts the starts of effects; an effect that is ready too late is dropped. */
  readonly #effectStarts = { camera: 0, microphone: 0 };
  /** The side of a phone's camera, once the user has changed it. */
  #facing: 'user' | 'environment' | null = null;

  constructor(preferences: MediaPreferences) {
    const capture = (kind: CaptureKind): Capture => ({
      on: preferences[kind].on,
      deviceId: preferences[kind].deviceId,
      pending: false,
      track: null,
      source: null,
      error: null,
      interrupted: false,
    });
    this.#store = new Store<LocalMediaState>({
      camera: capture('camera'),
      microphone: capture('microphone'),
      screen: { ...NO_SCREEN, options: SHARE_DEFAULTS },
      devices: { cameras: [], microphones: [], speakers: [] },
      speakerId: preferences.speakerId,
      processing: preferences.processing ?? DEFAULT_PROCESSING,
      background: preferences.background ?? 'none',
      backgroundProblem: null,
      notice: null,
    });
  }

  get store(): ReadableStore<LocalMediaState> {
    return this.#store;
  }

  get #state(): LocalMediaState {
    return this.#store.getSnapshot();
  }

  /** Captures the wanted devices, with one permission prompt for both if possible. */
  async start(): Promise<void> {
    this.#lifetime = new AbortController();
    const page = pageAbilities();
    const refusal = pageRefusal(page);
    if (refusal !== null) {
      for (const kind of ['camera', 'microphone'] as const) this.#setCapture(kind, { on: false, error: refusal });
      return;
    }
    navigator.mediaDevices.addEventListener('devicechange', () => void this.#devicesChanged(), {
      signal: this.#lifetime.signal,
    });
    await this.#listDevices();
    const { camera, microphone } = this.#state;
    if (camera.on && microphone.on && (await this.#captureBoth())) return;
    await Promise.all(
      (['camera', 'microphone'] as const).filter((kind) => this.#state[kind].on).map((kind) => this.#capture(kind)),
    );
  }

  async setOn(kind: CaptureKind, on: boolean): Promise<void> {
    const { track, source, interrupted } = this.#state[kind];
    // Some phones give an interrupted device back only on a new request.
    if (on && track !== null && !interrupted) {
      enable(true, track, source);
      this.#setCapture(kind, { on: true, error: null });
      return;
    }
    if (on) {
      this.#setCapture(kind, { on: true });
      await this.#capture(kind);
      return;
    }
    this.#requests[kind] += 1;
    if (kind === 'microphone' && track !== null) {
      enable(false, track, source);
      this.#setCapture(kind, { on: false, pending: false });
      return;
    }
    this.#setCapture(kind, { on: false, pending: false });
    this.#release(kind);
  }

  /** Selects another device, used at once if the capture is on. */
  async choose(kind: CaptureKind, deviceId: string | null): Promise<void> {
    this.#setCapture(kind, { deviceId });
    await this.#captureAgain(kind);
  }

  /** Whether this is a phone with a camera on each side. */
  get canFlip(): boolean {
    const { camera, devices } = this.#state;
    return devices.cameras.length > 1 && camera.source?.getSettings().facingMode !== undefined;
  }

  /** Uses the phone's other camera. */
  async flip(): Promise<void> {
    const { source } = this.#state.camera;
    this.#facing = source?.getSettings().facingMode === 'environment' ? 'user' : 'environment';
    // A phone opens one camera at a time.
    source?.stop();
    this.#setCapture('camera', { deviceId: null });
    await this.#captureAgain('camera');
  }

  /** Changes how the microphone's sound is processed, at once if it is on. */
  async setProcessing(change: Partial<AudioProcessing>): Promise<void> {
    const before = this.#state.processing;
    const processing = { ...before, ...change };
    this.#store.set({ processing });
    const { source } = this.#state.microphone;
    const isSame = JSON.stringify(audioConstraints(before)) === JSON.stringify(audioConstraints(processing));
    if (!isSame) await this.#captureAgain('microphone');
    else if (source !== null) await this.#pass('microphone', source);
  }

  /** Blurs or replaces the background of the camera. */
  async setBackground(background: Background): Promise<void> {
    this.#store.set({ background, backgroundProblem: null });
    const { source } = this.#state.camera;
    if (source !== null) await this.#pass('camera', source);
  }

  /** Milliseconds that the background effect computes for each frame; null without an effect. */
  backgroundCost(): number | null {
    return this.#effects.camera?.cost?.() ?? null;
  }

  chooseSpeaker(speakerId: string | null): void {
    this.#store.set({ speakerId });
  }

  /** Asks the user for a screen, window or tab. Cancelling is not an error. */
  async share(): Promise<void> {
    const request = ++this.#requests.screen;
    this.#store.set({ screen: { ...this.#state.screen, pending: true, error: null } });
    try {
      const stream = await navigator.mediaDevices.getDisplayMedia(screenRequest(this.#state.screen.options));
      const video = stream.getVideoTracks()[0] ?? null;
      if (request !== this.#requests.screen || this.#lifetime.signal.aborted || video === null) {
        for (const track of stream.getTracks()) track.stop();
        return;
      }
      const { options } = this.#state.screen;
      video.contentHint = options.hint;
      // The browser's own toolbar can end a share.
      video.addEventListener('ended', () => this.#screen === video && this.stopShare());
      this.#stopScreen();
      this.#screen = video;
      const audio = stream.getAudioTracks()[0] ?? null;
      this.#store.set({ screen: { ...NO_SCREEN, options, video, audio, surface: surfaceOf(video) } });
    } catch (error) {
      if (request !== this.#requests.screen) return;
      const code = deviceErrorOf(error, pageAbilities());
      const cancelled = code === 'permissionDenied' || code === 'permissionDismissed';
      this.#store.set({ screen: { ...this.#state.screen, pending: false, error: cancelled ? null : code } });
    }
  }

  stopShare(error: DeviceError | null = null): void {
    this.#requests.screen += 1;
    this.#stopScreen();
    this.#store.set({ screen: { ...NO_SCREEN, options: this.#state.screen.options, error } });
  }

  /** Sends the last picture, with the sign for a pause, and silence instead of what is shared. */
  async pauseShare(): Promise<void> {
    const source = this.#screen;
    if (source === null || this.#state.screen.paused) return;
    const still = await stillOf(source);
    const { screen } = this.#state;
    if (this.#screen !== source || screen.paused) {
      still.stop();
      return;
    }
    if (screen.audio !== null) screen.audio.enabled = false;
    this.#store.set({ screen: { ...screen, video: still, paused: true } });
  }

  resumeShare(): void {
    const { screen } = this.#state;
    if (!screen.paused) return;
    screen.video?.stop();
    if (screen.audio !== null) screen.audio.enabled = true;
    this.#store.set({ screen: { ...screen, video: this.#screen, paused: false } });
  }

  /** Sharp text or smooth motion, and how many pictures a second; of this share and of later ones. */
  setShareOptions(options: ShareOptions): void {
    this.#store.set({ screen: { ...this.#state.screen, options } });
    if (this.#screen !== null) void applyShareOptions(this.#screen, options);
  }

  /** The handle of an own video track; the same object for the same track. */
  handleOf(track: MediaStreamTrack): VideoHandle {
    const { camera, screen } = this.#state;
    const source = track === camera.track ? (camera.source ?? track) : track;
    const handle = this.#handles.get(track) ?? videoHandleOf(track, track === screen.video ? null : source);
    this.#handles.set(track, handle);
    return handle;
  }

  /** The choices to remember. A device that failed was wanted, and is tried again next time. */
  preferences(): MediaPreferences {
    const { camera, microphone, speakerId, processing, background } = this.#state;
    const chosen = ({ on, error, deviceId }: Capture) => ({ on: on || error !== null, deviceId });
    return { camera: chosen(camera), microphone: chosen(microphone), speakerId, processing, background };
  }

  /** Releases every device, until the next `start`. */
  dispose(): void {
    this.#lifetime.abort();
    this.stopShare();
    for (const kind of ['camera', 'microphone'] as const) {
      this.#requests[kind] += 1;
      this.#setCapture(kind, { pending: false });
      this.#release(kind);
    }
  }

  #stopScreen(): void {
    this.#screen?.stop();
    this.#screen = null;
    this.#state.screen.video?.stop();
    this.#state.screen.audio?.stop();
  }

  #setCapture(kind: CaptureKind, patch: Partial<Capture>): void {
    this.#store.set({ [kind]: { ...this.#state[kind], ...patch } });
  }

  async #captureBoth(): Promise<boolean> {
    const requests = { camera: ++this.#requests.camera, microphone: ++this.#requests.microphone };
    for (const kind of ['camera', 'microphone'] as const) this.#setCapture(kind, { pending: true, error: null });
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        video: this.#constraints('camera', this.#state.camera.deviceId),
        audio: this.#constraints('microphone', this.#state.microphone.deviceId),
      });
      await Promise.all([
        this.#adopt('camera', requests.camera, stream.getVideoTracks()[0]),
        this.#adopt('microphone', requests.microphone, stream.getAudioTracks()[0]),
      ]);
      await this.#listDevices();
      return true;
    } catch {
      // One of the two is refused; separate requests tell which, and why.
      return false;
    }
  }

  async #capture(kind: CaptureKind): Promise<boolean> {
    const request = ++this.#requests[kind];
    this.#setCapture(kind, { pending: true, error: null });
    try {
      const track = await this.#getTrack(kind, this.#state[kind].deviceId);
      await this.#adopt(kind, request, track);
      await this.#listDevices();
      return true;
    } catch (error) {
      if (request === this.#requests[kind]) {
        this.#release(kind);
        const code = deviceErrorOf(error, pageAbilities());
        // Without a selected device, WebKit reports a missing device as over-constrained.
        this.#setCapture(kind, {
          on: false,
          pending: false,
          error: code === 'overConstrained' ? 'noDevice' : code,
        });
      }
      return false;
    }
  }

  /** Captures one track; a remembered device that no longer exists is replaced by the default. */
  async #getTrack(kind: CaptureKind, deviceId: string | null): Promise<MediaStreamTrack | undefined> {
    const key = kind === 'camera' ? 'video' : 'audio';
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ [key]: this.#constraints(kind, deviceId) });
      return stream.getTracks()[0];
    } catch (error) {
      const missing = error instanceof Error && ['OverconstrainedError', 'NotFoundError'].includes(error.name);
      if (deviceId === null || !missing) throw error;
      this.#setCapture(kind, { deviceId: null });
      return this.#getTrack(kind, null);
    }
  }

  async #captureAgain(kind: CaptureKind): Promise<void> {
    if (this.#state[kind].on) await this.#capture(kind);
    else this.#release(kind);
  }

  async #adopt(kind: CaptureKind, request: number, source: MediaStreamTrack | undefined): Promise<void> {
    if (source === undefined) return;
    if (request !== this.#requests[kind] || this.#lifetime.signal.aborted) {
      source.stop();
      return;
    }
    source.addEventListener('ended', () => void this.#captureEnded(kind, source));
    for (const type of ['mute', 'unmute'] as const)
      source.addEventListener(type, () => {
        if (this.#state[kind].source === source) this.#setCapture(kind, { interrupted: type === 'mute' });
      });
    await this.#pass(kind, source);
  }

  /** Passes a captured track on, through the chosen effect. */
  async #pass(kind: CaptureKind, source: MediaStreamTrack): Promise<void> {
    const run = ++this.#effectStarts[kind];
    const { background } = this.#state;
    const starting = this.#startEffect(kind, source);
    if (starting === null) {
      this.#replace(kind, source, null);
      return;
    }
    // Sound is heard at once; a picture that nobody has seen yet waits for its background.
    if (kind === 'microphone') this.#replace(kind, source, null);
    const { source: before } = this.#state[kind];
    try {
      const effect = await starting;
      const isCurrent = run === this.#effectStarts[kind];
      if (isCurrent && (kind === 'microphone' || background === this.#state.background)) {
        this.#replace(kind, source, effect);
        return;
      }
      effect.stop();
      // Another background was chosen before the first one was ready.
      if (isCurrent) await this.#pass(kind, source);
      else if (source !== this.#state[kind].source) source.stop();
    } catch {
      if (run === this.#effectStarts[kind]) this.#effectFailed(kind, source, before === source);
      else if (source !== this.#state[kind].source) source.stop();
    }
  }

  /** Null if no effect is chosen. */
  #startEffect(kind: CaptureKind, source: MediaStreamTrack): Promise<TrackEffect> | null {
    const { background, processing } = this.#state;
    if (kind === 'microphone')
      return processing.noise === 'enhanced'
        ? import('./effects/noise.ts').then(({ suppressNoise }) => suppressNoise(source))
        : null;
    if (background === 'none') return null;
    return import('./effects/background.ts').then(({ startBackground }) =>
      startBackground(source, background, (problem) => {
        if (this.#state.camera.source === source) this.#backgroundEnded(source, problem);
      }),
    );
  }

  #replace(kind: CaptureKind, source: MediaStreamTrack, effect: TrackEffect | null): void {
    const { source: before, on, interrupted: wasInterrupted } = this.#state[kind];
    const interrupted = wasInterrupted && before === source;
    const effectBefore = this.#effects[kind];
    this.#effects[kind] = effect;
    const track = effect?.track ?? source;
    enable(on, track, source);
    this.#setCapture(kind, { pending: false, track, source, error: null, interrupted });
    effectBefore?.stop();
    if (before !== source) before?.stop();
  }

  #release(kind: CaptureKind): void {
    this.#effectStarts[kind] += 1;
    const { track, source } = this.#state[kind];
    const effect = this.#effects[kind];
    this.#effects[kind] = null;
    effect?.stop();
    track?.stop();
    source?.stop();
    if (track !== null || source !== null) this.#setCapture(kind, { track: null, source: null, interrupted: false });
  }

  #effectFailed(kind: CaptureKind, source: MediaStreamTrack, isSeen: boolean): void {
    if (kind === 'microphone') {
      this.#store.set({ processing: { ...this.#state.processing, noise: 'browser' } });
      this.#notify('noiseFailed', '');
      void this.#captureAgain('microphone');
    } else if (isSeen) this.#backgroundEnded(source, 'failed');
    else {
      source.stop();
      this.#setCapture('camera', { on: false, pending: false });
      this.#release('camera');
      this.#store.set({ background: 'none', backgroundProblem: 'failed' });
      this.#notify('backgroundFailedCameraOff', '');
    }
  }

  /** The picture goes on without the effect. */
  #backgroundEnded(source: MediaStreamTrack, problem: 'tooSlow' | 'failed'): void {
    this.#store.set({ background: 'none', backgroundProblem: problem });
    this.#replace('camera', source, null);
    this.#notify(problem === 'tooSlow' ? 'backgroundTooSlow' : 'backgroundFailed', '');
  }

  /** The device was unplugged or the permission revoked while in use. */
  async #captureEnded(kind: CaptureKind, source: MediaStreamTrack): Promise<void> {
    if (this.#state[kind].source !== source || this.#lifetime.signal.aborted) return;
    const wasOn = this.#state[kind].on;
    this.#release(kind);
    this.#setCapture(kind, { deviceId: null });
    await this.#listDevices();
    if (!wasOn) return;
    const found = await this.#capture(kind);
    this.#notify(found ? `${kind}FellBack` : `${kind}Lost`, found ? (this.#state[kind].track?.label ?? '') : '');
  }

  async #devicesChanged(): Promise<void> {
    await this.#listDevices();
    const { speakerId, devices } = this.#state;
    if (speakerId !== null && !devices.speakers.some((each) => each.deviceId === speakerId)) {
      this.#store.set({ speakerId: null });
      this.#notify('speakerFellBack', devices.speakers[0]?.label ?? '');
    }
  }

  async #listDevices(): Promise<void> {
    const all = await navigator.mediaDevices.enumerateDevices();
    // Before the first permission, browsers list devices without ids; these cannot be selected.
    const of = (kind: MediaDeviceKind) => all.filter((each) => each.kind === kind && each.deviceId !== '');
    this.#store.set({
      devices: { cameras: of('videoinput'), microphones: of('audioinput'), speakers: of('audiooutput') },
    });
  }

  #constraints(kind: CaptureKind, deviceId: string | null): MediaTrackConstraints {
    const constraints = kind === 'camera' ? CAMERA : audioConstraints(this.#state.processing);
    if (deviceId !== null) return { ...constraints, deviceId: { exact: deviceId } };
    return kind === 'camera' && this.#facing !== null
      ? { ...constraints, facingMode: { ideal: this.#facing } }
      : constraints;
  }

  #notify(code: DeviceNotice['code'], label: string): void {
    this.#store.set({ notice: { id: ++this.#notices, code, label } });
  }
}

function enable(on: boolean, ...tracks: readonly (MediaStreamTrack | null)[]): void {
  for (const track of tracks) if (track !== null) track.enabled = on;
}

/** @param source the device's own track, which knows its side; null for a screen */
function videoHandleOf(track: MediaStreamTrack, source: MediaStreamTrack | null): VideoHandle {
  return {
    id: track.id,
    // A rear camera is not mirrored.
    mirrored: source !== null && source.getSettings().facingMode !== 'environment',
    attach: (element) => {
      element.srcObject = new MediaStream([track]);
    },
    detach: (element) => {
      element.srcObject = null;
    },
  };
}
