import type { ProgrammePicture } from '@rmeet/conference';
import type { RecordingIndex, RecordingTrack, TrackKind } from '@rmeet/contract';

/** Pauses between words that are shorter are part of what is said, ms. */
const SAME_SPEECH_MS = 1_000;

export type GapReason = RecordingIndex['gaps'][number]['reason'];
type Card = NonNullable<RecordingIndex['cards']>[number];
export type CardReason = Card['reason'];

/** The id of a terminal's track: letters, digits and hyphens. */
export function trackIdOf(kind: TrackKind, termId: string | null): string {
  return termId === null ? kind : `${kind}-${termId.replaceAll(/[^0-9A-Za-z-]/g, '-')}`.slice(0, 80);
}

/** How long the programme is, in ms that are played, and how many bytes all tracks have. */
export interface RecordingSize {
  duration: number;
  bytes: number;
}

export function sizeOf({ tracks }: Pick<RecordingIndex, 'tracks'>): RecordingSize {
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  const programme = tracks.find(({ kind }) => kind === 'programme')?.segments ?? [];
  return {
    duration: Math.round(sum(programme.map(({ duration }) => duration))),
    bytes: sum(tracks.flatMap(({ segments }) => segments.map(({ bytes }) => bytes))),
  };
}

/** The index of a recording that continues. Times are ms since the recording's start. */
export class IndexBook {
  #index: RecordingIndex;
  /** Who speaks, since when. */
  #speaking = new Map<string, number>();
  #gap: { from: number; reason: GapReason } | undefined;
  /** The card on air instead of a picture that is sent. */
  #card: Omit<Card, 'to'> | undefined;

  /** `earlier`: what another recorder left. */
  constructor(startsAt: number, earlier: RecordingIndex | null) {
    this.#index = earlier
      ? structuredClone({ ...earlier, isComplete: false })
      : { version: 1, startsAt, isComplete: false, tracks: [], onAir: [], speaking: [], gaps: [] };
  }

  get startsAt(): number {
    return this.#index.startsAt;
  }

  /** Where everything that is known ends. */
  get end(): number {
    const { tracks, gaps, onAir, speaking } = this.#index;
    return Math.max(
      0,
      ...tracks.flatMap(({ segments }) => segments.slice(-1)).map(({ at, duration }) => Math.ceil(at + duration)),
      ...[...gaps, ...speaking].map(({ to }) => to),
      onAir.at(-1)?.at ?? 0,
    );
  }

  /** Where the last gap that is known ends. */
  get gapsEnd(): number {
    return Math.max(0, ...this.#index.gaps.map(({ to }) => to));
  }

  /** The entry of a track, which is added if it is new. */
  track(kind: TrackKind, termId: string | null, name: string): RecordingTrack {
    const id = trackIdOf(kind, termId);
    const known = this.#index.tracks.find((track) => track.id === id);
    if (known) return known;
    const track: RecordingTrack = { id, kind, termId, name, segments: [] };
    this.#index.tracks.push(track);
    return track;
  }

  /** Returns whether it is another picture than before. */
  noteOnAir(at: number, picture: ProgrammePicture | null): boolean {
    const before = this.#index.onAir.at(-1);
    if (before && before.picture?.termId === picture?.termId && before.picture?.kind === picture?.kind) return false;
    this.#index.onAir.push({ at, picture });
    return true;
  }

  /** From now on, a card is shown instead of this picture, for this reason; undefined: it is not. */
  noteCard(at: number, picture: ProgrammePicture | null, reason: CardReason | undefined): void {
    const card = picture && reason && { from: at, ...picture, reason };
    const before = this.#card;
    if (card && before?.termId === card.termId && before.kind === card.kind && before.reason === reason) return;
    if (before) this.#addCard(this.#index, before, at);
    this.#card = card || undefined;
  }

  #addCard(index: RecordingIndex, card: Omit<Card, 'to'>, to: number): void {
    if (to > card.from) (index.cards ??= []).push({ ...card, to });
  }

  /** These terminals speak from now on, and no others. */
  noteSpeaking(at: number, termIds: readonly string[]): void {
    for (const [termId, from] of this.#speaking) {
      if (termIds.includes(termId)) continue;
      this.#speaking.delete(termId);
      this.#addSpeech(this.#index.speaking, termId, from, at);
    }
    for (const termId of termIds) if (!this.#speaking.has(termId)) this.#speaking.set(termId, at);
  }

  #addSpeech(speeches: RecordingIndex['speaking'], termId: string, from: number, to: number): void {
    const last = speeches.findLast((speech) => speech.termId === termId);
    if (last && from - last.to < SAME_SPEECH_MS) last.to = Math.max(last.to, to);
    else speeches.push({ termId, from, to });
  }

  beginGap(from: number, reason: GapReason): void {
    this.#gap ??= { from: Math.round(from), reason };
  }

  endGap(to: number): void {
    if (this.#gap && to > this.#gap.from) this.#index.gaps.push({ ...this.#gap, to });
    this.#gap = undefined;
  }

  get size(): RecordingSize {
    return sizeOf(this.#index);
  }

  /** The index as it is now; a copy, which takes time in a long recording. */
  at(now: number): RecordingIndex {
    const index = structuredClone(this.#index);
    for (const [termId, from] of this.#speaking) this.#addSpeech(index.speaking, termId, from, now);
    if (this.#card) this.#addCard(index, this.#card, now);
    if (this.#gap && now > this.#gap.from) index.gaps.push({ ...this.#gap, to: now });
    return index;
  }
}
