import { deviceErrorOf, pageAbilities, pageRefusal, type DeviceError } from './device-errors.ts';
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
  track: MediaStreamTrack | null;
  /** The selected device; null follows the browser's default. */
  deviceId: string | null;
  /** Why it is off although requested. */
  error: DeviceError | null;
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

/** A device change that the user did not cause. */
export interface DeviceNotice {
  id: number;
  code: 'cameraFellBack' | 'cameraLost' | 'microphoneFellBack' | 'microphoneLost' | 'speakerFellBack';
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
  notice: DeviceNotice | null;
}

/** The user's last choice. */
export interface MediaPreferences {
  camera: { on: boolean; deviceId: string | null };
  microphone: { on: boolean; deviceId: string | null };
  speakerId: string | null;
}

const CAMERA: MediaTrackConstraints = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };
const MICROPHONE: MediaTrackConstraints = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
const NO_SCREEN = { pending: false, video: null, audio: null, error: null, paused: false, surface: 'unknown' } as const;

/**
 * The user's camera, microphone and screen: captured by the preview, passed to the call, released by `dispose`. Never
 * throws; errors are part of the state. A camera that is off is released, so that its light goes out; a muted
 * microphone stays captured but disabled, so that unmuting loses no audio.
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

  constructor(preferences: MediaPreferences) {
    const capture = (kind: CaptureKind): Capture => ({
      on: preferences[kind].on,
      deviceId: preferences[kind].deviceId,
      pending: false,
      track: null,
      error: null,
    });
    this.#store = new Store<LocalMediaState>({
      camera: capture('camera'),
      microphone: capture('microphone'),
      screen: { ...NO_SCREEN, options: SHARE_DEFAULTS },
      devices: { cameras: [], microphones: [], speakers: [] },
      speakerId: preferences.speakerId,
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
    const { track } = this.#state[kind];
    if (on && track !== null) {
      track.enabled = true;
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
      track.enabled = false;
      this.#setCapture(kind, { on: false, pending: false });
      return;
    }
    track?.stop();
    this.#setCapture(kind, { on: false, pending: false, track: null });
  }

  /** Selects another device, used at once if the capture is on. */
  async choose(kind: CaptureKind, deviceId: string | null): Promise<void> {
    const { on, track } = this.#state[kind];
    this.#setCapture(kind, { deviceId });
    if (on) {
      await this.#capture(kind);
    } else if (track !== null) {
      track.stop();
      this.#setCapture(kind, { track: null });
    }
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

  /** Sends the last picture, with this caption on it, and silence instead of what is shared. */
  async pauseShare(caption: string): Promise<void> {
    const source = this.#screen;
    if (source === null || this.#state.screen.paused) return;
    const still = await stillOf(source, caption);
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
    const handle = this.#handles.get(track) ?? videoHandleOf(track, track !== this.#state.screen.video);
    this.#handles.set(track, handle);
    return handle;
  }

  /** The choices to remember. A device that failed was wanted, and is tried again next time. */
  preferences(): MediaPreferences {
    const { camera, microphone, speakerId } = this.#state;
    const chosen = ({ on, error, deviceId }: Capture) => ({ on: on || error !== null, deviceId });
    return { camera: chosen(camera), microphone: chosen(microphone), speakerId };
  }

  /** Releases every device, until the next `start`. */
  dispose(): void {
    this.#lifetime.abort();
    this.stopShare();
    for (const kind of ['camera', 'microphone'] as const) {
      this.#requests[kind] += 1;
      this.#state[kind].track?.stop();
      this.#setCapture(kind, { pending: false, track: null });
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
        video: constraintsOf('camera', this.#state.camera.deviceId),
        audio: constraintsOf('microphone', this.#state.microphone.deviceId),
      });
      this.#adopt('camera', requests.camera, stream.getVideoTracks()[0]);
      this.#adopt('microphone', requests.microphone, stream.getAudioTracks()[0]);
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
      this.#adopt(kind, request, track);
      await this.#listDevices();
      return true;
    } catch (error) {
      if (request === this.#requests[kind]) {
        this.#state[kind].track?.stop();
        const code = deviceErrorOf(error, pageAbilities());
        // Without a selected device, WebKit reports a missing device as over-constrained.
        this.#setCapture(kind, {
          on: false,
          pending: false,
          track: null,
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
      const stream = await navigator.mediaDevices.getUserMedia({ [key]: constraintsOf(kind, deviceId) });
      return stream.getTracks()[0];
    } catch (error) {
      const missing = error instanceof Error && ['OverconstrainedError', 'NotFoundError'].includes(error.name);
      if (deviceId === null || !missing) throw error;
      this.#setCapture(kind, { deviceId: null });
      return this.#getTrack(kind, null);
    }
  }

  #adopt(kind: CaptureKind, request: number, track: MediaStreamTrack | undefined): void {
    if (track === undefined) return;
    if (request !== this.#requests[kind] || this.#lifetime.signal.aborted) {
      track.stop();
      return;
    }
    track.addEventListener('ended', () => void this.#captureEnded(kind, track));
    const previous = this.#state[kind].track;
    this.#setCapture(kind, { pending: false, track, error: null });
    previous?.stop();
  }

  /** The device was unplugged or the permission revoked while in use. */
  async #captureEnded(kind: CaptureKind, track: MediaStreamTrack): Promise<void> {
    if (this.#state[kind].track !== track || this.#lifetime.signal.aborted) return;
    const wasOn = this.#state[kind].on;
    this.#setCapture(kind, { track: null, deviceId: null });
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

  #notify(code: DeviceNotice['code'], label: string): void {
    this.#store.set({ notice: { id: ++this.#notices, code, label } });
  }
}

function constraintsOf(kind: CaptureKind, deviceId: string | null): MediaTrackConstraints {
  const constraints = kind === 'camera' ? CAMERA : MICROPHONE;
  return deviceId === null ? constraints : { ...constraints, deviceId: { exact: deviceId } };
}

function videoHandleOf(track: MediaStreamTrack, isCamera: boolean): VideoHandle {
  return {
    id: track.id,
    // A rear camera is not mirrored.
    mirrored: isCamera && track.getSettings().facingMode !== 'environment',
    attach: (element) => {
      element.srcObject = new MediaStream([track]);
    },
    detach: (element) => {
      element.srcObject = null;
    },
  };
}
