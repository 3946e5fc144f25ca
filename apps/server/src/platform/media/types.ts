/** A kind of track a terminal may publish. */
export const MEDIA_SOURCES = ['camera', 'microphone', 'screenShare', 'screenShareAudio'] as const;
export type MediaSource = (typeof MEDIA_SOURCES)[number];

/**
 * What somebody may send. No kinds at all means every kind to the engine, so whoever may send none has `canPublish`
 * false.
 */
export interface MediaPermission {
  canPublish: boolean;
  canPublishSources: MediaSource[];
}

export interface TokenOptions {
  /** `<conferenceId>.<generation>` */
  room: string;
  /** The terminal's termId. */
  identity: string;
  name: string;
  metadata?: string;
  ttlSeconds: number;
  canPublish: boolean;
  /** Limits publishing to these kinds; all kinds without it. */
  canPublishSources?: MediaSource[];
  canSubscribe: boolean;
  hidden?: boolean;
}

export interface MediaRoom {
  name: string;
  participantCount: number;
  /** As set last; empty where it never was. */
  metadata: string;
}

/** A track as its publisher announced it; only `kind` is what really flows. */
export interface MediaTrack {
  sid: string;
  kind: 'audio' | 'video';
  source: MediaSource | 'unknown';
  muted: boolean;
}

export interface MediaParticipant {
  identity: string;
  name: string;
  metadata: string;
  joinedAt: Date;
  permission: MediaPermission;
  tracks: MediaTrack[];
}

/** What is to change of a participant. */
export interface ParticipantChange {
  identity: string;
  permission?: MediaPermission;
  name?: string;
}

/** A media region: one engine, of one or several media servers. `name` is empty for this server's own. */
export interface ZoneNames {
  id: string;
  name: string;
}

/** A media server of a zone; `load` is about one per participant, null while it does not answer. */
export interface MediaServer {
  id: string;
  state: 'up' | 'full' | 'away' | 'silent';
  load: number | null;
}

/**
 * The media engine of one zone, embedded or a LiveKit cluster; by its server API alone, so that the same code serves
 * both.
 */
export interface Media {
  readonly zone: ZoneNames;
  /** Every zone, this server's own first. */
  zones(): readonly Media[];
  /** The zone of a name; this server's own where it is not configured any more. */
  in(zoneId: string): Media;
  /**
   * UDP ports of the embedded engine's processes, in the order of `servers()`; empty elsewhere, where nothing is known
   * of them.
   */
  readonly udpPorts: readonly number[];
  /** The media servers of this zone as they do now. */
  servers(): Promise<MediaServer[]>;
  /** The media server that has the room; null where none has, or it cannot be said. */
  serverOf(room: string): Promise<string | null>;
  /** Whether the engine answered the last time it was asked (every two seconds). */
  available(): boolean;
  /** Where browsers connect, as ws:// or wss://. */
  url(context: { origin: string }): string;
  /**
   * Makes the room, on this media server where one is named; keeps it when it is there already. `emptySeconds`: how
   * long it stays with nobody in it. Throws where the server named takes none.
   */
  createRoom(name: string, options: { capacity: number; server?: string | null; emptySeconds?: number }): Promise<void>;
  /** Ends the room for everybody; nothing happens when there is none. */
  deleteRoom(name: string): Promise<void>;
  listRooms(): Promise<MediaRoom[]>;
  listParticipants(room: string): Promise<MediaParticipant[]>;
  /**
   * Nothing happens when the participant or the room is gone. With LiveKit the participant's token opens the room
   * again: see docs/engines.md.
   */
  removeParticipant(room: string, identity: string): Promise<void>;
  /**
   * Changes what participants of a room may send, at once: tracks they may not send any more are held or withdrawn. Or
   * their names. Whoever is gone is passed over.
   *
   * @returns identities that were not changed, and were logged
   */
  updateParticipants(room: string, changes: readonly ParticipantChange[]): Promise<string[]>;
  /** Text every participant gets; nothing happens when the room is gone. */
  setRoomMetadata(room: string, metadata: string): Promise<void>;
  /** A LiveKit access token: a JSON Web Token with a video grant. */
  token(options: TokenOptions): Promise<string>;
}
