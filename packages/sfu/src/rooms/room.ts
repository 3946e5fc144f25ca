import {
  DisconnectReason,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  Room as RoomInfo,
  RoomUpdate,
  SubscriptionError,
  SubscriptionPermissionUpdate,
  SubscriptionResponse,
  TrackSubscribed,
  type UpdateTrackSettings,
} from '@livekit/protocol';
import type { RateName } from '../limits.ts';
import { relayData } from './data.ts';
import { Nonces } from './nonces.ts';
import { isDependent, isRecorder, type Grants } from '../signalling/grants.ts';
import { newSid } from '../ids.ts';
import type { JoinRequest } from '../signalling/join-request.ts';
import { Participant, type ParticipantRoom } from '../participants/participant.ts';
import type { Publication } from '../tracks/publication.ts';
import type { RoomEvent } from './room-event.ts';
import { RoomClock } from './room-clock.ts';
import type { RoomView } from './room-view.ts';
import type { RoomSettings } from './settings.ts';
import { encodeSignal, type SignalMessage, type SignalSink } from '../signalling/signal.ts';
import type { Subscription } from '../tracks/subscription.ts';
import { joinMessage, reconnectMessage } from '../participants/welcome.ts';

export interface RoomOptions {
  metadata: string;
  /** 0: no limit of its own. */
  maxParticipants: number;
  /** Seconds; see EngineOptions. */
  emptyTimeout: number;
  departureTimeout: number;
}

/** Changes that the server makes to participants are batched for so long before they are broadcast, ms. */
const BATCH_MS = 50;

/** A room: its participants and their subscriptions. */
export class Room implements RoomView, ParticipantRoom {
  readonly name: string;
  readonly sid = newSid('RM_');
  readonly createdAt = Date.now();
  readonly participants = new Map<string, Participant>();
  readonly nonces = new Nonces();
  readonly settings: RoomSettings;
  readonly options: RoomOptions;
  /** Since when the room is empty, ms of `performance.now()`; undefined while it is not. */
  emptySince: number | undefined = performance.now();
  hadParticipants = false;
  readonly #clock: RoomClock;
  readonly #changed = new Set<Participant>();

  constructor(name: string, options: RoomOptions, settings: RoomSettings) {
    this.name = name;
    this.options = options;
    this.settings = settings;
    this.#clock = new RoomClock(this);
    this.#notify('room_started');
  }

  get visible(): Participant[] {
    return [...this.participants.values()].filter((participant) => !participant.hidden);
  }

  /** All participants except agents and recorders. */
  get present(): Participant[] {
    return [...this.participants.values()].filter((participant) => !isDependent(participant.grants));
  }

  info(): RoomInfo {
    const all = [...this.participants.values()];
    return new RoomInfo({
      sid: this.sid,
      name: this.name,
      metadata: this.options.metadata,
      emptyTimeout: this.options.emptyTimeout,
      departureTimeout: this.options.departureTimeout,
      maxParticipants: this.options.maxParticipants,
      creationTime: BigInt(Math.floor(this.createdAt / 1000)),
      creationTimeMs: BigInt(this.createdAt),
      numParticipants: this.present.length,
      numPublishers: all.filter((participant) => participant.publications.published.length > 0).length,
      activeRecording: all.some((participant) => isRecorder(participant.grants)),
    });
  }

  /**
   * Whether the room has no place for a new participant. One that rejoins takes its own place; agents and recorders do
   * not count.
   */
  isFull(grants: Grants): boolean {
    if (this.participants.has(grants.identity)) return false;
    if (this.participants.size >= this.settings.admission.capacity.participantsPerRoom) return true;
    const { maxParticipants } = this.options;
    return maxParticipants > 0 && !isDependent(grants) && this.present.length >= maxParticipants;
  }

  /** Admits a participant. An existing one with the same identity is removed. */
  join(grants: Grants, request: JoinRequest, sink: SignalSink): Participant {
    const before = this.participants.get(grants.identity);
    if (before) this.remove(before, DisconnectReason.DUPLICATE_IDENTITY);
    const participant = new Participant(this, grants, request, sink, this.settings);
    this.participants.set(participant.identity, participant);
    if (!isDependent(grants)) {
      this.emptySince = undefined;
      this.hadParticipants = true;
    }
    this.settings.counters.joins += 1;
    this.#clock.start();
    const iceServers = this.settings.iceServers(participant.identity);
    participant.send(
      joinMessage(participant, { room: this.info(), visible: this.visible, iceServers, dual: request.dual }),
    );
    participant.sendToken();
    this.announce(participant, false);
    if (isRecorder(grants)) this.#broadcastRoom();
    for (const other of this.participants.values()) {
      if (other !== participant)
        for (const publication of other.publications.published) this.subscribe(participant, publication);
    }
    for (const track of request.addTracks) participant.addTrack(track);
    if (request.offer) participant.connection.handleOffer(request.offer);
    else if (request.dual) participant.connection.update();
    return participant;
  }

