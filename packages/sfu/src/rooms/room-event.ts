import type { ParticipantInfo, Room as RoomInfo, TrackInfo } from '@livekit/protocol';

/** An event in a room, named as in LiveKit's webhooks. */
export interface RoomEvent {
  event:
    | 'room_started'
    | 'room_finished'
    | 'participant_joined'
    | 'participant_left'
    /** Left before its media was ever connected. */
    | 'participant_connection_aborted'
    | 'track_published'
    | 'track_unpublished';
  room: RoomInfo;
  participant?: ParticipantInfo;
  track?: TrackInfo;
}
