import type { AddTrackRequest, ClientInfo, SessionDescription } from '@livekit/protocol';

/** A client's request to join, for any path and encoding. */
export interface JoinRequest {
  /** Two peer connections (`/rtc`) instead of one (`/rtc/v1`). */
  dual: boolean;
  /** It was connected before and wants to resume its participant. */
  reconnect: boolean;
  /** Its participant's sid when it reconnects; empty if not given. */
  participantSid: string;
  autoSubscribe: boolean;
  client: ClientInfo | undefined;
  /** Its first offer, if the request contains it. */
  offer: SessionDescription | undefined;
  addTracks: AddTrackRequest[];
  attributes: Record<string, string>;
  metadata: string;
}
