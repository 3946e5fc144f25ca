import type { IngestStatus, ManualLive } from '@rmeet/contract';
import type { ManualTexts } from './texts.ts';

/** What a person should know about the stream of a broadcast. */
interface Arrival {
  /** `wanted`: it should arrive and does not. */
  tone: 'idle' | 'arriving' | 'wanted';
  words: string;
  /** Why it is refused or lost; empty if there is nothing to say. */
  reason: string;
}

/** Null for people who do not manage the broadcast, and after its end. */
export function arrivalOf({ source, state, ingest }: ManualLive, t: ManualTexts): Arrival | null {
  if (ingest === null || state === 'ended') return null;
  const way = source === 'play' ? 'play' : 'push';
  const reason = reasonWords(ingest.reason, t);
  switch (ingest.state) {
    case 'arriving':
      return { tone: 'arriving', words: t(`arrival.${way}.arriving`), reason: '' };
    case 'refused':
      return { tone: 'wanted', words: t(`arrival.${way}.refused`), reason };
    case 'lost':
      return { tone: 'wanted', words: t(`arrival.${way}.lost`), reason };
    case 'waiting':
      return state === 'onAir'
        ? { tone: 'wanted', words: t('arrival.interrupted'), reason }
        : { tone: 'idle', words: t(`arrival.${way}.waiting`), reason };
  }
}

/** `1080p`: the shorter side, also of a picture in portrait; empty without a picture. */
export function sizeName({ width, height }: Pick<IngestStatus, 'width' | 'height'>): string {
  return width === null || height === null ? '' : `${Math.min(width, height)}p`;
}

/** `4.2 Mbit/s`, or `96 kbit/s`; empty until it is measured. */
export function bitrateWords(kilobits: number): string {
  if (kilobits === 0) return '';
  return kilobits < 1_000 ? `${kilobits} kbit/s` : `${(kilobits / 1_000).toFixed(1)} Mbit/s`;
}

/** What a list shows of a stream that arrives. */
export function shortFacts(ingest: IngestStatus, t: ManualTexts): string[] {
  return [
    sizeName(ingest) || t('arrival.noPicture'),
    bitrateWords(ingest.bitrate),
    ingest.hasSound ? '' : t('arrival.noSound'),
  ].filter((fact) => fact !== '');
}

/** Names that people know codecs by. */
const CODECS: Readonly<Record<string, string>> = {
  hvc1: 'H.265',
  hev1: 'H.265',
  av01: 'AV1',
  vp08: 'VP8',
  vp09: 'VP9',
  avc1: 'H.264',
  '.mp3': 'MP3',
  mp4a: 'AAC',
  opus: 'Opus',
  'ac-3': 'AC-3',
  'ec-3': 'E-AC-3',
  fLaC: 'FLAC',
};

/** What the network says, by parts of it. */
const NETWORK = [
  [/ENOTFOUND|EAI_AGAIN/, 'host'],
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH/, 'unreachable'],
  [/TIMEDOUT|timeout|timed out/i, 'timeout'],
  [/ECONNRESET|EPIPE|closed/i, 'closed'],
  [/StreamNotFound|Play\.Failed/, 'stream'],
  [/CERT|certificate|SSL|TLS/i, 'certificate'],
] as const;

/** A reason code of the server in words; what is not known as it is. */
export function reasonWords(reason: string, t: ManualTexts): string {
  if (reason === '') return '';
  if (reason === 'sound') return t('reason.sound');
  if (reason === 'picture') return t('reason.picture');
  const codec = /^codec:(.+)$/.exec(reason)?.[1];
  if (codec !== undefined) return t('reason.codec', { codec: CODECS[codec] ?? codec });
  const known = NETWORK.find(([pattern]) => pattern.test(reason))?.[1];
  return known === undefined ? reason : t(`reason.${known}`);
}
