import type { AddTrackRequest, ClientInfo, SessionDescription } from '@livekit/protocol';

/** How a client wants to come in, whichever path and encoding it used. */
export interface JoinRequest {
  /** Two peer connections (`/rtc`) instead of one (`/rtc/v1`). */
  dual: boolean;
  /** It was here before and wants its participant back. */
  reconnect: boolean;
  /** Its participant's sid when it reconnects; empty if it did not say. */
  participantSid: string;
  autoSubscribe: boolean;
  client: ClientInfo | undefined;
  /** Its first offer, when it came along. */
  offer: SessionDescription | undefined;
  addTracks: AddTrackRequest[];
  attributes: Record<string, string>;
  metadata: string;
}
