import type { PartialMessage } from '@bufbuild/protobuf';
import {
  TrackSource,
  TrackType,
  VideoQuality,
  type AddTrackRequest,
  type ParticipantInfo,
  type TrackInfo,
} from '@livekit/protocol';
import { LAYERS, type Colour, type LayerHeight, type Tone, type VideoCodec } from './catalogue.ts';
import { clapSound, rawClip, silence, specialClip, toneClip, videoClip } from './clips.ts';
import type { Clip } from './ivf.ts';
import { LocalTrack } from './local-track.ts';
import type { TrackDescription } from './remote-track.ts';

export interface VideoOptions {
  codec?: VideoCodec;
  colour?: Colour;
  /** Three layers of 180, 360 and 720 lines; else one of `height`. */
  simulcast?: boolean;
  height?: LayerHeight;
  /** A picture of its own colour, in H.264 and one layer: that of a phone held upright, or the clap. */
  special?: 'phone' | 'clap';
  /**
   * Bits per second of the lowest layer sent; higher ones get three and ten times as much. Default: what the flat
   * picture needs.
   */
  bitrate?: number;
  /** The source that it announces, which may be false. Default: the camera. */
  source?: TrackDescription['source'];
  name?: string;
}

export interface AudioOptions {
  /** Hertz, silence as with discontinuous transmission, or the sound of the clap. */
  tone?: Tone | 'silence' | 'clap';
  /** The source that it announces, which may be false. Default: the microphone. */
  source?: TrackDescription['source'];
  name?: string;
}

export interface RawOptions {
  packetsPerSecond: number;
  /** Bytes of each RTP packet. */
  size: number;
}

/** A track to publish and how it is announced (livekit.AddTrackRequest). */
export interface Publication {
  track: LocalTrack;
  request: PartialMessage<AddTrackRequest>;
}

const BITRATE_FACTORS = [1, 3, 10] as const;
const QUALITIES = [VideoQuality.LOW, VideoQuality.MEDIUM, VideoQuality.HIGH] as const;
/** About -20 dB below full scale, the level of the prepared tones. */
const TONE_LEVEL = 20;

export function videoPublication(options: VideoOptions): Publication {
  const { codec = 'vp8', colour = 'blue', height = 180, bitrate = 0, special } = options;
  if (special !== undefined) return oneLayer(specialClip(special, bitrate), options);
  const sizes = options.simulcast ? LAYERS : LAYERS.filter((layer) => layer.height === height);
  const layers = sizes.map(({ rid, height: lines }, i) => ({
    rid,
    clip: videoClip(codec, colour, lines, bitrate * BITRATE_FACTORS[i]!),
  }));
  const highest = sizes.at(-1)!;
  return {
    track: new LocalTrack({ codec, layers }),
    request: {
      name: options.name ?? 'video',
      type: TrackType.VIDEO,
      width: highest.width,
      height: highest.height,
      source: SOURCES[options.source ?? 'camera'],
      layers: sizes.map((layer, i) => ({
        quality: sizes.length > 1 ? QUALITIES[i]! : VideoQuality.HIGH,
        width: layer.width,
        height: layer.height,
        bitrate: 100_000 * BITRATE_FACTORS[i]!,
      })),
    },
  };
}

function oneLayer(clip: Clip, { name = 'video', source = 'camera' }: VideoOptions): Publication {
  const { width, height } = clip;
  return {
    track: new LocalTrack({ codec: 'h264', layers: [{ rid: '', clip }] }),
    request: {
      name,
      type: TrackType.VIDEO,
      width,
      height,
      source: SOURCES[source],
      layers: [{ quality: VideoQuality.HIGH, width, height, bitrate: 1_000_000 }],
    },
  };
}

export function audioPublication({ tone = 500, name = 'audio', source = 'microphone' }: AudioOptions): Publication {
  const silent = tone === 'silence';
  const clip = tone === 'silence' ? silence : tone === 'clap' ? clapSound() : toneClip(tone);
  return {
    track: new LocalTrack({
      codec: 'opus',
      layers: [{ rid: '', clip }],
      level: silent ? 127 : TONE_LEVEL,
    }),
    request: { name, type: TrackType.AUDIO, source: SOURCES[source], disableRed: true },
  };
}

export function rawPublication({ packetsPerSecond, size }: RawOptions): Publication {
  return {
    track: new LocalTrack({ codec: 'vp8', layers: [{ rid: '', clip: rawClip(packetsPerSecond, size) }] }),
    request: {
      name: 'raw',
      type: TrackType.VIDEO,
      width: 320,
      height: 180,
      source: TrackSource.CAMERA,
      layers: [{ quality: VideoQuality.HIGH, width: 320, height: 180, bitrate: packetsPerSecond * size * 8 }],
    },
  };
}

const SOURCES: Record<TrackDescription['source'], TrackSource> = {
  camera: TrackSource.CAMERA,
  microphone: TrackSource.MICROPHONE,
  screen: TrackSource.SCREEN_SHARE,
  screenAudio: TrackSource.SCREEN_SHARE_AUDIO,
  unknown: TrackSource.UNKNOWN,
};

/** The name of a source in this package. */
export function sourceName(source: TrackSource): TrackDescription['source'] {
  return (Object.keys(SOURCES) as TrackDescription['source'][]).find((name) => SOURCES[name] === source) ?? 'unknown';
}

/** Another participant's track as described by this package. */
export function describeTrack(
  { sid, type, source, name, muted }: TrackInfo,
  { identity, sid: participantSid }: ParticipantInfo,
): TrackDescription {
  const kind = type === TrackType.AUDIO ? 'audio' : 'video';
  return { sid, kind, identity, participantSid, source: sourceName(source), name, muted };
}
