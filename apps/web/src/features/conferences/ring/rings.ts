import type { PushMessage, Ring as RingOnWire } from '@rmeet/contract';

export type UserEvent = Extract<PushMessage, { event: unknown }>['event'];

/** An incoming call that rings here. */
export interface Ring extends RingOnWire {
  /** When it stops by itself, by this browser's clock; ms. */
  endsAt: number;
}

/** The server's maximum ring time, ms. */
const LONGEST = 60_000;

/**
 * The ringing calls after an event, the oldest first. The server decides when a ring is over; its end time is only for
 * display, so that a wrong clock neither hides a ring nor keeps one forever.
 */
export function withEvent(rings: readonly Ring[], event: UserEvent, now: number): readonly Ring[] {
  if (event.type === 'ringOver') return without(rings, event.meetId);
  if (event.type !== 'ring') return rings;
  const { meetId, numericId, subject, from, until } = event;
  const left = Date.parse(until) - now;
  const ring = { meetId, numericId, subject, from, until, endsAt: now + (left > 0 && left < LONGEST ? left : LONGEST) };
  return [...without(rings, meetId), ring];
}

/** The ringing calls by the server's answer, updated by the events that arrived after the request. */
export function withAnswer(answer: readonly RingOnWire[], since: readonly UserEvent[], now: number): readonly Ring[] {
  const events: UserEvent[] = [...answer.map((ring) => ({ type: 'ring' as const, ...ring })), ...since];
  return events.reduce<readonly Ring[]>((rings, event) => withEvent(rings, event, now), []);
}

export function without(rings: readonly Ring[], meetId: string): readonly Ring[] {
  return rings.some((ring) => ring.meetId === meetId) ? rings.filter((ring) => ring.meetId !== meetId) : rings;
}

export function withoutSpent(rings: readonly Ring[], now: number): readonly Ring[] {
  return rings.some((ring) => ring.endsAt <= now) ? rings.filter((ring) => ring.endsAt > now) : rings;
}

/** Where the user is: joining a meeting, in it, or neither. */
export interface Whereabouts {
  pathname: string;
  search: string;
  state: unknown;
}

/** Whether the user is on the page of the meeting they are called to. */
export function isThere({ pathname, search }: Whereabouts, { numericId }: Ring): boolean {
  return pathname === '/join' && new URLSearchParams(search).get('number') === numericId;
}

/** Whether the user is in a meeting. */
export function isInMeeting({ pathname, state }: Whereabouts): boolean {
  return pathname === '/join' && (state as { joined?: boolean } | null)?.joined === true;
}
