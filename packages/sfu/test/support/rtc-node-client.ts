import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  LocalVideoTrack,
  Room,
  RoomEvent,
  TrackKind,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoFrame,
  VideoSource,
  VideoStream,
  type LocalTrackPublication,
  type RemoteTrack,
} from '@livekit/rtc-node';

const SAMPLES = 480;
const WIDTH = 320;
const HEIGHT = 180;

/** What has arrived of one subscribed track. */
export interface Heard {
  frames: number;
  /** Mean of the samples' absolute values, or the picture's width. */
  level: number;
}

/** A participant by @livekit/rtc-node, LiveKit's native client for Node. */
export class RtcNodeClient {
  readonly room = new Room();
  /** By `<identity> <audio|video>`. */
  readonly received = new Map<string, Heard>();
  readonly messages: string[] = [];
  readonly spoke = new Set<string>();
  readonly #audio = new AudioSource(48_000, 1);
  readonly #video = new VideoSource(WIDTH, HEIGHT);
  #sending: Promise<void> | undefined;
  #ended = false;

  constructor() {
    this.room.on(RoomEvent.TrackSubscribed, (track, _publication, participant) => {
      const key = `${participant.identity} ${track.kind === TrackKind.KIND_AUDIO ? 'audio' : 'video'}`;
      void this.#receive(track, key);
    });
    this.room.on(RoomEvent.TrackUnsubscribed, (track, _publication, participant) => {
      this.received.delete(`${participant.identity} ${track.kind === TrackKind.KIND_AUDIO ? 'audio' : 'video'}`);
    });
    this.room.on(RoomEvent.DataReceived, (data, participant, _kind, topic) => {
      this.messages.push(`${participant?.identity ?? 'server'} ${topic ?? ''} ${new TextDecoder().decode(data)}`);
    });
    this.room.on(RoomEvent.ActiveSpeakersChanged, (speakers) => {
      for (const speaker of speakers) this.spoke.add(speaker.identity);
    });
  }

  async join(url: string, token: string): Promise<this> {
    await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    return this;
  }

  /** Publishes a tone of 440 Hz and a moving picture. */
  async publish(): Promise<LocalTrackPublication[]> {
    const participant = this.room.localParticipant!;
    const audio = await participant.publishTrack(
      LocalAudioTrack.createAudioTrack('tone', this.#audio),
      new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
    );
    const video = await participant.publishTrack(
      LocalVideoTrack.createVideoTrack('picture', this.#video),
      new TrackPublishOptions({ source: TrackSource.SOURCE_CAMERA }),
    );
    this.#sending ??= this.#send();
    return [audio, video];
  }

  async say(text: string, options: { reliable: boolean; topic: string }): Promise<void> {
    await this.room.localParticipant!.publishData(new TextEncoder().encode(text), options);
  }

  frames(key: string): number {
    return this.received.get(key)?.frames ?? 0;
  }

  async leave(): Promise<void> {
    this.#ended = true;
    await this.#sending;
    await this.room.disconnect();
  }

  async #send(): Promise<void> {
    for (let frame = 0; !this.#ended; frame += 1) {
      const samples = Int16Array.from(
        { length: SAMPLES },
        (_, index) => 8000 * Math.sin((2 * Math.PI * 440 * (frame * SAMPLES + index)) / 48_000),
      );
      // waits for the track to accept it: this is also the clock of the pictures
      await this.#audio.captureFrame(new AudioFrame(samples, 48_000, 1, SAMPLES));
      if (frame % 7 === 0) {
        const picture = new Uint8Array(WIDTH * HEIGHT * 4).fill((frame * 3) % 256);
        this.#video.captureFrame(new VideoFrame(picture, WIDTH, HEIGHT, VideoBufferType.RGBA));
      }
    }
  }

  async #receive(track: RemoteTrack, key: string): Promise<void> {
    const heard: Heard = { frames: 0, level: 0 };
    this.received.set(key, heard);
    if (track.kind === TrackKind.KIND_VIDEO) {
      for await (const { frame } of new VideoStream(track)) {
        heard.frames += 1;
        heard.level = frame.width;
      }
      return;
    }
    for await (const frame of new AudioStream(track)) {
      heard.frames += 1;
      heard.level = frame.data.reduce((sum, sample) => sum + Math.abs(sample), 0) / frame.data.length;
    }
  }
}
