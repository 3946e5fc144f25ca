/**
 * Whether the browser can encrypt media end to end: by encoded transforms, or by Chromium's older insertable streams.
 */
export function isEncryptionSupported(): boolean {
  return (
    'RTCRtpScriptTransform' in globalThis ||
    ('RTCRtpSender' in globalThis && 'createEncodedStreams' in RTCRtpSender.prototype)
  );
}
