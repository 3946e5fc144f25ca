import {
  AddTrackRequest,
  ClientInfo_SDK,
  DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantInfo_State,
  RequestResponse,
  RequestResponse_Reason,
  TrackPublishedResponse,
  TrackUnpublishedResponse,
  type ClientInfo,
  type ParticipantPermission,
} from '@livekit/protocol';
import { limits, type RateName } from '../limits.ts';
import { FloodGuard } from '../connection/flood-guard.ts';
import { isAgent, maySend, permissionOf, type Grants } from '../signalling/grants.ts';
import { newSid } from '../ids.ts';
import type { JoinRequest } from '../signalling/join-request.ts';
import { MediaConnection } from '../connection/media-connection.ts';
import type { Publication, Publisher } from '../tracks/publication.ts';
import { Publications } from '../tracks/publications.ts';
import type { RoomSettings } from '../rooms/settings.ts';
import { encodeSignal, type SignalMessage, type SignalSink } from '../signalling/signal.ts';
import { SubscriptionRules } from '../tracks/subscription-rules.ts';
import type { Subscription } from '../tracks/subscription.ts';
import { Subscriptions } from '../tracks/subscriptions.ts';

/**
 * Messages that are kept while a client's signalling is interrupted; all others are state that a resume sends again.
 */
const kept = new Set<SignalMessage['case']>([
  'trackPublished',
  'trackUnpublished',
  'mute',
  'requestResponse',
  'subscriptionPermissionUpdate',
]);
const MAX_KEPT = 200;

/** Whether the metadata and attributes of a joining client are within the limits for updates. */
function fits({ metadata, attributes }: JoinRequest): boolean {
  if (Object.keys(attributes).length > limits.attributes) return false;
  return JSON.stringify(attributes).length + metadata.length <= limits.metadataBytes;
}

/** The room of a participant, as far as the participant uses it. */
export interface ParticipantRoom {
  readonly name: string;
  /** Publishes a change that the server made to a participant. */
  announceSoon(participant: Participant): void;
  handleConnected(participant: Participant): void;
  handleLost(participant: Participant): void;
  handleSilence(participant: Participant, isSilent: boolean): void;
  handleFlood(participant: Participant, what: RateName): void;
  handleData(participant: Participant, label: string, message: Buffer): void;
  handleUndecodable(participant: Participant, subscription: Subscription): void;
  handlePublished(participant: Participant, publication: Publication): void;
  handleUnpublished(participant: Participant, publication: Publication): void;
  handleCodecChanged(participant: Participant, publication: Publication): void;
}

/** A participant of a room: its identity, permissions, publications and subscriptions. */
export class Participant implements Publisher {
  readonly sid = newSid('PA_');
  readonly identity: string;
  readonly #room: ParticipantRoom;
  readonly #settings: RoomSettings;
  readonly publications: Publications;
  readonly subscriptions: Subscriptions;
  readonly connection: MediaConnection;
  readonly rules = new SubscriptionRules();
  /** Disconnects it when it exceeds a rate. */
  readonly guard: FloodGuard;
  /** Sids of tracks to which it may not subscribe, as it knows. */
  readonly forbidden = new Set<string>();
  readonly joinedAt = Date.now();
  grants: Grants;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  permission: ParticipantPermission;
  state = ParticipantInfo_State.JOINED;
  autoSubscribe: boolean;
  /** By track sid: whether it subscribed to or unsubscribed from the track explicitly. */
  readonly choices = new Map<string, boolean>();
  /** Sequence number of its last reliable data message, so that it can resend lost ones. */
  lastReliableSequence = 0;
  /** Since when its signalling is interrupted, ms of `performance.now()`; undefined while it is connected. */
  detachedAt: number | undefined;
  connectedOnce = false;
  lost = false;
  /** It has sent an invalid request. */
  hasFaults = false;
  /** Why it left; set when it leaves. */
  leaveReason = DisconnectReason.UNKNOWN_REASON;
  lastTokenAt = Date.now();
  readonly client: ClientInfo | undefined;
  /** A section of its offers was rejected. */
  #hasRefused = false;
  #version = 0;
  #info: ParticipantInfo | undefined;
  #sink: SignalSink | undefined;
  readonly #kept: Uint8Array[] = [];
  /** Participants that left while its signalling was interrupted, by identity. */
  readonly #gone = new Map<string, ParticipantInfo>();

