import type { RecordingEdit } from '@rmeet/contract';

/** Nothing shorter than this is kept between two edges; ms. */
const LEAST = 500;
/** A new cut is this long until its edges are moved; ms. */
const NEW_CUT = 10_000;

export const NO_EDIT: RecordingEdit = { start: null, end: null, cuts: [] };

/** An edge that can be moved: of the whole, or of a cut. */
export type Edge = 'start' | 'end' | { cut: number; edge: 'from' | 'to' };

/** The draft with an edge at a time by the clock, as near as the others allow. `last`: the end of the recording. */
export function moved(edit: RecordingEdit, edge: Edge, time: number, last: number): RecordingEdit {
  const at = Math.round(Math.max(0, Math.min(time, last)));
  if (edge === 'start') {
    const start = Math.min(at, (edit.end ?? last) - LEAST);
    return { ...edit, start: start <= 0 ? null : start };
  }
  if (edge === 'end') {
    const end = Math.max(at, (edit.start ?? 0) + LEAST);
    return { ...edit, end: end >= last ? null : end };
  }
  const cuts = edit.cuts.map((cut, index) => {
    if (index !== edge.cut) return cut;
    return edge.edge === 'from'
      ? { ...cut, from: Math.min(at, cut.to - LEAST) }
      : { ...cut, to: Math.max(at, cut.from + LEAST) };
  });
  return { ...edit, cuts };
}

/** The draft with another stretch cut out, from a time by the clock on. */
export function withCut(edit: RecordingEdit, time: number, last: number): RecordingEdit {
  const from = Math.round(Math.max(0, Math.min(time, last - LEAST)));
  return { ...edit, cuts: [...edit.cuts, { from, to: Math.min(Math.round(last), from + NEW_CUT) }] };
}

export function withoutCut(edit: RecordingEdit, cut: number): RecordingEdit {
  return { ...edit, cuts: edit.cuts.filter((_, index) => index !== cut) };
}

/** What is stored: cuts in order, those that meet as one; null if nothing is left out. */
export function tidy({ start, end, cuts }: RecordingEdit): RecordingEdit | null {
  const joined: RecordingEdit['cuts'] = [];
  for (const cut of cuts.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && cut.from <= last.to) last.to = Math.max(last.to, cut.to);
    else joined.push({ ...cut });
  }
  return start === null && end === null && joined.length === 0 ? null : { start, end, cuts: joined };
}

/** What a draft leaves out, for the seek line. */
export function leftOut({ start, end, cuts }: RecordingEdit, last: number): { from: number; to: number }[] {
  return [
    ...(start === null ? [] : [{ from: 0, to: start }]),
    ...cuts,
    ...(end === null ? [] : [{ from: end, to: last }]),
  ];
}
