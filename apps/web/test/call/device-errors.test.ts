import { expect, test } from 'vitest';
import { DEVICE_ERRORS, deviceErrorOf, pageRefusal } from '../../src/call/device-errors.ts';
import en from '../../src/features/conferences/locales/en.json' with { type: 'json' };
import zh from '../../src/features/conferences/locales/zh.json' with { type: 'json' };

const page = { isSecureContext: true, hasMediaDevices: true };
const error = (name: string, message = '') => new DOMException(message, name);

test.each([
  ['NotAllowedError', 'Permission denied', 'permissionDenied'],
  ['NotAllowedError', '', 'permissionDenied'],
  ['NotAllowedError', 'Permission dismissed', 'permissionDismissed'],
  ['NotAllowedError', 'Permission denied by system', 'blockedBySystem'],
  ['NotAllowedError', 'Permissions policy violation', 'blockedByPolicy'],
  ['PermissionDeniedError', '', 'permissionDenied'],
  ['SecurityError', '', 'blockedByPolicy'],
  ['NotFoundError', 'Requested device not found', 'noDevice'],
  ['NotReadableError', 'Could not start video source', 'deviceBusy'],
  ['AbortError', '', 'deviceBusy'],
  ['OverconstrainedError', '', 'overConstrained'],
  ['NotSupportedError', '', 'unsupported'],
  ['SomethingNewError', '', 'unknown'],
] as const)('%s "%s" is %s', (name, message, expected) => {
  expect(deviceErrorOf(error(name, message), page)).toBe(expected);
});

test('an insecure page has no devices at all', () => {
  const insecure = { isSecureContext: false, hasMediaDevices: false };
  expect(pageRefusal(insecure)).toBe('insecurePage');
  expect(deviceErrorOf(new TypeError('undefined is not an object'), insecure)).toBe('insecurePage');
});

test('a secure page without devices is in an unsupported browser', () => {
  expect(pageRefusal({ isSecureContext: true, hasMediaDevices: false })).toBe('unsupported');
  expect(pageRefusal(page)).toBeNull();
});

test('every refusal has a sentence for camera, microphone and screen in both languages', () => {
  for (const texts of [zh, en]) {
    for (const kind of ['camera', 'microphone', 'screen'] as const)
      expect(Object.keys(texts.deviceErrors[kind])).toEqual([...DEVICE_ERRORS]);
  }
});
