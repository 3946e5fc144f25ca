import type { Admission } from '../admission.ts';
import type { Counters } from '../counters.ts';
import type { Log } from '../options.ts';
import type { Candidate } from '../transport/addresses.ts';
import type { MediaPort } from '../transport/transport.ts';
import type { ICEServer } from '@livekit/protocol';
import type { Grants } from '../signalling/grants.ts';
import type { RoomEvent } from './room-event.ts';

/** What rooms use of the engine. */
export interface RoomSettings {
  counters: Counters;
  log: Log;
  admission: Admission;
  mediaPort: MediaPort;
  /** See EngineOptions. */
  holdTracks: boolean;
  emptyTimeout: number;
  departureTimeout: number;
  /** Candidates to advertise, read again at each join. */
  candidates(): readonly Candidate[];
  /** TURN servers with credentials for this identity. */
  iceServers(identity: string): ICEServer[];
  /** Called for every event of a room; undefined without webhooks. */
  notify: ((event: RoomEvent) => void) | undefined;
  /** A new token with these grants, for a participant whose token expires soon. */
  signToken(grants: Grants): Promise<string>;
}
