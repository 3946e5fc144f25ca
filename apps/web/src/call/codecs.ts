import type { CameraCodec } from '@rmeet/contract';

/** Whether this browser cannot decode a codec: Firefox supports H.264 only by a plugin that it downloads. */
export function isBlindTo(codec: CameraCodec): boolean {
  const codecs = typeof RTCRtpReceiver === 'undefined' ? undefined : RTCRtpReceiver.getCapabilities('video')?.codecs;
  return codecs !== undefined && !codecs.some(({ mimeType }) => mimeType.toLowerCase() === `video/${codec}`);
}
