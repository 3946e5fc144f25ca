import { ConnectionQuality, ConnectionQualityInfo, ConnectionQualityUpdate } from '@livekit/protocol';
import type { Participant } from '../participants/participant.ts';
import type { Publication } from '../tracks/publication.ts';
import { lossWeights, opinionOf, QualityScore, qualityOf, shortfallOf } from '../tracks/quality.ts';
import type { RoomView } from './room-view.ts';
import type { Subscription } from '../tracks/subscription.ts';

function scoreOf<K extends object>(scores: WeakMap<K, QualityScore>, key: K): QualityScore {
  let score = scores.get(key);
  if (!score) {
    score = new QualityScore();
    scores.set(key, score);
  }
  return score;
}

function weightOf({ isVideo, info }: Publication): number {
  if (isVideo) return lossWeights.video;
  return info.disableRed ? lossWeights.audio : lossWeights.audioWithRedundancy;
}

const lost = ({ sid }: Participant): ConnectionQualityInfo =>
  new ConnectionQualityInfo({ participantSid: sid, quality: ConnectionQuality.LOST, score: 0 });
const excellent = ({ sid }: Participant): ConnectionQualityInfo =>
  new ConnectionQualityInfo({ participantSid: sid, quality: ConnectionQuality.EXCELLENT, score: opinionOf(100) });

/** Measures the connection quality of all participants every second, and publishes changes every few seconds. */
export class QualityReport {
  readonly #room: RoomView;
  readonly #published = new WeakMap<Publication, QualityScore>();
  readonly #subscribed = new WeakMap<Subscription, QualityScore>();
  readonly #known = new WeakMap<Participant, ConnectionQualityInfo>();
  /** Participants that know the quality of all others. */
  readonly #informed = new WeakSet<Participant>();

  constructor(room: RoomView) {
    this.#room = room;
  }

  /** Every second, after the reports to publishers. */
  sample(nowMs: number): void {
    for (const participant of this.#room.participants.values()) {
      for (const publication of participant.publications.published) this.#samplePublished(publication, nowMs);
      for (const subscription of participant.subscriptions.all) {
        const { forwarder } = subscription;
        if (forwarder.currentQuality !== undefined)
          scoreOf(this.#subscribed, subscription).sample(forwarder.loss, forwarder.roundTripMs, 0);
      }
    }
  }

  /** Every few seconds: sends changed qualities to all, and every quality to new participants. */
  publish(nowMs: number): void {
    const all: ConnectionQualityInfo[] = [];
    const changed: ConnectionQualityInfo[] = [];
    for (const participant of this.#room.visible) {
      const info = this.#rate(participant, nowMs);
      all.push(info);
      if (this.#known.get(participant)?.quality !== info.quality) changed.push(info);
      this.#known.set(participant, info);
    }
    const newcomers = [...this.#room.participants.values()].filter(
      (participant) => participant.attached && !this.#informed.has(participant),
    );
    for (const participant of newcomers) {
      this.#informed.add(participant);
      participant.send({ case: 'connectionQuality', value: new ConnectionQualityUpdate({ updates: all }) });
    }
    if (changed.length > 0)
      this.#room.broadcast({ case: 'connectionQuality', value: new ConnectionQualityUpdate({ updates: changed }) });
  }

  /** Sends a participant its own quality: lost, or what it was before. */
  sendOwn(participant: Participant, isLost: boolean): void {
    const known = this.#known.get(participant) ?? excellent(participant);
    const updates = [isLost ? lost(participant) : known];
    participant.send({ case: 'connectionQuality', value: new ConnectionQualityUpdate({ updates }) });
  }

  /** Its signalling was interrupted, so it gets every quality again. */
  resumed(participant: Participant): void {
    this.#informed.delete(participant);
  }

  #samplePublished(publication: Publication, nowMs: number): void {
    const layers = publication.track?.layers.filter((layer) => layer.isLive(nowMs)) ?? [];
    if (layers.length === 0) return;
    const loss = layers.reduce((sum, { stream }) => sum + stream.lossFraction, 0) / layers.length;
    const jitterMs = Math.max(...layers.map(({ stream }) => stream.jitterMs));
    scoreOf(this.#published, publication).sample(loss, 0, jitterMs);
  }

  #rate(participant: Participant, nowMs: number): ConnectionQualityInfo {
    if (participant.detachedAt !== undefined || !participant.connectedOnce) return lost(participant);
    let worst = 100;
    for (const publication of participant.publications.published)
      worst = Math.min(worst, this.#ratePublished(publication, nowMs));
    for (const subscription of participant.subscriptions.all)
      worst = Math.min(worst, this.#rateSubscribed(subscription));
    return new ConnectionQualityInfo({
      participantSid: participant.sid,
      quality: qualityOf(worst),
      score: opinionOf(worst),
    });
  }

  #ratePublished(publication: Publication, nowMs: number): number {
    const score = scoreOf(this.#published, publication);
    const { track, info } = publication;
    const layers = track?.layers.map((layer) => ({ quality: layer.quality, isLive: layer.isLive(nowMs) })) ?? [];
    const shortfall = info.muted
      ? null
      : shortfallOf({ isVideo: publication.isVideo, wanted: track?.wantedQuality() ?? -1, layers });
    if (shortfall === null) score.reset();
    else score.update(weightOf(publication), shortfall.missing, shortfall.isDry);
    return score.score;
  }

  #rateSubscribed(subscription: Subscription): number {
    const score = scoreOf(this.#subscribed, subscription);
    const { stream, publication } = subscription;
    if (publication.info.muted || subscription.forwarder.wantedQuality < 0) score.reset();
    else score.update(weightOf(publication), stream.missing, false);
    return score.score;
  }
}
