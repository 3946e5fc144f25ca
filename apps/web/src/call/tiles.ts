import { NO_CONTROL, type ConferenceControl } from '@rmeet/conference';
import type { ConferenceState, Terminal } from '@rmeet/contract';
import type { LocalMedia } from './local-media.ts';
import type { LinkQuality, MediaParticipant, MediaSession, VideoHandle } from './media-types.ts';
import { isOnAir, outgoingOf, type Held } from './moderation.ts';

/** One picture of the room: a person or a shared screen. */
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
  /** Position among the raised hands, from 1; null if the hand is not raised. */
  readonly handPlace: number | null;
  readonly quality: LinkQuality;
  /** False while the terminal is in the conference but its media has not arrived. */
  readonly connected: boolean;
  /** Held by the chair. */
  readonly muted: boolean;
  readonly cameraOff: boolean;
  /** Chair or co-chair. */
  readonly part: 'chair' | 'coChair' | null;
  /** Put on air by the chair or by a polling turn. */
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
  /** Our own terminal; null for a watcher. `name` is used until the conference state arrives. */
  own: (OwnMedia & { termId: string; name: string }) | null;
  conference: Pick<ConferenceState, 'terminals' | 'control'> | null;
  participants: readonly MediaParticipant[];
  speaking: ReadonlyMap<string, number>;
  previous: readonly Tile[];
}

/** Our own media as our tiles show it, without held or interrupted sources. */
export function ownMediaOf(local: LocalMedia, held: Held, session: MediaSession | null): OwnMedia {
  const state = local.store.getSnapshot();
  const { camera, microphone } = outgoingOf(state, held);
  const { screen } = state;
  return {
    camera: camera === null ? null : local.handleOf(camera),
    screen: screen.video === null ? null : local.handleOf(screen.video),
    sharing: screen.video !== null,
    microphoneOn: microphone !== null,
    quality: session?.ownQuality() ?? 'unknown',
  };
}

/**
 * All pictures of the room: own first, then the others in order of joining, each screen after its camera. The
 * conference state decides who is present; participants known only to the media engine are not shown, except before the
 * first state. Unchanged tiles are the same objects as before.
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
  const camera: Tile = {
    key: termId,
    termId,
    kind: 'camera',
    own,
    ...terminalPart(terminal, media?.name ?? ''),
    handPlace: handPlaceIn(conference?.terminals ?? [], terminal?.handRaisedAt ?? null),
    speaking: speaking.has(termId),
    ...mediaPart(media),
    ...controlPart(conference?.control ?? NO_CONTROL, termId),
  };
  if (media?.sharing !== true) return [camera];
  return [
    camera,
    { ...camera, key: `${termId}-screen`, kind: 'screen', video: media.screen, speaking: false, onAir: false },
  ];
}

function terminalPart(terminal: Terminal | undefined, otherName: string): Pick<Tile, 'name' | 'role' | 'handRaisedAt'> {
  const { name = otherName, role = null, handRaisedAt = null } = terminal ?? {};
  return { name, role, handRaisedAt };
}

/** The position of a hand among all raised ones, by the time it was raised. */
function handPlaceIn(terminals: readonly Terminal[], raisedAt: string | null): number | null {
  if (raisedAt === null) return null;
  return 1 + terminals.filter(({ handRaisedAt }) => handRaisedAt !== null && handRaisedAt < raisedAt).length;
}

type MediaPart = Pick<Tile, 'video' | 'microphoneOn' | 'quality' | 'connected'>;

function mediaPart(media: MediaParticipant | undefined): MediaPart {
  if (media === undefined) return { video: null, microphoneOn: false, quality: 'unknown', connected: false };
  const { camera, microphoneOn, quality } = media;
  return { video: camera, microphoneOn, quality, connected: true };
}

function controlPart(control: ConferenceControl, termId: string): Pick<Tile, 'muted' | 'cameraOff' | 'part' | 'onAir'> {
  const { muted = false, cameraOff = false } = control.terminals[termId] ?? {};
  const coChairPart = control.coChairIds.includes(termId) ? 'coChair' : null;
  return {
    muted,
    cameraOff,
    part: control.chairId === termId ? 'chair' : coChairPart,
    onAir: isOnAir(control, termId),
  };
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
