import { ParticipantPermission, TrackSource, type ParticipantInfo_Kind } from '@livekit/protocol';

/** What an access token allows, with LiveKit's defaults filled in. */
export interface Grants {
  identity: string;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  /** The room it is for; empty when it names none. */
  room: string;
  roomJoin: boolean;
  roomCreate: boolean;
  roomList: boolean;
  roomAdmin: boolean;
  canPublish: boolean;
  canSubscribe: boolean;
  canPublishData: boolean;
  /** Empty allows all. */
  canPublishSources: TrackSource[];
  canUpdateOwnMetadata: boolean;
  hidden: boolean;
  recorder: boolean;
  kind: ParticipantInfo_Kind;
  /** Unix seconds. */
  expiresAt: number;
}

const sourceNames: ReadonlyArray<readonly [string, TrackSource]> = [
  ['camera', TrackSource.CAMERA],
  ['microphone', TrackSource.MICROPHONE],
  ['screen_share', TrackSource.SCREEN_SHARE],
  ['screen_share_audio', TrackSource.SCREEN_SHARE_AUDIO],
];

/** A token's word for a source, in either case; UNKNOWN for any other word, which then allows nothing. */
export function sourceOf(name: string): TrackSource {
  return sourceNames.find(([known]) => known === name.toLowerCase())?.[1] ?? TrackSource.UNKNOWN;
}

export function sourceName(source: TrackSource): string {
  return sourceNames.find(([, known]) => known === source)?.[0] ?? 'unknown';
}

export function permissionOf(grants: Grants): ParticipantPermission {
  return new ParticipantPermission({
    canSubscribe: grants.canSubscribe,
    canPublish: grants.canPublish,
    canPublishData: grants.canPublishData,
    canPublishSources: grants.canPublishSources,
    canUpdateMetadata: grants.canUpdateOwnMetadata,
    hidden: grants.hidden,
    recorder: grants.recorder,
  });
}

/** Whether a permission lets a track of this source be published. */
export function maySend(permission: ParticipantPermission, source: TrackSource): boolean {
  if (!permission.canPublish) return false;
  return permission.canPublishSources.length === 0 || permission.canPublishSources.includes(source);
}
