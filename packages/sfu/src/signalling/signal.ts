import { SignalResponse } from '@livekit/protocol';

/** A message to a client, with the names of LiveKit's SignalResponse. */
export type SignalMessage = SignalResponse['message'];

/** The connection to one client. Independent of rooms. */
export interface SignalSink {
  /** Sends one encoded SignalResponse. */
  send(bytes: Uint8Array): void;
  close(): void;
}

/** Encodes a message once, for any number of receivers. */
export function encodeSignal(message: SignalMessage): Uint8Array {
  return new SignalResponse({ message }).toBinary();
}