  /** Attaches a new signalling connection to a participant that lost its own. */
  resume(participant: Participant, sink: SignalSink): void {
    participant.attach(sink);
    this.settings.counters.resumes += 1;
    participant.send(reconnectMessage(participant, this.settings.iceServers(participant.identity)));
    participant.sendToken();
    const present = [...this.visible.filter((other) => other !== participant), participant].map((other) =>
      other.info(false),
    );
    // departures first: a participant with the same identity may have joined since
    participant.send({
      case: 'update',
      value: new ParticipantUpdate({ participants: [...participant.takeGone(), ...present] }),
    });
    participant.send({ case: 'roomUpdate', value: new RoomUpdate({ room: this.info() }) });
    participant.flushKept();
    this.#clock.resumed(participant);
    participant.connection.resumed();
  }

  /** Removes a participant. `reason` is sent to it unless it left by itself. */
  remove(participant: Participant, reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    if (this.participants.get(participant.identity) !== participant) return;
    this.participants.delete(participant.identity);
    if (reason !== DisconnectReason.CLIENT_INITIATED) participant.sendLeave(action, reason);
    for (const publication of participant.publications.published) {
      this.#endSubscriptions(publication);
      this.#notify('track_unpublished', participant, publication);
    }
    participant.state = ParticipantInfo_State.DISCONNECTED;
    participant.leaveReason = reason;
    this.announce(participant, false);
    if (!participant.hidden) for (const other of this.participants.values()) other.handleGone(participant);
    if (isRecorder(participant.grants)) this.#broadcastRoom();
    this.#notify(participant.connectedOnce ? 'participant_left' : 'participant_connection_aborted', participant);
    participant.close();
    this.settings.log('info', 'participant left', {
      room: this.name,
      identity: participant.identity,
      reason: DisconnectReason[reason],
    });
    if (this.hadParticipants && this.present.length === 0) this.emptySince ??= performance.now();
    if (this.participants.size === 0) this.#clock.stop();
  }

  close(reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    for (const participant of this.participants.values()) this.remove(participant, reason, action);
    this.#clock.stop();
    this.#notify('room_finished');
  }

  /** Sends one message to everyone. */
  broadcast(message: SignalMessage, except?: Participant): void {
    const bytes = encodeSignal(message);
    for (const participant of this.participants.values()) if (participant !== except) participant.sendBroadcast(bytes);
  }

  /** Broadcasts the state of a participant; that of a hidden one is sent only to itself. */
  announce(participant: Participant, toItself = true): void {
    const message: SignalMessage = {
      case: 'update',
      value: new ParticipantUpdate({ participants: [participant.info()] }),
    };
    if (!participant.hidden) this.broadcast(message, toItself ? undefined : participant);
    else if (toItself) participant.send(message);
  }

  /**
   * Publishes a change that the server made: at once to the participant itself, and to the others in one message for
   * all changes within BATCH_MS. Muting a hundred participants would otherwise cause ten thousand messages.
   */
  announceSoon(participant: Participant): void {
    participant.send({ case: 'update', value: new ParticipantUpdate({ participants: [participant.info()] }) });
    if (participant.hidden) return;
    if (this.#changed.size === 0) setTimeout(() => this.#announceChanged(), BATCH_MS).unref();
    this.#changed.add(participant);
  }

  #announceChanged(): void {
    const participants = [...this.#changed]
      .filter((one) => this.participants.get(one.identity) === one)
      .map((one) => one.info());
    this.#changed.clear();
    if (participants.length > 0) this.broadcast({ case: 'update', value: new ParticipantUpdate({ participants }) });
  }

  setMetadata(metadata: string): void {
    this.options.metadata = metadata;
    this.#broadcastRoom();
  }

  /** Broadcasts the state of the room: its metadata, and whether it is recorded. */
  #broadcastRoom(): void {
    this.broadcast({ case: 'roomUpdate', value: new RoomUpdate({ room: this.info() }) });
  }

  findPublication(sid: string): Publication | undefined {
    for (const participant of this.participants.values()) {
      const publication = participant.publications.find(sid);
      if (publication) return publication;
    }
    return undefined;
  }

  /** Subscribes if the subscriber wants the track and may receive it, and the publisher allows it. */
  subscribe(subscriber: Participant, publication: Publication): void {
    const { publisher } = publication;
    if (publisher === subscriber || !subscriber.permission.canSubscribe) return;
    if (!(subscriber.choices.get(publication.sid) ?? subscriber.autoSubscribe)) return;
    const allowed = publisher.rules.allows(subscriber, publication.sid);
    this.#notifyPermission(subscriber, publication, allowed);
    if (!allowed || !subscriber.subscriptions.add(publication)) return;
    subscriber.connection.update();
    this.#clock.reportWanted(publication);
    if (publication.hasBeenSubscribed || subscriber.hidden) return;
    publication.hasBeenSubscribed = true;
    publisher.send({ case: 'trackSubscribed', value: new TrackSubscribed({ trackSid: publication.sid }) });
  }

  /** Applies how a subscriber wants to receive tracks: paused or not, and in which size. */
  applySettings(subscriber: Participant, settings: UpdateTrackSettings): void {
    for (const subscription of subscriber.subscriptions.applySettings(settings))
      this.#clock.reportWanted(subscription.publication);
  }

