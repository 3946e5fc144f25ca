import type { ConferenceState, Terminal } from '@rmeet/contract';
import type { LinkQuality, MediaParticipant, VideoHandle } from './media-types.ts';

/** One picture of the room: a person, or the screen somebody shares. */
export interface Tile {
  /** `termId`, or `termId-screen`; unique, and part of the tile's test id. */
  readonly key: string;
  readonly termId: string;
  readonly kind: 'camera' | 'screen';
  readonly own: boolean;
  readonly name: string;
  readonly role: Terminal['role'] | null;
  /** Null while the camera is off. */
  readonly video: VideoHandle | null;
  readonly microphoneOn: boolean;
  readonly speaking: boolean;
  readonly handRaisedAt: string | null;
  readonly quality: LinkQuality;
  /** False while the terminal is in the conference but its media does not flow yet. */
  readonly connected: boolean;
}

export interface OwnMedia {
  camera: VideoHandle | null;
  screen: VideoHandle | null;
  microphoneOn: boolean;
  quality: LinkQuality;
}

export interface TileSources {
  ownTermId: string;
  /** Shown until the conference state tells the name. */
  ownName: string;
  conference: ConferenceState | null;
  participants: readonly MediaParticipant[];
  own: OwnMedia;
  speaking: ReadonlyMap<string, number>;
  previous: readonly Tile[];
}

/**
 * Every picture of the room: own first, then the others as they came, each one's screen after the camera.
 * Whoever either the conference or the media engine knows is shown, because one may be ahead of the other.
 * Tiles that have not changed are the same objects as before.
 */
export function buildTiles(sources: TileSources): Tile[] {
  const { ownTermId, ownName, conference, participants, own } = sources;
  const terminals = new Map((conference?.terminals ?? []).map((each) => [each.termId, each]));
  const media = new Map(participants.map((each) => [each.termId, each]));
  const others = [...new Set([...terminals.keys(), ...media.keys()])].filter((termId) => termId !== ownTermId);
  const ownTiles = tilesOf(sources, terminals.get(ownTermId), { termId: ownTermId, name: ownName, ...own }, true);
  const tiles = [...ownTiles, ...others.flatMap((termId) => tilesOf(sources, terminals.get(termId), media.get(termId), false))];
  return reuse(sources.previous, tiles);
}

function tilesOf({ speaking }: TileSources, terminal: Terminal | undefined, media: MediaParticipant | undefined, own: boolean): Tile[] {
  const termId = terminal?.termId ?? media?.termId ?? '';
  const camera: Tile = {
    key: termId,
    termId,
    kind: 'camera',
    own,
    name: terminal?.name ?? media?.name ?? '',
    role: terminal?.role ?? null,
    video: media?.camera ?? null,
    microphoneOn: media?.microphoneOn ?? false,
    speaking: speaking.has(termId),
    handRaisedAt: terminal?.handRaisedAt ?? null,
    quality: media?.quality ?? 'unknown',
    connected: media !== undefined,
  };
  const screen = media?.screen ?? null;
  return screen === null ? [camera] : [camera, { ...camera, key: `${termId}-screen`, kind: 'screen', video: screen, speaking: false }];
}

function reuse(previous: readonly Tile[], next: Tile[]): Tile[] {
  const known = new Map(previous.map((tile) => [tile.key, tile]));
  const tiles = next.map((tile) => {
    const before = known.get(tile.key);
    return before !== undefined && isSame(before, tile) ? before : tile;
  });
  const unchanged = tiles.length === previous.length && tiles.every((tile, at) => tile === previous[at]);
  return unchanged ? (previous as Tile[]) : tiles;
}

function isSame(a: Tile, b: Tile): boolean {
  return (Object.keys(a) as (keyof Tile)[]).every((key) => a[key] === b[key]);
}
