import type { ParticipantInfo, Room as RoomInfo, TrackInfo } from '@livekit/protocol';

/** What happens in rooms that other servers may want to know, by the names of LiveKit's webhooks. */
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
