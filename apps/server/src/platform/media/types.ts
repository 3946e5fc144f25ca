/** A kind of track a terminal may publish. */
export const MEDIA_SOURCES = ['camera', 'microphone', 'screenShare', 'screenShareAudio'] as const;
export type MediaSource = (typeof MEDIA_SOURCES)[number];

/**
 * What a participant may send. For the engine, no kinds at all means every kind, so `canPublish` is false for
 * participants that may send none.
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
  /** Limits publishing to these kinds; without it, all kinds. */
  canPublishSources?: MediaSource[];
  canSubscribe: boolean;
  hidden?: boolean;
}

export interface MediaRoom {
  name: string;
  participantCount: number;
  /** The last value set; empty if never set. */
  metadata: string;
}

/** A track as its publisher announced it; only `kind` is verified by the actual media. */
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

/** Changes to a participant. */
export interface ParticipantChange {
  identity: string;
  permission?: MediaPermission;
  name?: string;
}

/** A media region: one engine with one or several media servers. `name` is empty for this server's own. */
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
 * The media engine of one zone, embedded or a LiveKit cluster; used only through its server API, so that the same code
 * serves both.
 */
export interface Media {
  readonly zone: ZoneNames;
  /** Every zone, this server's own first. */
  zones(): readonly Media[];
  /** The zone with this name; this server's own if it is no longer configured. */
  in(zoneId: string): Media;
  /**
   * UDP ports of the embedded engine's processes, in the order of `servers()`; empty for other engines, whose ports are
   * not known.
   */
  readonly udpPorts: readonly number[];
  /** The current media servers of this zone. */
  servers(): Promise<MediaServer[]>;
  /** The media server that has the room; null if none has it, or it cannot be determined. */
  serverOf(room: string): Promise<string | null>;
  /** Whether the engine answered the last check (every two seconds). */
  available(): boolean;
  /** The URL for browsers, ws:// or wss://. */
  url(context: { origin: string }): string;
  /**
   * Creates the room, on this media server if one is named; keeps an existing one. `emptySeconds`: how long it is kept
   * while empty. Throws if the named server accepts no rooms.
   */
  createRoom(name: string, options: { capacity: number; server?: string | null; emptySeconds?: number }): Promise<void>;
  /** Ends the room for everybody; does nothing if it does not exist. */
  deleteRoom(name: string): Promise<void>;
  listRooms(): Promise<MediaRoom[]>;
  listParticipants(room: string): Promise<MediaParticipant[]>;
  /**
   * Does nothing if the participant or the room does not exist. With LiveKit, the participant's token can open the room
   * again: see docs/engines.md.
   */
  removeParticipant(room: string, identity: string): Promise<void>;
  /**
   * Changes at once what participants of a room may send, or their names: tracks they may no longer send are held or
   * withdrawn. Absent participants are skipped.
   *
   * @returns identities that were not changed; they are logged
   */
  updateParticipants(room: string, changes: readonly ParticipantChange[]): Promise<string[]>;
  /** Text sent to every participant; does nothing if the room does not exist. */
  setRoomMetadata(room: string, metadata: string): Promise<void>;
  /** A LiveKit access token: a JSON Web Token with a video grant. */
  token(options: TokenOptions): Promise<string>;
}
