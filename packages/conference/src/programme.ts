import type { ConferenceControl } from './state/control.ts';

/** One picture of a conference: whose, and which of theirs. */
export interface ProgrammePicture {
  termId: string;
  kind: 'camera' | 'screen';
}

export interface ProgrammeInput {
  control: Pick<ConferenceControl, 'mode' | 'speakerId' | 'polling' | 'contentLockId' | 'chairId'>;
  /** termIds of those who share content; the one who began last is shown. */
  sharing: readonly string[];
  /** termIds: who has the floor, then those who had it before, latest first. */
  speakers: readonly string[];
  /** termIds of those inside. */
  present: ReadonlySet<string>;
}

/**
 * The one picture that is the programme: what is recorded or broadcast, where there is no room for two. The first of
 * these that there is:
 * 1. who was put on air: the named speaker, the lecturer, or whose turn it is in polling. By their camera; by their
 *   screen
 *    where the chair has locked content to them and they share. Other people's content, locked or not, does not take
 * them off;
 * 2. shared content: of the terminal it is locked to, and of nobody else then; else of who began last;
 * 3. who has the floor, or had it last. EQUAL puts nobody above the others, but one picture has to be chosen;
 * 4. the chair, until somebody speaks.
 * Null when nobody of these is inside. Whether the picture is being sent is not asked: a camera that is off is no
 * picture on air, not a reason to show somebody else.
 */
export function programmeOf({ control, sharing, speakers, present }: ProgrammeInput): ProgrammePicture | null {
  const { contentLockId, chairId } = control;
  const shared = sharing.filter(
    (termId) => present.has(termId) && (contentLockId === null || contentLockId === termId),
  );
  const named = namedIn(control, present);
  if (named !== null)
    return { termId: named, kind: contentLockId === named && shared.includes(named) ? 'screen' : 'camera' };
  const content = shared.at(-1);
  if (content !== undefined) return { termId: content, kind: 'screen' };
  const termId = [...speakers, ...(chairId === null ? [] : [chairId])].find((id) => present.has(id));
  return termId === undefined ? null : { termId, kind: 'camera' };
}

/** Who was put on air by name or by turn, if inside. */
function namedIn({ mode, speakerId, polling }: ProgrammeInput['control'], present: ReadonlySet<string>): string | null {
  const termId =
    mode === 'SPEAKER' || mode === 'LECTURE' ? speakerId : mode === 'POLLING' ? (polling?.turn?.termId ?? null) : null;
  return termId !== null && present.has(termId) ? termId : null;
}
