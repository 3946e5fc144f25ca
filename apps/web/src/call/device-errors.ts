/** Every way a browser can refuse a camera, a microphone or a screen; each has a sentence in both languages. */
export const DEVICE_ERRORS = [
  'permissionDenied',
  'permissionDismissed',
  'blockedBySystem',
  'blockedByPolicy',
  'noDevice',
  'deviceBusy',
  'insecurePage',
  'overConstrained',
  'unsupported',
  'unknown',
] as const;
export type DeviceError = (typeof DEVICE_ERRORS)[number];

/** What of the page decides how a refusal is to be read. */
export interface PageAbilities {
  isSecureContext: boolean;
  hasMediaDevices: boolean;
}

export function pageAbilities(): PageAbilities {
  // The type says mediaDevices is always there; on plain http beyond loopback it is not.
  return {
    isSecureContext: globalThis.isSecureContext,
    hasMediaDevices: (navigator.mediaDevices as MediaDevices | undefined) !== undefined,
  };
}

/** Why nothing can be captured on this page at all, or null when it can be tried. */
export function pageRefusal(page: PageAbilities): DeviceError | null {
  if (page.hasMediaDevices) return null;
  return page.isSecureContext ? 'unsupported' : 'insecurePage';
}

/**
 * The reason behind a rejected getUserMedia or getDisplayMedia (W3C Media Capture and Streams, section 10.2.3).
 * Chromium tells its kinds of NotAllowedError apart only by the message; older names are those of older browsers.
 */
export function deviceErrorOf(error: unknown, page: PageAbilities): DeviceError {
  const refusal = pageRefusal(page);
  if (refusal !== null) return refusal;
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : { name: '', message: '' };
  switch (name) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
      if (/system/i.test(message)) return 'blockedBySystem';
      if (/polic|feature/i.test(message)) return 'blockedByPolicy';
      if (/dismiss/i.test(message)) return 'permissionDismissed';
      return 'permissionDenied';
    case 'SecurityError':
      return 'blockedByPolicy';
    case 'NotFoundError':
    case 'DevicesNotFoundError':
      return 'noDevice';
    case 'NotReadableError':
    case 'TrackStartError':
    case 'AbortError':
      return 'deviceBusy';
    case 'OverconstrainedError':
    case 'ConstraintNotSatisfiedError':
      return 'overConstrained';
    case 'NotSupportedError':
    case 'TypeError':
      return 'unsupported';
    default:
      return 'unknown';
  }
}
