import { TestRunner } from 'vitest';
import { nativeRefusal } from '../../src/transport/native/choose.ts';

/** Skips the current test, with the reason, where the native transport is missing: without koffi, or on macOS. */
export function needNative(): void {
  const refusal = nativeRefusal();
  if (refusal !== '') TestRunner.getCurrentTest()?.context.skip(`it needs the native transport: ${refusal}`);
}
