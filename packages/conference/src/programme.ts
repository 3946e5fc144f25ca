import type { ConferenceControl } from './state/control.ts';

/** One picture of a conference: its owner, and which of the owner's pictures. */
export interface ProgrammePicture {
  termId: string;
  kind: 'camera' | 'screen';
}

export interface ProgrammeInput {
  control: Pick<ConferenceControl, 'mode' | 'speakerId' | 'polling' | 'contentLockId' | 'chairId'>;
  /** termIds of the terminals that share content; the one that started last is shown. */
  sharing: readonly string[];
  /** termIds: the one that has the floor, then those that had it before, latest first. */
  speakers: readonly string[];
  /** termIds of present terminals. */
  present: ReadonlySet<string>;
}

/**
 * The one picture that is the programme: what is recorded or broadcast if there is no room for two. The first that
 * exists of:
 * 1. who was put on air: the named speaker, the lecturer, or the terminal whose turn it is in polling. Shown by the
 *    camera, or by the screen if the chair has locked content to this terminal and it shares. Other people's content,
 *    locked or not, does not replace it;
 * 2. shared content: only of the terminal it is locked to, or without a lock of the terminal that started last;
 * 3. who has the floor, or had it last. EQUAL puts nobody above the others, but one picture has to be chosen;
 * 4. the chair, until somebody speaks.
 *
 * Null if none of these is present. Whether the picture is being sent is not checked: with its camera off, a terminal
 * on air has no picture, but that is no reason to show another one.
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

/** Who was put on air by name or by turn, if present. */
function namedIn({ mode, speakerId, polling }: ProgrammeInput['control'], present: ReadonlySet<string>): string | null {
  const termId =
    mode === 'SPEAKER' || mode === 'LECTURE' ? speakerId : mode === 'POLLING' ? (polling?.turn?.termId ?? null) : null;
  return termId !== null && present.has(termId) ? termId : null;
}