  unsubscribe(subscriber: Participant, publication: Publication): void {
    if (subscriber.subscriptions.remove(publication.sid)) subscriber.connection.update();
  }

  /** Brings a participant's subscriptions in line with its permission to subscribe. */
  reviewSubscriber(subscriber: Participant): void {
    for (const other of this.participants.values()) {
      for (const publication of other.publications.published) {
        if (subscriber.permission.canSubscribe) this.subscribe(subscriber, publication);
        else this.unsubscribe(subscriber, publication);
      }
    }
  }

  /** Brings everyone's subscriptions in line with a publisher's rules. */
  reviewPublisher(publisher: Participant): void {
    for (const subscriber of this.participants.values()) {
      if (subscriber === publisher) continue;
      for (const publication of publisher.publications.published) {
        const allowed = publisher.rules.allows(subscriber, publication.sid);
        const has = subscriber.subscriptions.find(publication.sid) !== undefined;
        if (allowed && !has) {
          this.#notifyPermission(subscriber, publication, true);
          this.subscribe(subscriber, publication);
        } else if (!allowed && has) {
          this.#notifyPermission(subscriber, publication, false);
          this.unsubscribe(subscriber, publication);
        }
      }
    }
  }

  handleConnected(participant: Participant): void {
    const first = !participant.connectedOnce;
    participant.connectedOnce = true;
    participant.state = ParticipantInfo_State.ACTIVE;
    this.announce(participant);
    if (!first) return;
    this.#clock.sendSpeakers(participant);
    this.#notify('participant_joined', participant);
  }

  /** Its transport is closed: an attached client has to reconnect; a detached one has left. */
  handleLost(participant: Participant): void {
    participant.lost = true;
    if (participant.attached) this.remove(participant, DisconnectReason.STATE_MISMATCH, LeaveRequest_Action.RECONNECT);
    else this.remove(participant, DisconnectReason.CONNECTION_TIMEOUT);
  }

  /** Tells a participant that nothing reaches it any more, or something does again: our page restarts ICE then. */
  handleSilence(participant: Participant, isSilent: boolean): void {
    const { identity } = participant;
    this.settings.log('debug', 'media reach a participant', { room: this.name, identity, reach: !isSilent });
    this.#clock.sendOwnQuality(participant, isSilent);
  }

  /** Disconnects a participant that exceeds a rate; it must not reconnect by itself. */
  handleFlood(participant: Participant, what: RateName): void {
    const { counters, log } = this.settings;
    counters.floods += 1;
    log('warn', 'participant cut off: too much at once', { room: this.name, identity: participant.identity, what });
    this.remove(participant, DisconnectReason.PARTICIPANT_REMOVED);
  }

  handleData(participant: Participant, label: string, message: Buffer): void {
    relayData(this, participant, label, message);
  }

  handleUndecodable(participant: Participant, subscription: Subscription): void {
    const trackSid = subscription.publication.sid;
    const value = new SubscriptionResponse({ trackSid, err: SubscriptionError.SE_CODEC_UNSUPPORTED });
    participant.send({ case: 'subscriptionResponse', value });
  }

  handlePublished(publisher: Participant, publication: Publication): void {
    this.announce(publisher);
    this.#notify('track_published', publisher, publication);
    for (const participant of this.participants.values()) this.subscribe(participant, publication);
  }

  handleUnpublished(publisher: Participant, publication: Publication): void {
    this.#endSubscriptions(publication);
    this.announce(publisher);
    this.#notify('track_unpublished', publisher, publication);
  }

  handleCodecChanged(publisher: Participant, publication: Publication): void {
    this.announce(publisher);
    for (const participant of this.participants.values())
      participant.subscriptions.find(publication.sid)?.codecChanged();
  }

  /** Events of tracks name their publisher only, as LiveKit's do. */
  #notify(event: RoomEvent['event'], participant?: Participant, publication?: Publication): void {
    const { notify } = this.settings;
    if (!notify) return;
    const who = publication
      ? new ParticipantInfo({ sid: participant!.sid, identity: participant!.identity })
      : participant?.info(false);
    notify({
      event,
      room: this.info(),
      ...(who ? { participant: who } : {}),
      ...(publication ? { track: publication.info.clone() } : {}),
    });
  }

  #endSubscriptions(publication: Publication): void {
    for (const participant of this.participants.values()) {
      this.unsubscribe(participant, publication);
      participant.choices.delete(publication.sid);
      participant.forbidden.delete(publication.sid);
    }
  }

  /** Notifies a subscriber of a change of its permission for a track; every track is allowed at first. */
  #notifyPermission(subscriber: Participant, publication: Publication, allowed: boolean): void {
    if (subscriber.forbidden.has(publication.sid) === !allowed) return;
    if (allowed) subscriber.forbidden.delete(publication.sid);
    else subscriber.forbidden.add(publication.sid);
    const value = new SubscriptionPermissionUpdate({
      participantSid: publication.publisher.sid,
      trackSid: publication.sid,
      allowed,
    });
    subscriber.send({ case: 'subscriptionPermissionUpdate', value });
  }
}
