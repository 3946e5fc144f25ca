/** How long somebody must speak before the room turns to them, and be silent before it turns away. Milliseconds. */
const TAKES_THE_FLOOR = 700;
const LOSES_THE_FLOOR = 1_200;

export interface SpeakerState {
  /** Who speaks right now, and since when. */
  readonly speaking: ReadonlyMap<string, number>;
  /** When each last spoke. */
  readonly lastSpoke: ReadonlyMap<string, number>;
  /** Who has the floor, then the others who spoke, latest first. */
  readonly recent: readonly string[];
}

export const SILENCE: SpeakerState = { speaking: new Map(), lastSpoke: new Map(), recent: [] };

/**
 * The state after the engine reported `active` as those speaking at `now`.
 * Somebody enters `recent` only after speaking for a while, so that a cough moves nothing; whoever has the floor keeps
 * it until they have been silent for a while, so that two in a dispute do not make the picture jump.
 */
export function updateSpeakers(state: SpeakerState, active: readonly string[], now: number): SpeakerState {
  // Whoever stops just now has earned what they spoke until now.
  const { recent } = tickSpeakers(state, now);
  const speaking = new Map(active.map((termId) => [termId, state.speaking.get(termId) ?? now]));
  const lastSpoke = new Map(state.lastSpoke);
  for (const termId of [...state.speaking.keys(), ...active]) lastSpoke.set(termId, now);
  return tickSpeakers({ speaking, lastSpoke, recent }, now);
}

/** The same state later, with nobody starting or stopping in between. */
export function tickSpeakers(state: SpeakerState, now: number): SpeakerState {
  const holder = state.recent[0];
  const keepsFloor =
    holder !== undefined && (state.speaking.has(holder) || now - (state.lastSpoke.get(holder) ?? 0) < LOSES_THE_FLOOR);
  const candidates = [...state.speaking]
    .filter(([, since]) => now - since >= TAKES_THE_FLOOR)
    .sort(([, a], [, b]) => a - b)
    .map(([termId]) => termId);
  const recent = [...new Set([...(keepsFloor ? [holder] : []), ...candidates, ...state.recent])];
  const same = recent.length === state.recent.length && recent.every((termId, at) => termId === state.recent[at]);
  return same ? state : { ...state, recent };
}

/** Those who left are forgotten. */
export function keepSpeakers(state: SpeakerState, present: ReadonlySet<string>): SpeakerState {
  const gone = [...state.lastSpoke.keys()].some((termId) => !present.has(termId));
  if (!gone) return state;
  const among = (map: ReadonlyMap<string, number>) => new Map([...map].filter(([termId]) => present.has(termId)));
  return {
    speaking: among(state.speaking),
    lastSpoke: among(state.lastSpoke),
    recent: state.recent.filter((termId) => present.has(termId)),
  };
}
