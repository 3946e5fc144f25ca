import { z } from 'zod';

/** Names shown to people who belong to the meeting. */
export const NAMES_INSIDE = 3;

/** Who is in a meeting now. */
export const peopleInside = z.object({
  /** Terminals inside, without the waiting room. */
  count: z.number().int(),
  /** Those who came first; empty for callers who do not belong to the meeting. */
  names: z.array(z.string()).max(NAMES_INSIDE),
});
export type PeopleInside = z.infer<typeof peopleInside>;

export const exampleInside: PeopleInside = { count: 3, names: ['Alice', 'Bob', 'Carol'] };
