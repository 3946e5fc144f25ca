import {
  MEDIA_SOURCES,
  type Media,
  type MediaParticipant,
  type MediaRoom,
  type MediaServer,
  type ParticipantChange,
  type TokenOptions,
} from '../../../src/platform/media/types.ts';

/** Replaces the media engine in tests about other things: rooms and participants as the test sets them. */
export class FakeMedia implements Media {
  readonly rooms = new Map<string, Map<string, MediaParticipant>>();
  readonly tokens: TokenOptions[] = [];
  /** What was last set for each room. */
  readonly metadata = new Map<string, string>();
  /** Every change of a participant, in order. */
  readonly changes: ParticipantChange[] = [];
  /** Identities that it fails to change. */
  readonly failFor = new Set<string>();
  isUp = true;
  /** No call is answered, although the engine was available a moment ago. */
  isFailing = false;

  /** Media servers, and the server of each room, by name. */
  mcus: MediaServer[];
  readonly chosen = new Map<string, string>();
  readonly udpPorts = [7882, 7883];
  readonly zone: { id: string; name: string };
  #others: FakeMedia[] = [];

  constructor(id = 'local') {
    this.zone = { id, name: id === 'local' ? '' : `The ${id} zone` };
    this.mcus = [
      { id: `${id}-1`, state: 'up', load: 3 },
      { id: `${id}-2`, state: 'up', load: 1 },
    ];
  }

  /** Further zones, in addition to this one. */
  with(...others: FakeMedia[]): this {
    for (const other of [this, ...others]) other.#others = [this, ...others];
    return this;
  }

  zones = (): FakeMedia[] => (this.#others.length === 0 ? [this] : this.#others);
  in = (zoneId: string): FakeMedia => this.zones().find(({ zone }) => zone.id === zoneId) ?? this.zones()[0] ?? this;
  servers = async (): Promise<MediaServer[]> => this.mcus;
  serverOf = async (room: string): Promise<string | null> =>
    this.rooms.has(room) ? (this.chosen.get(room) ?? this.mcus[0]?.id ?? null) : null;

  available = (): boolean => this.isUp;
  url = ({ origin }: { origin: string }): string => origin.replace(/^http/, 'ws');

  async createRoom(name: string, { server = null }: { server?: string | null } = {}): Promise<void> {
    this.#answer();
    if (server !== null) this.chosen.set(name, server);
    if (!this.rooms.has(name)) this.rooms.set(name, new Map());
  }

  async deleteRoom(name: string): Promise<void> {
    this.#answer();
    this.rooms.delete(name);
  }

  async listRooms(): Promise<MediaRoom[]> {
    this.#answer();
    return [...this.rooms].map(([name, participants]) => ({
      name,
      participantCount: participants.size,
      metadata: this.metadata.get(name) ?? '',
    }));
  }

  async listParticipants(room: string): Promise<MediaParticipant[]> {
    this.#answer();
    return [...(this.rooms.get(room)?.values() ?? [])];
  }

  async removeParticipant(room: string, identity: string): Promise<void> {
    this.#answer();
    this.rooms.get(room)?.delete(identity);
  }

  async updateParticipants(room: string, changes: readonly ParticipantChange[]): Promise<string[]> {
    this.#answer();
    const participants = this.rooms.get(room);
    for (const { identity, ...change } of changes) {
      const participant = participants?.get(identity);
      if (!participant || this.failFor.has(identity)) continue;
      this.changes.push({ identity, ...change });
      const { permission } = change;
      // Like the engine: tracks that are no longer permitted are withdrawn.
      if (permission)
        participant.tracks = participant.tracks.filter(
          ({ source }) => permission.canPublish && (permission.canPublishSources as string[]).includes(source),
        );
      Object.assign(participant, change);
    }
    return changes.map(({ identity }) => identity).filter((identity) => this.failFor.has(identity));
  }

  async setRoomMetadata(room: string, metadata: string): Promise<void> {
    this.#answer();
    this.metadata.set(room, metadata);
  }

  async token(options: TokenOptions): Promise<string> {
    this.tokens.push(options);
    return `media token of ${options.identity}`;
  }

  /** A participant connects to the only room, with or without permission. */
  connect(identity: string): MediaParticipant {
    const token = this.tokens.findLast((options) => options.identity === identity);
    const permission = {
      canPublish: token?.canPublish ?? true,
      canPublishSources: token?.canPublishSources ?? [...MEDIA_SOURCES],
    };
    const participant: MediaParticipant = {
      identity,
      name: token?.name ?? identity,
      metadata: '',
      joinedAt: new Date(),
      permission,
      tracks: [],
    };
    this.theRoom().set(identity, participant);
    return participant;
  }

  disconnect(identity: string): void {
    this.theRoom().delete(identity);
  }

  theRooms(): Map<string, MediaParticipant>[] {
    return [...this.rooms.values()];
  }

  theRoom(): Map<string, MediaParticipant> {
    const [room, ...others] = this.rooms.values();
    if (!room || others.length > 0) throw new Error(`There are ${this.rooms.size} rooms.`);
    return room;
  }

  /** The media process died and restarted: available, and empty. */
  restart(): void {
    this.rooms.clear();
    this.isUp = true;
    this.isFailing = false;
  }

  #answer(): void {
    if (!this.isUp || this.isFailing) throw new Error('The media engine is away.');
  }
}
