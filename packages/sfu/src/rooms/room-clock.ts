import {
  DisconnectReason,
  LeaveRequest_Action,
  SpeakersChanged,
  SubscribedCodec,
  SubscribedQuality,
  SubscribedQualityUpdate,
  TrackSource,
} from '@livekit/protocol';
import { codecs } from '@rmeet/rtp';
import type { Participant } from '../participants/participant.ts';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import type { Publication } from '../tracks/publication.ts';
import { QualityReport } from './quality-report.ts';
import type { RoomView } from './room-view.ts';
import { WantedQuality } from '../tracks/wanted-quality.ts';
import { Speakers } from './speakers.ts';

const TICK_MS = 50;
const RETARGET_TICKS = 10;
const SPEAKER_TICKS = 8;
/** A tick this late shows that the process stalled. */
const LATE_MS = 4 * TICK_MS;
const REPORT_TICKS = 20;
const QUALITY_TICKS = 100;
/** How long a participant is kept without signalling, and how long it may take to connect its media. */
const DETACHED_MS = 30_000;
const CONNECT_MS = 45_000;
const TOKEN_REFRESH_MS = 5 * 60_000;

/** The periodic work of a room; runs while it has participants. */
export class RoomClock {
  readonly #room: RoomView;
  readonly #speakers = new Speakers();
  readonly #wanted = new WeakMap<PublishedTrack, WantedQuality>();
  readonly #quality: QualityReport;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;
  #tickedAt = 0;
  #speakersDue = false;

  constructor(room: RoomView) {
    this.#room = room;
    this.#quality = new QualityReport(room);
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#speakers.clear();
  }

  /** A participant's signalling was interrupted: messages on its tracks may be lost, so they are sent again. */
  resumed(participant: Participant): void {
    for (const { tracks } of participant.publications.published)
      for (const track of tracks) this.#wanted.get(track)?.forget();
    this.sendSpeakers(participant);
    this.#quality.resumed(participant);
  }

  /** Sends a participant its own quality: lost, or what it was before. */
  sendOwnQuality(participant: Participant, isLost: boolean): void {
    this.#quality.sendOwn(participant, isLost);
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#ticks += 1;
    // only tracks with something missing or wanted do any work here
    for (const participant of this.#room.participants.values()) {
      participant.publications.tick(nowMs);
      participant.connection.tick(nowMs);
      participant.connection.checkReceived(participant.guard, nowMs);
    }
    if (this.#ticks % RETARGET_TICKS === 0) this.#followLayers(nowMs);
    // after a stall, received packets are still waiting: no speaker has fallen silent because of that
    const isLate = nowMs - this.#tickedAt > LATE_MS;
    this.#tickedAt = nowMs;
    if (this.#ticks % SPEAKER_TICKS === 0) this.#speakersDue = true;
    if (this.#speakersDue && !isLate) {
      this.#speakersDue = false;
      this.#reportSpeakers(nowMs);
    }
    if (this.#ticks % REPORT_TICKS === 0) this.#everySecond(nowMs);
    if (this.#ticks % QUALITY_TICKS === 0) this.#quality.publish(nowMs);
  }

  #followLayers(nowMs: number): void {
    for (const participant of this.#room.participants.values()) {
      for (const publication of participant.publications.published) {
        for (const track of publication.tracks) track.retarget(nowMs);
        this.reportWanted(publication, nowMs);
      }
    }
  }

  /** Dynacast: notifies a publisher of the layers that are subscribed to. */
  reportWanted(publication: Publication, nowMs = performance.now()): void {
    if (!publication.isVideo) return;
    const reviewed = publication.tracks.map((track) =>
      this.#wantedOf(track, publication).review(track.wantedQuality(), nowMs),
    );
    if (reviewed.every((quality) => quality === undefined)) return;
    const subscribedCodecs = publication.tracks.map((track) => {
      const { quality } = this.#wantedOf(track, publication);
      return new SubscribedCodec({
        codec: codecs[track.codec].mimeType.replace('video/', '').toLowerCase(),
        qualities: [0, 1, 2].map((rank) => new SubscribedQuality({ quality: rank, enabled: rank <= quality })),
      });
    });
    const value = new SubscribedQualityUpdate({
      trackSid: publication.sid,
      subscribedQualities: subscribedCodecs[0]?.qualities ?? [],
      subscribedCodecs,
    });
    publication.publisher.send({ case: 'subscribedQualityUpdate', value });
  }

  #wantedOf(track: PublishedTrack, { backup }: Publication): WantedQuality {
    let wanted = this.#wanted.get(track);
    if (!wanted) {
      wanted = new WantedQuality({ isBackup: track === backup });
      this.#wanted.set(track, wanted);
    }
    return wanted;
  }

  /** Only microphones count for speakers, as in LiveKit. */
  #reportSpeakers(nowMs: number): void {
    const levels = this.#room.visible.map(({ sid, publications }): [string, number] => {
      const microphones = publications.published.filter(
        ({ info }) => info.source === TrackSource.MICROPHONE && !info.muted,
      );
      return [sid, Math.max(0, ...microphones.map(({ track }) => track?.level.level(nowMs) ?? 0))];
    });
    const speakers = this.#speakers.update(levels);
    if (speakers.length > 0)
      this.#room.broadcast({ case: 'speakersChanged', value: new SpeakersChanged({ speakers }) });
  }

  /** Sends the active speakers to a participant. */
  sendSpeakers(participant: Participant): void {
    const speakers = this.#speakers.all;
    if (speakers.length > 0) participant.send({ case: 'speakersChanged', value: new SpeakersChanged({ speakers }) });
  }

  #everySecond(nowMs: number): void {
    const now = Date.now();
    for (const participant of this.#room.participants.values()) {
      participant.connection.sendReports(nowMs);
      this.#refreshToken(participant, now);
      if (participant.detachedAt !== undefined && nowMs - participant.detachedAt > DETACHED_MS) {
        this.#room.remove(participant, DisconnectReason.SIGNAL_CLOSE);
      } else if (!participant.connectedOnce && now - participant.joinedAt > CONNECT_MS) {
        this.#room.remove(participant, DisconnectReason.JOIN_FAILURE, LeaveRequest_Action.RECONNECT);
      } else if (participant.connection.isDead(nowMs)) {
        this.#room.settings.log('info', 'nothing reaches a participant at its old address', {
          room: this.#room.name,
          identity: participant.identity,
        });
        this.#room.handleLost(participant);
      }
    }
  }

  #refreshToken(participant: Participant, now: number): void {
    if (participant.attached && now - participant.lastTokenAt >= TOKEN_REFRESH_MS) participant.sendToken();
  }
}
