/** A dependency descriptor made for a test (AV1 RTP payload format, appendix A). */
export interface DescriptorFields {
  start?: boolean;
  end?: boolean;
  template?: number;
  frameNumber?: number;
  /** With it the descriptor carries the structure of a key frame. */
  structure?: StructureFields;
  /** Bitmask of the decode targets being sent. */
  active?: number;
  /** How many decode targets there are, for `active` and `indications` without a structure. */
  targets?: number;
  /** Instead of the template's: `-`, `D`, `S` or `R` for each decode target. */
  indications?: string;
}

export interface StructureFields {
  offset?: number;
  /** In order of layers; `indications` as `SSR`. */
  templates: Array<{ spatial: number; temporal: number; indications: string; diffs?: number[] }>;
  /** Which chain protects each target; empty without chains. */
  protectedBy?: number[];
  sizes?: Array<[width: number, height: number]>;
}

class BitWriter {
  bits = '';

  write(count: number, value: number): void {
    this.bits += value.toString(2).padStart(count, '0').slice(-count);
  }

  /** ns(n) of the AV1 bitstream. */
  writeNonSymmetric(values: number, value: number): void {
    const width = Math.floor(Math.log2(values)) + 1;
    const short = 2 ** width - values;
    if (value < short) this.write(width - 1, value);
    else this.write(width, value + short);
  }

  get buffer(): Buffer {
    const padded = this.bits.padEnd(Math.ceil(this.bits.length / 8) * 8, '0');
    return Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  }
}

const indication = (letter: string): number => '-DSR'.indexOf(letter);

function writeStructure(
  out: BitWriter,
  { offset = 0, templates, protectedBy = [], sizes = [] }: StructureFields,
): void {
  const targets = templates[0]!.indications.length;
  out.write(6, offset);
  out.write(5, targets - 1);
  templates.forEach(({ spatial, temporal }, index) => {
    const next = templates[index + 1];
    if (!next) out.write(2, 3);
    else if (next.spatial > spatial) out.write(2, 2);
    else out.write(2, next.temporal > temporal ? 1 : 0);
  });
  for (const { indications } of templates) for (const letter of indications) out.write(2, indication(letter));
  for (const { diffs = [] } of templates) {
    for (const diff of diffs) out.write(5, 16 + diff - 1);
    out.write(1, 0);
  }
  const chains = protectedBy.length === 0 ? 0 : Math.max(...protectedBy) + 1;
  out.writeNonSymmetric(targets + 1, chains);
  if (chains > 0) {
    for (const chain of protectedBy) out.writeNonSymmetric(chains, chain);
    for (let i = 0; i < templates.length * chains; i += 1) out.write(4, 1);
  }
  out.write(1, sizes.length > 0 ? 1 : 0);
  for (const [width, height] of sizes) {
    out.write(16, width - 1);
    out.write(16, height - 1);
  }
}

export function descriptor(fields: DescriptorFields): Buffer {
  const { start = true, end = true, template = 0, frameNumber = 0, structure, active, indications } = fields;
  const out = new BitWriter();
  out.write(1, Number(start));
  out.write(1, Number(end));
  out.write(6, template);
  out.write(16, frameNumber);
  if (!structure && active === undefined && !indications) return out.buffer;
  out.write(1, Number(structure !== undefined));
  out.write(1, Number(active !== undefined));
  out.write(1, Number(indications !== undefined));
  out.write(2, 0);
  if (structure) writeStructure(out, structure);
  if (active !== undefined) out.write(fields.targets ?? structure!.templates[0]!.indications.length, active);
  for (const letter of indications ?? '') out.write(2, indication(letter));
  return out.buffer;
}

/**
 * Two spatial layers that build on each other in every picture: targets 0 (low) and 1 (both). Templates: low key, low,
 * high key, high.
 */
export const l2t1: StructureFields = {
  templates: [
    { spatial: 0, temporal: 0, indications: 'SS' },
    { spatial: 0, temporal: 0, indications: 'SR', diffs: [2] },
    { spatial: 1, temporal: 0, indications: '-S', diffs: [1] },
    { spatial: 1, temporal: 0, indications: '-R', diffs: [2, 1] },
  ],
  protectedBy: [0, 1],
  sizes: [
    [320, 180],
    [640, 360],
  ],
};

/** The same with layers that build on each other in key pictures only. */
export const l2t1Key: StructureFields = {
  templates: [
    { spatial: 0, temporal: 0, indications: 'SS' },
    { spatial: 0, temporal: 0, indications: 'S-', diffs: [2] },
    { spatial: 1, temporal: 0, indications: '-S', diffs: [1] },
    { spatial: 1, temporal: 0, indications: '-S', diffs: [2] },
  ],
  protectedBy: [0, 1],
};
