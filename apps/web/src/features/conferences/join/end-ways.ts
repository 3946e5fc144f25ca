import type { CallEnd } from '../../../call/index.ts';

/** A way on after a call: the same meeting again, its record, the own meetings, or another meeting. */
export type EndWay = 'again' | 'record' | 'home' | 'other';

/** Ends after which the meeting goes on, or can be opened again. */
const CAN_RETURN: ReadonlySet<CallEnd> = new Set(['left', 'gone', 'elsewhere', 'removed', 'refused']);
/** Ends of the conference itself, which then has a record. */
export const IS_OVER: ReadonlySet<CallEnd> = new Set(['ended', 'endedByHost', 'endedByMe', 'time', 'closed']);
/** Ends that the user did not want: coming back is likelier than going home. */
const UNWANTED: ReadonlySet<CallEnd> = new Set(['gone', 'refused']);

interface Ended {
  end: CallEnd;
  /** False after a permanent removal. */
  canReturn: boolean;
  signedIn: boolean;
  /** Members who were inside may see the record of the conference. */
  wasInside: boolean;
}

/** The ways on, the likeliest first. */
export function waysAfter({ end, canReturn, signedIn, wasInside }: Ended): EndWay[] {
  const away: EndWay = signedIn ? 'home' : 'other';
  if (IS_OVER.has(end) && signedIn && wasInside) return [away, 'record'];
  if (!CAN_RETURN.has(end) || !canReturn) return [away];
  // A guest has no page of their own to go to.
  return UNWANTED.has(end) || !signedIn ? ['again', away] : [away, 'again'];
}