  constructor(room: ParticipantRoom, grants: Grants, request: JoinRequest, sink: SignalSink, settings: RoomSettings) {
    this.#room = room;
    this.#settings = settings;
    this.guard = new FloodGuard((what) => room.handleFlood(this, what));
    this.grants = grants;
    this.identity = grants.identity;
    this.name = grants.name;
    const own = grants.canUpdateOwnMetadata && fits(request) ? request : undefined;
    this.metadata = own?.metadata || grants.metadata;
    this.attributes = { ...grants.attributes, ...own?.attributes };
    this.permission = permissionOf(grants);
    this.autoSubscribe = request.autoSubscribe;
    this.client = request.client;
    this.#sink = sink;
    this.connection = new MediaConnection(
      {
        name: `${room.name}/${this.identity}`,
        dual: request.dual,
        // Browsers do. Clients of other libraries may have to join again instead.
        restartsIce: request.client?.sdk === ClientInfo_SDK.JS,
        mediaPort: settings.mediaPort,
        candidates: settings.candidates(),
        send: (message) => this.send(message),
      },
      {
        handleConnected: () => room.handleConnected(this),
        handleLost: () => room.handleLost(this),
        handleSilence: (isSilent) => room.handleSilence(this, isSilent),
        handleData: (label, message) => room.handleData(this, label, message),
        handleUndecodable: (subscription) => room.handleUndecodable(this, subscription),
      },
    );
    this.publications = new Publications(
      this,
      settings.admission.capacity.tracksPerParticipant,
      this.connection,
      {
        handlePublished: (publication) => room.handlePublished(this, publication),
        handleUnpublished: (publication) => room.handleUnpublished(this, publication),
        handleCodecChanged: (publication) => room.handleCodecChanged(this, publication),
        handleRefused: ({ kind, mid }, reason) => {
          // The first one shows a faulty client; a flood of them must not flood the log.
          const level = this.#hasRefused ? 'debug' : 'warn';
          this.#hasRefused = true;
          settings.log(level, 'section refused', { room: room.name, identity: this.identity, kind, mid, reason });
        },
      },
      settings.counters,
    );
    this.subscriptions = new Subscriptions(this.connection.sink, settings.counters);
    this.connection.attach(this.publications, this.subscriptions);
  }

  get hidden(): boolean {
    return this.permission.hidden;
  }

  get isAgent(): boolean {
    return isAgent(this.grants);
  }

  get attached(): boolean {
    return this.#sink !== undefined;
  }

  /**
   * Its public state, built again only after a change. The version rises with every change, so that clients drop older
   * states.
   */
  info(changed = true): ParticipantInfo {
    if (changed) {
      this.#version += 1;
      this.#info = undefined;
    }
    return (this.#info ??= this.#makeInfo());
  }

  #makeInfo(): ParticipantInfo {
    const tracks = this.publications.infos;
    return new ParticipantInfo({
      sid: this.sid,
      identity: this.identity,
      name: this.name,
      state: this.state,
      metadata: this.metadata,
      attributes: this.attributes,
      tracks,
      joinedAt: BigInt(Math.floor(this.joinedAt / 1000)),
      joinedAtMs: BigInt(this.joinedAt),
      version: this.#version,
      permission: this.permission,
      isPublisher: tracks.length > 0,
      kind: this.grants.kind,
      kindDetails: this.grants.kindDetails,
      disconnectReason: this.leaveReason,
      clientProtocol: this.client?.clientProtocol ?? 0,
      capabilities: this.client?.capabilities.slice(0, 32) ?? [],
    });
  }

