import type { DisconnectReason, LeaveRequest_Action, ParticipantInfo } from '@livekit/protocol';
import type { LocalTrack } from './local-track.ts';
import type { RemoteTrack } from './remote-track.ts';
import type { TransportOptions } from './transport.ts';

export interface ConnectOptions extends Omit<TransportOptions, 'data'> {
  /** As returned by the join call: `ws://`, `wss://` or the same with http. */
  url: string;
  /** A LiveKit access token; it carries room and identity. */
  token: string;
  /** Subscribe to every track of the others; default true. */
  autoSubscribe?: boolean;
  /** After a broken connection resume, else join again and republish. Default false: `left` is emitted. */
  reconnect?: boolean;
  /** The longest wait before another attempt to reconnect, ms; default 3,000. */
  longestWait?: number;
  /** Request lost packets again (RTX), and key frames after long gaps. Default false, so that losses can be counted. */
  askAgain?: boolean;
  /**
   * Stop tracks that the server mutes or unpublishes; default true. False simulates a client that ignores the server.
   */
  obeys?: boolean;
  /** Accept a self-signed certificate. */
  insecure?: boolean;
}

export interface ReceivedData {
  payload: Uint8Array;
  topic: string | undefined;
  /** Identity of the sender; empty for the server. */
  from: string;
  reliable: boolean;
}

/** Why a session ended: LiveKit's reason and the requested action, or this side left, or the connection broke. */
export interface Left {
  reason: keyof typeof DisconnectReason | 'CONNECTION_LOST' | 'LEFT';
  action: keyof typeof LeaveRequest_Action | undefined;
}

export interface ParticipantEvents {
  track: [RemoteTrack];
  trackGone: [RemoteTrack];
  data: [ReceivedData];
  /** The active speakers, loudest first. */
  speakers: [{ identity: string; level: number }[]];
  participant: [ParticipantInfo];
  participantGone: [ParticipantInfo];
  /** The server muted or unmuted a track of this participant. */
  muted: [{ sid: string; muted: boolean }];
  /** The server withdrew a track of this participant: it may no longer send it. */
  withdrawn: [LocalTrack];
  /** The server changed this participant, for example its name or permission. */
  self: [ParticipantInfo];
  /** The room's metadata changed. */
  metadata: [string];
  /** The connection broke; with `reconnect`, `reconnected` or `left` follows. */
  reconnecting: [];
  reconnected: ['resumed' | 'rejoined'];
  left: [Left];
}
