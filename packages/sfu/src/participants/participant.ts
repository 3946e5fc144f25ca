import {
  AddTrackRequest,
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

/** Messages that must reach a client even if its signalling is away; all others are state sent anew on resume. */
const kept = new Set<SignalMessage['case']>([
  'trackPublished',
  'trackUnpublished',
  'mute',
  'requestResponse',
  'subscriptionPermissionUpdate',
]);
const MAX_KEPT = 200;

/** Whether what a joining client says of itself is within the limits that updates of it have. */
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
  handleFlood(participant: Participant, what: RateName): void;
  handleData(participant: Participant, label: string, message: Buffer): void;
  handleUndecodable(participant: Participant, subscription: Subscription): void;
  handlePublished(participant: Participant, publication: Publication): void;
  handleUnpublished(participant: Participant, publication: Publication): void;
  handleCodecChanged(participant: Participant, publication: Publication): void;
}

/** One participant of a room: who it is, what it may, what it publishes and receives. */
export class Participant implements Publisher {
  readonly sid = newSid('PA_');
  readonly identity: string;
  readonly #room: ParticipantRoom;
  readonly #settings: RoomSettings;
  readonly publications: Publications;
  readonly subscriptions: Subscriptions;
  readonly connection: MediaConnection;
  readonly rules = new SubscriptionRules();
  /** Cuts it off when it does too much. */
  readonly guard: FloodGuard;
  /** Sids of tracks it was told it may not subscribe to. */
  readonly forbidden = new Set<string>();
  readonly joinedAt = Date.now();
  grants: Grants;
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  permission: ParticipantPermission;
  state = ParticipantInfo_State.JOINED;
  autoSubscribe: boolean;
  /** Sids it unsubscribed from by itself, or subscribed to although it subscribes to nothing by itself. */
  readonly choices = new Map<string, boolean>();
  /** Sequence of its last reliable data message, so that it can resend what was lost. */
  lastReliableSequence = 0;
  /** Since when it has no signalling, ms of `performance.now()`; undefined while it has. */
  detachedAt: number | undefined;
  connectedOnce = false;
  lost = false;
  /** It has sent what cannot be worked with. */
  hasFaults = false;
  /** Why it left, once it has. */
  leftBecause = DisconnectReason.UNKNOWN_REASON;
  lastTokenAt = Date.now();
  readonly client: ClientInfo | undefined;
  /** A section of its offers was refused. */
  #hasRefused = false;
  #version = 0;
  #info: ParticipantInfo | undefined;
  #sink: SignalSink | undefined;
  readonly #kept: Uint8Array[] = [];
  /** Who left while signalling was away, by identity. */
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
        transport: settings.transport,
        candidates: settings.candidates(),
        send: (message) => this.send(message),
      },
      {
        handleConnected: () => room.handleConnected(this),
        handleLost: () => room.handleLost(this),
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
          // The first tells of a client gone wrong; one that makes many must not flood the log.
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
   * What others are told of it, made anew only when something changed. The version rises with every change, so that
   * clients drop older news.
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
      disconnectReason: this.leftBecause,
      clientProtocol: this.client?.clientProtocol ?? 0,
      capabilities: this.client?.capabilities.slice(0, 32) ?? [],
    });
  }

  send(message: SignalMessage): void {
    if (this.#sink || kept.has(message.case)) this.sendEncoded(encodeSignal(message));
  }

  /** Sends what `encodeSignal` made; kept for later while signalling is away. */
  sendEncoded(bytes: Uint8Array): void {
    if (this.#sink) this.#sink.send(bytes);
    else if (this.#kept.length < MAX_KEPT) this.#kept.push(bytes);
  }

  /** Broadcasts are state that a resume sends anew: they are not kept. */
  sendBroadcast(bytes: Uint8Array): void {
    this.#sink?.send(bytes);
  }

  /** Sends a new token with the current grants. */
  sendToken(): void {
    const { signToken, log } = this.#settings;
    this.lastTokenAt = Date.now();
    signToken(this.grants).then(
      (token) => this.send({ case: 'refreshToken', value: token }),
      (error: unknown) => log('error', 'cannot sign a token', { room: this.#room.name, error: String(error) }),
    );
  }

  /** A new signalling connection takes over; the old one, if any, is closed. */
  attach(sink: SignalSink): void {
    const before = this.#sink;
    this.#sink = sink;
    this.detachedAt = undefined;
    before?.close();
  }

  /** Sends what had to wait for signalling to come back. */
  flushKept(): void {
    for (const bytes of this.#kept.splice(0)) this.#sink?.send(bytes);
  }

  /** Somebody else left: remembered while signalling is away, since no state sent anew tells of who is not there. */
  handleGone({ identity, sid, state }: Participant): void {
    if (!this.#sink) this.#gone.set(identity, new ParticipantInfo({ identity, sid, state }));
  }

  /** Who left while signalling was away; they are forgotten here. */
  takeGone(): ParticipantInfo[] {
    const gone = [...this.#gone.values()];
    this.#gone.clear();
    return gone;
  }

  /** Its signalling went away. Media goes on; the room waits before it gives up. */
  detach(sink: SignalSink): void {
    if (this.#sink !== sink) return;
    this.#sink = undefined;
    this.detachedAt = performance.now();
  }

  sendLeave(action: LeaveRequest_Action, reason: DisconnectReason): void {
    this.send({ case: 'leave', value: new LeaveRequest({ action, reason }) });
  }

  /** Announces a track, or refuses it and says why. */
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
      value: new TrackPublishedResponse({ cid: publication.cid, track: publication.info }),
    });
    this.publications.bindWaiting();
  }

  /** Notes that a track of this participant is muted or not, and tells the room. */
  setMuted(trackSid: string, muted: boolean): void {
    const publication = this.publications.find(trackSid);
    if (publication?.setMuted(muted) && publication.track) this.#room.announceSoon(this);
  }

  /** Withdraws a track of this participant, as the server or its permissions want it. */
  withdraw(publication: Publication): void {
    this.send({ case: 'trackUnpublished', value: new TrackUnpublishedResponse({ trackSid: publication.sid }) });
    this.publications.unpublish(publication);
  }

  /** Withdraws, or holds, whatever its permissions no longer allow; lets go of what they do again. */
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
