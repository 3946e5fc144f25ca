import type { LiveWindow } from './window.ts';

/** The qualities of a broadcast: the programme, and the same with the lower simulcast layer of cameras. */
export const QUALITIES = ['high', 'low'] as const;
export type Quality = (typeof QUALITIES)[number];

/** The name of a window among those of all recordings. */
export const windowId = (recordingId: string, quality: Quality): string =>
  quality === 'high' ? recordingId : `${recordingId}.${quality}`;

/** What a player needs to know before it chooses a rendition. */
export interface Rendition {
  /** Of the picture, pixels. */
  width: number;
  height: number;
  /** As in RFC 6381, such as `avc1.42e01f,mp4a.40.2`. */
  codecs: string;
  /** The most bits per second of a segment, and of all of them together. */
  peak: number;
  average: number;
}

/** In a visual sample entry (ISO/IEC 14496-12, 12.1.3), and its decoder configuration (ISO/IEC 14496-15, 5.3.3.1). */
const WIDTH_AT = 28;
const PROFILE_AT = 5;
const AAC_LC = 'mp4a.40.2';

/** The picture's size and the codecs of an initialization segment; undefined if it has no picture. */
function formatOf(init: Buffer): Pick<Rendition, 'width' | 'height' | 'codecs'> | undefined {
  const entry = init.indexOf('avc1', init.indexOf('stsd'));
  const record = init.indexOf('avcC', entry);
  if (entry < 0 || record < 0) return undefined;
  const picture = `avc1.${init.toString('hex', record + PROFILE_AT, record + PROFILE_AT + 3)}`;
  return {
    width: init.readUInt16BE(entry + WIDTH_AT),
    height: init.readUInt16BE(entry + WIDTH_AT + 2),
    codecs: init.includes('mp4a') ? `${picture},${AAC_LC}` : picture,
  };
}

/** Lines of the newest picture of a window; undefined without pictures. */
export function heightOf(window: LiveWindow): number | undefined {
  const last = window.segments.at(-1);
  return last && formatOf(window.inits.get(last.init) ?? Buffer.alloc(0))?.height;
}

/** What the newest segments of a window are; undefined without media, or without pictures. */
export function renditionOf(window: LiveWindow): Rendition | undefined {
  const complete = window.segments.filter(({ data }) => data !== undefined);
  const known = (complete.length > 0 ? complete : window.segments).filter(({ duration }) => duration > 0);
  const last = known.at(-1);
  const format = last && formatOf(window.inits.get(last.init) ?? Buffer.alloc(0));
  if (!format) return undefined;
  const sizes = known.map(({ parts, duration }) => ({ bits: 8_000 * lengthOf(parts), duration }));
  return {
    ...format,
    peak: Math.ceil(Math.max(...sizes.map(({ bits, duration }) => bits / duration))),
    average: Math.ceil(sum(sizes.map(({ bits }) => bits)) / sum(sizes.map(({ duration }) => duration))),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const lengthOf = (parts: readonly { data: Buffer }[]): number => sum(parts.map(({ data }) => data.length));

/** The playlist of renditions, the best one first; `uri` of the media playlist of each (RFC 8216 bis, 4.4.6.2). */
export function multivariantPlaylist(variants: readonly { rendition: Rendition; uri: string }[]): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS'];
  for (const { rendition, uri } of variants) {
    const { width, height, codecs, peak, average } = rendition;
    const bits = `BANDWIDTH=${peak},AVERAGE-BANDWIDTH=${average}`;
    lines.push(`#EXT-X-STREAM-INF:${bits},CODECS="${codecs}",RESOLUTION=${width}x${height}`, uri);
  }
  return [...lines, ''].join('\n');
}