  send(message: SignalMessage): void {
    if (this.#sink || kept.has(message.case)) this.sendEncoded(encodeSignal(message));
  }

  /** Sends an encoded message, or keeps it while signalling is interrupted. */
  sendEncoded(bytes: Uint8Array): void {
    if (this.#sink) this.#sink.send(bytes);
    else if (this.#kept.length < MAX_KEPT) this.#kept.push(bytes);
  }

  /** Broadcasts are state that a resume sends again, so they are not kept. */
  sendBroadcast(bytes: Uint8Array): void {
    this.#sink?.send(bytes);
  }

  /** Sends a new token with the current grants. */
  sendToken(): void {
    const settings = this.#settings;
    this.lastTokenAt = Date.now();
    settings.signToken(this.grants).then(
      (token) => this.send({ case: 'refreshToken', value: token }),
      (error: unknown) => settings.log('error', 'cannot sign a token', { room: this.#room.name, error: String(error) }),
    );
  }

  /** Attaches a new signalling connection and closes the old one, if any. */
  attach(sink: SignalSink): void {
    const before = this.#sink;
    this.#sink = sink;
    this.detachedAt = undefined;
    before?.close();
  }

  /** Sends the kept messages. */
  flushKept(): void {
    for (const bytes of this.#kept.splice(0)) this.#sink?.send(bytes);
  }

  /** Another participant left: stored while signalling is interrupted, as the state sent on resume does not list it. */
  handleGone({ identity, sid, state }: Participant): void {
    if (!this.#sink) this.#gone.set(identity, new ParticipantInfo({ identity, sid, state }));
  }

  /** Returns and clears the participants that left while signalling was interrupted. */
  takeGone(): ParticipantInfo[] {
    const gone = [...this.#gone.values()];
    this.#gone.clear();
    return gone;
  }

  /** Its signalling is interrupted. Media continues; the room waits before it removes the participant. */
  detach(sink: SignalSink): void {
    if (this.#sink !== sink) return;
    this.#sink = undefined;
    this.detachedAt = performance.now();
  }

  sendLeave(action: LeaveRequest_Action, reason: DisconnectReason): void {
    this.send({ case: 'leave', value: new LeaveRequest({ action, reason }) });
  }

  /** Announces a track, or rejects it with a reason. */
  addTrack(request: AddTrackRequest): void {
    const allowed = maySend(this.permission, request.source);
    const publication = allowed ? this.publications.add(request) : undefined;
    if (!publication) {
      const reason = allowed ? RequestResponse_Reason.LIMIT_EXCEEDED : RequestResponse_Reason.NOT_ALLOWED;
      this.send({
        case: 'requestResponse',
        value: new RequestResponse({ reason, request: { case: 'addTrack', value: request } }),
      });
      return;
    }
    this.send({
      case: 'trackPublished',
      value: new TrackPublishedResponse({ cid: request.cid, track: publication.info }),
    });
    this.publications.bindWaiting();
  }

  /** Sets whether a track of this participant is muted, and publishes the change. */
  setMuted(trackSid: string, muted: boolean): void {
    const publication = this.publications.find(trackSid);
    if (publication?.setMuted(muted) && publication.track) this.#room.announceSoon(this);
  }

  /** Unpublishes a track, for the server or because of its permissions. */
  withdraw(publication: Publication): void {
    this.send({ case: 'trackUnpublished', value: new TrackUnpublishedResponse({ trackSid: publication.sid }) });
    this.publications.unpublish(publication);
  }

  /** Unpublishes, or holds, tracks that its permissions no longer allow, and releases those that they allow again. */
  enforcePermission(): void {
    for (const publication of this.publications.all) {
      const allowed = maySend(this.permission, publication.info.source);
      if (this.#settings.holdTracks) publication.setHeld(!allowed);
      else if (!allowed) this.withdraw(publication);
    }
  }

  close(): void {
    this.connection.close();
    this.subscriptions.clear();
    const sink = this.#sink;
    this.#sink = undefined;
    sink?.close();
  }
}
