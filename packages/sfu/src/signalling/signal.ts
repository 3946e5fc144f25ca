import { SignalResponse } from '@livekit/protocol';

/** A message to a client, as LiveKit's SignalResponse names them. */
export type SignalMessage = SignalResponse['message'];

/** The way to one client. Knows nothing of rooms. */
export interface SignalSink {
  /** Sends one encoded SignalResponse. */
  send(bytes: Uint8Array): void;
  close(): void;
}

/** Encodes a message once, however many get it. */
export function encodeSignal(message: SignalMessage): Uint8Array {
  return new SignalResponse({ message }).toBinary();
}
