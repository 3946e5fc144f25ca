import type { CameraCodec } from '@rmeet/contract';

/**
 * Whether this browser cannot show pictures of a codec: Firefox has H.264 by a plugin alone, which it fetches from the
 * internet.
 */
export function isBlindTo(codec: CameraCodec): boolean {
  const codecs = typeof RTCRtpReceiver === 'undefined' ? undefined : RTCRtpReceiver.getCapabilities('video')?.codecs;
  return codecs !== undefined && !codecs.some(({ mimeType }) => mimeType.toLowerCase() === `video/${codec}`);
}
