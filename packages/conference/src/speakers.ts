/** How long a terminal must speak before it gets the floor, and be silent before it loses it. Milliseconds. */
const TAKES_THE_FLOOR = 700;
const LOSES_THE_FLOOR = 1_200;

export interface SpeakerState {
  /** Who speaks now, and since when. */
  readonly speaking: ReadonlyMap<string, number>;
  /** When each terminal last spoke. */
  readonly lastSpoke: ReadonlyMap<string, number>;
  /** Who has the floor, then the others who spoke, latest first. */
  readonly recent: readonly string[];
}

export const SILENCE: SpeakerState = { speaking: new Map(), lastSpoke: new Map(), recent: [] };

/**
 * The state after the engine reported `active` as speaking at `now`. A terminal enters `recent` only after speaking for
 * a while, so that a cough moves nothing. Who has the floor keeps it until silent for a while, so that two in a dispute
 * do not make the picture jump.
 */
export function updateSpeakers(state: SpeakerState, active: readonly string[], now: number): SpeakerState {
  // Terminals that stop now still get credit for their speaking time.
  const { recent } = tickSpeakers(state, now);
  const speaking = new Map(active.map((termId) => [termId, state.speaking.get(termId) ?? now]));
  const lastSpoke = new Map(state.lastSpoke);
  for (const termId of [...state.speaking.keys(), ...active]) lastSpoke.set(termId, now);
  return tickSpeakers({ speaking, lastSpoke, recent }, now);
}

/** The same state later, if no terminal starts or stops speaking in between. */
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

/** Forgets the terminals that left. */
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
