/** Media kinds and supported codecs, named by their MIME subtypes in lower case. */
export type MediaKind = 'audio' | 'video';
export type CodecName = 'opus' | 'vp8' | 'vp9' | 'h264' | 'av1';

export const codecs: Record<CodecName, { kind: MediaKind; mimeType: string; clockRate: number }> = {
  opus: { kind: 'audio', mimeType: 'audio/opus', clockRate: 48_000 },
  vp8: { kind: 'video', mimeType: 'video/VP8', clockRate: 90_000 },
  vp9: { kind: 'video', mimeType: 'video/VP9', clockRate: 90_000 },
  h264: { kind: 'video', mimeType: 'video/H264', clockRate: 90_000 },
  av1: { kind: 'video', mimeType: 'video/AV1', clockRate: 90_000 },
};

/** The codec of an SDP encoding name or a MIME subtype, undefined for other formats (rtx, red, ulpfec...). */
export function codecName(name: string): CodecName | undefined {
  const lower = name.toLowerCase();
  return lower in codecs ? (lower as CodecName) : undefined;
}
