import {
  ParticipantPermission,
  TrackSource,
  ParticipantInfo_Kind,
  type ParticipantInfo_KindDetail,
  type RoomConfiguration,
} from '@livekit/protocol';

/** What an access token allows, with LiveKit's defaults filled in. */
export interface Grants {
  identity: string;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  /** The room it is for; empty if it names none. */
  room: string;
  roomJoin: boolean;
  roomCreate: boolean;
  roomList: boolean;
  roomAdmin: boolean;
  /** The room to which it may forward or move participants. */
  destinationRoom: string;
  canPublish: boolean;
  canSubscribe: boolean;
  canPublishData: boolean;
  /** Empty allows all. */
  canPublishSources: TrackSource[];
  canUpdateOwnMetadata: boolean;
  canSubscribeMetrics: boolean;
  canManageAgentSession: boolean;
  hidden: boolean;
  recorder: boolean;
  agent: boolean;
  kind: ParticipantInfo_Kind;
  kindDetails: ParticipantInfo_KindDetail[];
  /** Options of the room, if this join creates it. */
  roomConfig: RoomConfiguration | undefined;
  /** Base64 of the SHA-256 of the only request body it is valid for; empty for any body. */
  sha256: string;
  /** Unix seconds. */
  expiresAt: number;
}

const sourceNames: ReadonlyArray<readonly [string, TrackSource]> = [
  ['camera', TrackSource.CAMERA],
  ['microphone', TrackSource.MICROPHONE],
  ['screen_share', TrackSource.SCREEN_SHARE],
  ['screen_share_audio', TrackSource.SCREEN_SHARE_AUDIO],
];

/** The source for a name in a token, in either case; UNKNOWN for any other name, which then allows nothing. */
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
    canSubscribeMetrics: grants.canSubscribeMetrics,
    canManageAgentSession: grants.canManageAgentSession,
    hidden: grants.hidden,
    recorder: grants.recorder,
    agent: grants.agent,
  });
}

/** The grants of a participant whose permission was changed. */
export function withPermission(grants: Grants, permission: ParticipantPermission): Grants {
  return {
    ...grants,
    canPublish: permission.canPublish,
    canSubscribe: permission.canSubscribe,
    canPublishData: permission.canPublishData,
    canPublishSources: permission.canPublishSources,
    canUpdateOwnMetadata: permission.canUpdateMetadata,
    canSubscribeMetrics: permission.canSubscribeMetrics,
    canManageAgentSession: permission.canManageAgentSession,
    hidden: permission.hidden,
    recorder: permission.recorder,
    agent: permission.agent,
  };
}

export function isRecorder(grants: Grants): boolean {
  return grants.recorder || grants.kind === ParticipantInfo_Kind.EGRESS;
}

export function isAgent(grants: Grants): boolean {
  return grants.agent || grants.kind === ParticipantInfo_Kind.AGENT;
}

/**
 * A participant that serves the conference instead of taking part: it is not counted and keeps no room open, as in
 * LiveKit.
 */
export function isDependent(grants: Grants): boolean {
  return isRecorder(grants) || isAgent(grants);
}

/** Whether a permission allows publishing a track of this source. */
export function maySend(permission: ParticipantPermission, source: TrackSource): boolean {
  if (!permission.canPublish) return false;
  return permission.canPublishSources.length === 0 || permission.canPublishSources.includes(source);
}
