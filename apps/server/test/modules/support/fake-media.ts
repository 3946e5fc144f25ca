import type { Media, MediaParticipant, MediaRoom, TokenOptions } from '../../../src/platform/media/types.ts';

/** Stands in for the media engine where it is not the point: rooms and who is in them, as the test says. */
export class FakeMedia implements Media {
  readonly rooms = new Map<string, Map<string, MediaParticipant>>();
  readonly tokens: TokenOptions[] = [];
  isUp = true;
  /** Answers no call, though it was there a moment ago. */
  isFailing = false;

  available = (): boolean => this.isUp;
  url = ({ origin }: { origin: string }): string => origin.replace(/^http/, 'ws');

  async createRoom(name: string): Promise<void> {
    this.#answer();
    if (!this.rooms.has(name)) this.rooms.set(name, new Map());
  }

  async deleteRoom(name: string): Promise<void> {
    this.#answer();
    this.rooms.delete(name);
  }

  async listRooms(): Promise<MediaRoom[]> {
    this.#answer();
    return [...this.rooms].map(([name, participants]) => ({ name, participantCount: participants.size }));
  }

  async listParticipants(room: string): Promise<MediaParticipant[]> {
    this.#answer();
    return [...(this.rooms.get(room)?.values() ?? [])];
  }

  async removeParticipant(room: string, identity: string): Promise<void> {
    this.#answer();
    this.rooms.get(room)?.delete(identity);
  }

  async token(options: TokenOptions): Promise<string> {
    this.tokens.push(options);
    return `media token of ${options.identity}`;
  }

  /** Somebody connects to the only room there is, with or without permission. */
  connect(identity: string): void {
    this.theRoom().set(identity, { identity, name: identity, joinedAt: new Date() });
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

  /** The media process died and is back: up, and empty. */
  restart(): void {
    this.rooms.clear();
    this.isUp = true;
    this.isFailing = false;
  }

  #answer(): void {
    if (!this.isUp || this.isFailing) throw new Error('The media engine is away.');
  }
}
