/** The reasons why a browser refuses a camera, a microphone or a screen; each has a text in both languages. */
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

/** Properties of the page that decide how a refusal is interpreted. */
export interface PageAbilities {
  isSecureContext: boolean;
  hasMediaDevices: boolean;
}

export function pageAbilities(): PageAbilities {
  // The type declares mediaDevices as always present; on plain HTTP beyond loopback it is missing.
  return {
    isSecureContext: globalThis.isSecureContext,
    hasMediaDevices: (navigator.mediaDevices as MediaDevices | undefined) !== undefined,
  };
}

/** Why this page cannot capture anything, or null if it can try. */
export function pageRefusal(page: PageAbilities): DeviceError | null {
  if (page.hasMediaDevices) return null;
  return page.isSecureContext ? 'unsupported' : 'insecurePage';
}

/** By the error names of the standard and of older browsers. */
const ERRORS_BY_NAME: ReadonlyMap<string, DeviceError> = new Map(
  Object.entries({
    SecurityError: 'blockedByPolicy',
    NotFoundError: 'noDevice',
    DevicesNotFoundError: 'noDevice',
    NotReadableError: 'deviceBusy',
    TrackStartError: 'deviceBusy',
    AbortError: 'deviceBusy',
    OverconstrainedError: 'overConstrained',
    ConstraintNotSatisfiedError: 'overConstrained',
    NotSupportedError: 'unsupported',
    TypeError: 'unsupported',
  } as const),
);

/** The reason for a rejected getUserMedia or getDisplayMedia (W3C Media Capture and Streams, section 10.2.3). */
export function deviceErrorOf(error: unknown, page: PageAbilities): DeviceError {
  const refusal = pageRefusal(page);
  if (refusal !== null) return refusal;
  const { name, message } = error instanceof Error || error instanceof DOMException ? error : { name: '', message: '' };
  if (name === 'NotAllowedError' || name === 'PermissionDeniedError') return notAllowedReason(message);
  return ERRORS_BY_NAME.get(name) ?? 'unknown';
}

/** Chromium distinguishes its kinds of NotAllowedError only by the message. */
function notAllowedReason(message: string): DeviceError {
  if (/system/i.test(message)) return 'blockedBySystem';
  if (/polic|feature/i.test(message)) return 'blockedByPolicy';
  return /dismiss/i.test(message) ? 'permissionDismissed' : 'permissionDenied';
}
