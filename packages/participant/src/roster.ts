import {
  ParticipantInfo,
  ParticipantInfo_State,
  type JoinResponse,
  type SpeakerInfo,
  type TrackInfo,
} from '@livekit/protocol';

/** The content of an update from the server: this participant itself, present others, and those that have left. */
export interface RosterChange {
  self: ParticipantInfo | undefined;
  there: ParticipantInfo[];
  gone: ParticipantInfo[];
}

/** What a participant knows about its room: itself, everyone else, the metadata. */
export class Roster {
  /** Everyone else, by identity. */
  readonly participants = new Map<string, ParticipantInfo>();
  self = new ParticipantInfo();
  metadata = '';
  /** Audio levels of active speakers, by sid. */
  #speaking = new Map<string, number>();

  /** Joined, perhaps again: the previous state is discarded. */
  begin({ participant, room }: JoinResponse): void {
    this.participants.clear();
    this.#speaking.clear();
    this.self = participant ?? this.self;
    this.metadata = room?.metadata ?? '';
  }

  update(updated: readonly ParticipantInfo[]): RosterChange {
    const change: RosterChange = { self: undefined, there: [], gone: [] };
    for (const info of updated) {
      if (info.identity === this.self.identity) {
        if (info.sid === this.self.sid) change.self = this.self = info;
      } else if (info.state !== ParticipantInfo_State.DISCONNECTED) {
        this.participants.set(info.identity, info);
        change.there.push(info);
      } else if (this.participants.get(info.identity)?.sid === info.sid) {
        this.participants.delete(info.identity);
        this.#speaking.delete(info.sid);
        change.gone.push(info);
      }
    }
    return change;
  }

  /** All active speakers after a change (livekit.SpeakersChanged contains only changed ones), loudest first. */
  speaking(changed: readonly SpeakerInfo[]): { identity: string; level: number }[] {
    for (const { sid, active, level } of changed) {
      if (active) this.#speaking.set(sid, level);
      else this.#speaking.delete(sid);
    }
    return [...this.#speaking]
      .toSorted((a, b) => b[1] - a[1])
      .map(([sid, level]) => ({ identity: this.identityOf(sid), level }));
  }

  /** The owner of a sid; empty if unknown. */
  identityOf(sid: string): string {
    return [this.self, ...this.participants.values()].find((participant) => participant.sid === sid)?.identity ?? '';
  }

  /** Another participant's track. */
  track(sid: string): { info: TrackInfo; publisher: ParticipantInfo } | undefined {
    for (const publisher of this.participants.values()) {
      const info = publisher.tracks.find((track) => track.sid === sid);
      if (info) return { info, publisher };
    }
    return undefined;
  }
}
