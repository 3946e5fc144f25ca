import { MOST_SEATS, screenSeat, seatPlace } from '@rmeet/conference';
import { z } from 'zod';
import { API_BASE } from '../constants.ts';
import type { ErrorCode } from '../errors.ts';
import { route, type Method, type RouteInput } from '../http/route.ts';

// What the routes that command a running conference have in common.
export const meetId = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
export const termId = 'T4kq81xz0m2c';
export const term = z.string().min(1).max(40);
export const terms = z.array(term).min(1).max(1_000);
export const meet = z.uuid();
/** Maximum speaking time that can be given, seconds. */
export const speakingSeconds = z.number().int().min(5).max(7_200);
export const places = z.array(seatPlace).max(MOST_SEATS).default([]);
export const seats = z.array(screenSeat).max(MOST_SEATS);
export const zoneId = z.string().min(1).max(40);
export const byMeeting = z.object({ meetId: meet });
/** The engine of the call: `rz`, our own. */
export const byEngine = z.object({ res: z.string().regex(/^[a-z]{1,20}$/) });
/** `1` or `0`. */
export const bit = z
  .union([z.literal('1'), z.literal('0'), z.literal(1), z.literal(0)])
  .transform((value) => Number(value) === 1);
/** termIds in a query: repeated, or one string with commas. */
export const listed = z
  .union([z.string(), z.array(z.string())])
  .transform((value) =>
    [value]
      .flat()
      .flatMap((one) => one.split(','))
      .filter((one) => one !== ''),
  )
  .pipe(terms);

/** The result of a command. It is complete when the terminals affected have acknowledged it, which the log shows. */
export const commandAnswer = z.object({
  commandId: z.uuid(),
  version: z.number().int(),
  affected: z.array(z.string()),
});
export type CommandAnswer = z.infer<typeof commandAnswer>;
export const done: CommandAnswer = {
  commandId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13',
  version: 12,
  affected: [termId],
};

/** A command to a running conference: by a terminal inside, an account with a right to the meeting, or a desk. */
export function command<I extends RouteInput>({
  errors = [],
  method,
  path,
  ...definition
}: {
  method: Method;
  path: string;
  aliases?: readonly string[];
  summary: string;
  input: I;
  errors?: readonly ErrorCode[];
  example: { params?: unknown; query?: unknown; body?: unknown };
}) {
  // Method and path by name: the web build omits everything else of a route.
  return route({
    method,
    path,
    ...definition,
    callers: ['user', 'terminal', 'desk'],
    audit: true,
    data: commandAnswer,
    errors: ['CONFERENCE_OVER', 'ENGINE_UNKNOWN', 'VERB_IMPOSSIBLE', ...errors],
    limit: { by: 'caller', max: 1_200, seconds: 60 },
    example: { ...definition.example, data: done },
  });
}

export const ofEngine = (name: string): string => `${API_BASE}/meetings/:res/${name}`;
export const rz = { res: 'rz' };
