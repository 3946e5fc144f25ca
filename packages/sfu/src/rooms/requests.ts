import {
  DisconnectReason,
  LeaveRequest_Action,
  Pong,
  RequestResponse,
  RequestResponse_Reason,
  SubscriptionError,
  SubscriptionResponse,
  type SignalRequest,
  type UpdateParticipantMetadata,
  type UpdateSubscription,
} from '@livekit/protocol';
import { limits, type RateName } from '../limits.ts';
import type { Participant } from '../participants/participant.ts';
import type { Room } from './room.ts';

type Request = SignalRequest['message'];
type RequestCase = Exclude<Request['case'], undefined>;
type ValueOf<C extends RequestCase> = Extract<Request, { case: C }>['value'];
type Handlers = { [C in RequestCase]?: (room: Room, participant: Participant, value: ValueOf<C>) => void };

function sidsOf({
  trackSids,
  participantTracks,
}: Pick<UpdateSubscription, 'trackSids' | 'participantTracks'>): string[] {
  return [...trackSids, ...participantTracks.flatMap((tracks) => tracks.trackSids)];
}

/** Subscribes to or unsubscribes from tracks, for the client itself or by the server API. */
export function updateSubscription(
  room: Room,
  participant: Participant,
  update: Pick<UpdateSubscription, 'trackSids' | 'participantTracks' | 'subscribe'>,
): void {
  for (const sid of sidsOf(update).slice(0, limits.mediaSections)) {
    const publication = room.findPublication(sid);
    if (!publication) {
      const value = new SubscriptionResponse({ trackSid: sid, err: SubscriptionError.SE_TRACK_NOTFOUND });
      if (update.subscribe) participant.send({ case: 'subscriptionResponse', value });
      continue;
    }
    participant.choices.set(sid, update.subscribe);
    if (update.subscribe) room.subscribe(participant, publication);
    else room.unsubscribe(participant, publication);
  }
}

/** Applies name, metadata and attributes (an empty value deletes an attribute). Returns false if they are too large. */
export function updateIdentity(
  room: Room,
  participant: Participant,
  update: { name: string; metadata: string; attributes: Record<string, string> },
): boolean {
  const attributes = { ...participant.attributes, ...update.attributes };
  for (const [key, value] of Object.entries(attributes)) if (value === '') delete attributes[key];
  const size = JSON.stringify(attributes).length + update.metadata.length;
  if (size > limits.metadataBytes || Object.keys(attributes).length > limits.attributes) return false;
  if (update.name.length > limits.nameBytes) return false;
  participant.attributes = attributes;
  if (update.name !== '') participant.name = update.name;
  if (update.metadata !== '') participant.metadata = update.metadata;
  participant.grants = { ...participant.grants, name: participant.name, metadata: participant.metadata, attributes };
  room.announceSoon(participant);
  return true;
}

const refusals = {
  [RequestResponse_Reason.OK]: '',
  [RequestResponse_Reason.NOT_ALLOWED]: 'does not have permission to update own metadata',
  [RequestResponse_Reason.LIMIT_EXCEEDED]: 'name, metadata or attributes are too long',
};

function updateMetadata(room: Room, participant: Participant, update: UpdateParticipantMetadata): void {
  const { requestId } = update;
  let reason: keyof typeof refusals = RequestResponse_Reason.NOT_ALLOWED;
  if (participant.permission.canUpdateMetadata) {
    reason = updateIdentity(room, participant, update)
      ? RequestResponse_Reason.OK
      : RequestResponse_Reason.LIMIT_EXCEEDED;
  }
  if (reason === RequestResponse_Reason.OK) participant.sendToken();
  const value = new RequestResponse({
    requestId,
    reason,
    message: refusals[reason],
    request: { case: 'updateMetadata', value: update },
  });
  participant.send({ case: 'requestResponse', value });
}

