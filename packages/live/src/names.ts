/** A file of a broadcast. `part` counts from 0 in its segment. */
export type LiveFile =
  | { kind: 'init'; init: number }
  | { kind: 'segment'; init: number; segment: number }
  | { kind: 'part'; init: number; segment: number; part: number };

export const initName = (init: number): string => `init-${init}.mp4`;
export const segmentName = (init: number, segment: number): string => `segment-${init}-${segment}.m4s`;
export const partName = (init: number, segment: number, part: number): string => `part-${init}-${segment}-${part}.m4s`;

/** Undefined if it is the name of no file. */
export function fileOf(name: string): LiveFile | undefined {
  const [, kind, first, second, third] =
    /^(init|segment|part)-(\d{1,6})(?:-(\d{1,9}))?(?:-(\d{1,4}))?\.(?:mp4|m4s)$/.exec(name) ?? [];
  const [init, segment, part] = [Number(first), Number(second), Number(third)];
  if (kind === 'init' && name === initName(init)) return { kind, init };
  if (kind === 'segment' && name === segmentName(init, segment)) return { kind, init, segment };
  if (kind === 'part' && name === partName(init, segment, part)) return { kind, init, segment, part };
  return undefined;
}
