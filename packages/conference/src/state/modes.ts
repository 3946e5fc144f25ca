/**
 * Who is on air by the chair's choice: `AUTO` who speaks, `SPEAKER` the named terminal, `EQUAL` nobody above the
 * others.
 */
export const CHOSEN_MODES = ['AUTO', 'SPEAKER', 'EQUAL'] as const;
export type ChosenMode = (typeof CHOSEN_MODES)[number];

/**
 * Who is on air; besides the chosen modes those that polling brings: `POLLING` the terminal whose turn it is, `LECTURE`
 * the lecturer, who sees the round.
 */
export const CONFERENCE_MODES = [...CHOSEN_MODES, 'LECTURE', 'POLLING'] as const;
export type ConferenceMode = (typeof CONFERENCE_MODES)[number];