const handlers: Handlers = {
  offer: (_room, participant, value) => participant.connection.handleOffer(value),
  answer: (_room, participant, value) => participant.connection.handleAnswer(value),
  addTrack: (_room, participant, value) => participant.addTrack(value),
  mute: (_room, participant, value) => {
    if (participant.publications.find(value.sid)) participant.setMuted(value.sid, value.muted);
    else
      participant.send({
        case: 'requestResponse',
        value: new RequestResponse({ reason: RequestResponse_Reason.NOT_FOUND, request: { case: 'mute', value } }),
      });
  },
  subscription: updateSubscription,
  trackSetting: (room, participant, value) => room.applySettings(participant, value),
  updateLayers: (_room, participant, value) => {
    const publication = participant.publications.find(value.trackSid);
    if (publication) publication.info.layers = value.layers.slice(0, limits.layersPerTrack);
  },
  subscriptionPermission: (room, participant, value) => {
    if (participant.rules.set(value)) room.reviewPublisher(participant);
  },
  updateMetadata,
  updateAudioTrack: (room, participant, value) => {
    const publication = participant.publications.find(value.trackSid);
    if (!publication) return;
    publication.info.audioFeatures = value.features.slice(0, 16);
    room.announce(participant);
  },
  updateVideoTrack: (room, participant, value) => {
    const publication = participant.publications.find(value.trackSid);
    if (!publication) return;
    publication.info.width = value.width;
    publication.info.height = value.height;
    room.announce(participant);
  },
  leave: (room, participant) => room.remove(participant, DisconnectReason.CLIENT_INITIATED),
  ping: (_room, participant) => participant.send({ case: 'pong', value: BigInt(Date.now()) }),
  pingReq: (_room, participant, { timestamp }) => {
    const value = new Pong({ lastPingTimestamp: timestamp, timestamp: BigInt(Date.now()) });
    participant.send({ case: 'pongResp', value });
  },
  publishDataTrackRequest: (_room, participant, value) => {
    const message = 'data tracks are not supported';
    participant.send({
      case: 'requestResponse',
      value: new RequestResponse({
        reason: RequestResponse_Reason.NOT_ALLOWED,
        message,
        request: { case: 'publishDataTrack', value },
      }),
    });
  },
  simulate: (room, participant, { scenario }) => {
    if (scenario.case === 'subscriberBandwidth') participant.connection.bandwidth.simulate(Number(scenario.value));
    if (scenario.case === 'serverLeave') room.remove(participant, DisconnectReason.SERVER_SHUTDOWN);
    if (
      scenario.case === 'nodeFailure' ||
      scenario.case === 'migration' ||
      scenario.case === 'leaveRequestFullReconnect'
    ) {
      room.remove(participant, DisconnectReason.STATE_MISMATCH, LeaveRequest_Action.RECONNECT);
    }
  },
};

/** The cost of a request in addition to the message itself; see `rates`. */
function costOf(request: Request): [RateName, number] | undefined {
  switch (request.case) {
    case 'subscription':
      return ['subscriptions', 1 + sidsOf(request.value).length];
    case 'offer':
    case 'answer':
      return ['descriptionBytes', request.value.sdp.length];
    case 'trackSetting':
      return ['settings', 1 + request.value.trackSids.length];
    case 'addTrack':
    case 'mute':
    case 'updateMetadata':
    case 'updateAudioTrack':
    case 'updateVideoTrack':
    case 'subscriptionPermission':
      return ['changes', 1];
    default:
      return undefined;
  }
}

/** Handles a client's request. Unknown requests are ignored, as in LiveKit. @throws SdpError for unusable SDP */
export function handleRequest(room: Room, participant: Participant, request: Request): void {
  if (request.case === undefined) return;
  const cost = costOf(request);
  if (cost && !participant.guard.allows(...cost)) return;
  const handler = handlers[request.case] as
    | ((room: Room, participant: Participant, value: unknown) => void)
    | undefined;
  handler?.(room, participant, request.value);
}
