/** A changed copy of a captured track. `stop` ends the copy, and leaves the captured track as it is. */
export interface TrackEffect {
  readonly track: MediaStreamTrack;
  stop(): void;
  /** Milliseconds of computing for each frame, if the effect measures it; null before the first frames. */
  cost?(): number | null;
}
