import { NO_CONTROL } from '@rmeet/conference';
import type { ConferenceState, Terminal } from '@rmeet/contract';
import type { Held } from './call-types.ts';
import type { LocalMedia } from './local-media.ts';
import type { LinkQuality, MediaParticipant, MediaSession, VideoHandle } from './media-types.ts';
import { isOnAir } from './moderation.ts';

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
  /** Held by the chair. */
  readonly muted: boolean;
  readonly cameraOff: boolean;
  /** Who chairs, and who helps with it. */
  readonly part: 'chair' | 'coChair' | null;
  /** Put on air by the chair, or by a turn of polling. */
  readonly onAir: boolean;
}

export interface OwnMedia {
  camera: VideoHandle | null;
  screen: VideoHandle | null;
  sharing: boolean;
  microphoneOn: boolean;
  quality: LinkQuality;
}

export interface TileSources {
  /** Ourselves; null for somebody who only watches. `name` is shown until the conference state tells it. */
  own: (OwnMedia & { termId: string; name: string }) | null;
  conference: Pick<ConferenceState, 'terminals' | 'control'> | null;
  participants: readonly MediaParticipant[];
  speaking: ReadonlyMap<string, number>;
  previous: readonly Tile[];
}

/** What we send as our own tiles show it: nothing that is held. */
export function ownMediaOf(local: LocalMedia, held: Held, session: MediaSession | null): OwnMedia {
  const { camera, microphone, screen } = local.store.getSnapshot();
  return {
    camera: camera.on && !held.camera && camera.track !== null ? local.handleOf(camera.track) : null,
    screen: screen.video === null ? null : local.handleOf(screen.video),
    sharing: screen.video !== null,
    microphoneOn: microphone.on && !held.microphone && microphone.track !== null,
    quality: session?.ownQuality() ?? 'unknown',
  };
}

/**
 * Every picture of the room: own first, then the others as they came, each one's screen after the camera.
 * The conference says who is there: somebody whom the media engine alone knows is a stranger, or not in yet. Before it
 * has said anything, whoever sends is shown. Tiles that have not changed are the same objects as before.
 */
export function buildTiles(sources: TileSources): Tile[] {
  const { own, conference, participants } = sources;
  const terminals = new Map((conference?.terminals ?? []).map((each) => [each.termId, each]));
  const media = new Map(participants.map((each) => [each.termId, each]));
  const others = [...(conference === null ? media : terminals).keys()].filter((termId) => termId !== own?.termId);
  const ownTiles = own === null ? [] : tilesOf(sources, terminals.get(own.termId), own, true);
  return reuse(sources.previous, [
    ...ownTiles,
    ...others.flatMap((termId) => tilesOf(sources, terminals.get(termId), media.get(termId), false)),
  ]);
}

function tilesOf(
  { speaking, conference }: TileSources,
  terminal: Terminal | undefined,
  media: MediaParticipant | undefined,
  own: boolean,
): Tile[] {
  const termId = terminal?.termId ?? media?.termId ?? '';
  const control = conference?.control ?? NO_CONTROL;
  const { muted = false, cameraOff = false } = control.terminals[termId] ?? {};
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
    muted,
    cameraOff,
    part: control.chairId === termId ? 'chair' : control.coChairIds.includes(termId) ? 'coChair' : null,
    onAir: isOnAir(control, termId),
  };
  if (media?.sharing !== true) return [camera];
  return [
    camera,
    { ...camera, key: `${termId}-screen`, kind: 'screen', video: media.screen, speaking: false, onAir: false },
  ];
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
