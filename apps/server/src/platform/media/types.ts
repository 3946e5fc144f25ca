/** A kind of track a terminal may publish. */
export type MediaSource = 'camera' | 'microphone' | 'screenShare' | 'screenShareAudio';

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
}

export interface MediaParticipant {
  identity: string;
  name: string;
  joinedAt: Date;
}

/** The media engine, embedded or a LiveKit cluster; by its server API alone, so that the same code serves both. */
export interface Media {
  /** Whether the engine answered the last time it was asked (every two seconds). */
  available(): boolean;
  /** Where browsers connect, as ws:// or wss://. */
  url(context: { origin: string }): string;
  /** Makes the room; keeps it when it is there already. */
  createRoom(name: string, options: { capacity: number }): Promise<void>;
  /** Ends the room for everybody; nothing happens when there is none. */
  deleteRoom(name: string): Promise<void>;
  listRooms(): Promise<MediaRoom[]>;
  listParticipants(room: string): Promise<MediaParticipant[]>;
  /** Nothing happens when the participant or the room is gone. */
  removeParticipant(room: string, identity: string): Promise<void>;
  /** A LiveKit access token: a JSON Web Token with a video grant. */
  token(options: TokenOptions): Promise<string>;
}
