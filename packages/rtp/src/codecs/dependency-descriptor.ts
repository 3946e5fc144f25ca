import { BitReader } from './bit-reader.ts';

/** The role of a frame for a decode target (AV1 RTP payload format, A.2: decode target indications). */
export const NOT_PRESENT = 0;
export const SWITCH = 2;

/** Bounds of the format: six bits of template id, five of decode target count. */
const MAX_TEMPLATES = 64;
const MANDATORY_BYTES = 3;
const LAST_LAYER = 3;

interface Template {
  spatialId: number;
  temporalId: number;
  /** By decode target. */
  indications: Uint8Array;
}

/** The dependencies between the frames of a coded sequence; sent with each key frame and valid until the next. */
export interface DependencyStructure {
  templateIdOffset: number;
  templates: Template[];
  /** Decode targets, each with its highest layers. */
  targets: Array<{ spatialId: number; temporalId: number }>;
  /** How many chains protect the targets; 0 without chains. */
  chains: number;
  spatialLayers: number;
}

/** Reads the layers of the templates; undefined if there are too many. */
function readLayers(bits: BitReader, targets: number): Template[] | undefined {
  const templates: Template[] = [];
  let spatialId = 0;
  let temporalId = 0;
  for (;;) {
    if (templates.length === MAX_TEMPLATES || bits.failed) return undefined;
    templates.push({ spatialId, temporalId, indications: new Uint8Array(targets) });
    const next = bits.read(2);
    if (next === LAST_LAYER) return templates;
    if (next === 1) temporalId += 1;
    if (next === 2) {
      temporalId = 0;
      spatialId += 1;
    }
  }
}

function skipFrameDiffs(bits: BitReader, templates: number): void {
  for (let i = 0; i < templates && !bits.failed; i += 1) while (bits.read(1) === 1 && !bits.failed) bits.read(4);
}

/** Reads the number of chains, and skips their contents. */
function readChains(bits: BitReader, targets: number, templates: number): number {
  const chains = bits.readNonSymmetric(targets + 1);
  if (chains === 0) return 0;
  for (let i = 0; i < targets; i += 1) bits.readNonSymmetric(chains);
  for (let i = 0; i < templates * chains; i += 1) bits.read(4);
  return chains;
}

function readStructure(bits: BitReader): DependencyStructure | undefined {
  const templateIdOffset = bits.read(6);
  const targetCount = bits.read(5) + 1;
  const templates = readLayers(bits, targetCount);
  if (!templates) return undefined;
  for (const template of templates) {
    for (let target = 0; target < targetCount; target += 1) template.indications[target] = bits.read(2);
  }
  skipFrameDiffs(bits, templates.length);
  const chains = readChains(bits, targetCount, templates.length);
  const spatialLayers = templates.at(-1)!.spatialId + 1;
  if (bits.read(1) === 1) for (let layer = 0; layer < spatialLayers; layer += 1) bits.read(32);
  if (bits.failed) return undefined;
  const targets = Array.from({ length: targetCount }, (_unused, target) => {
    const present = templates.filter((template) => template.indications[target] !== NOT_PRESENT);
    return {
      spatialId: Math.max(0, ...present.map((template) => template.spatialId)),
      temporalId: Math.max(0, ...present.map((template) => template.temporalId)),
    };
  });
  return { templateIdOffset, templates, targets, chains, spatialLayers };
}

/**
 * The dependency descriptor header extension (AV1 RTP payload format, appendix A; also used for VP9): the frame that a
 * packet belongs to, and the decode targets that need it. One instance is used for all packets of a stream, as the
 * structure is sent only with key frames.
 */
export class DependencyDescriptor {
  structure: DependencyStructure | undefined;
  /** The packet carries a structure: it starts a key frame. */
  hasStructure = false;
  startOfFrame = false;
  endOfFrame = false;
  frameNumber = 0;
  spatialId = 0;
  temporalId = 0;
  /** By decode target: the role of this frame for it. */
  indications: Uint8Array = new Uint8Array(0);
  /** Bit n: decode target n is being sent. Holds until another comes. */
  activeTargets = 0;
  readonly #bits = new BitReader();
  readonly #custom = new Uint8Array(32);

  /** Reads the extension. Returns false if it is invalid, or if the key frame with the structure is missing. */
  parse(buffer: Buffer, offset: number, length: number): boolean {
    if (length < MANDATORY_BYTES) return false;
    const first = buffer[offset]!;
    this.startOfFrame = (first & 0x80) !== 0;
    this.endOfFrame = (first & 0x40) !== 0;
    this.frameNumber = (buffer[offset + 1]! << 8) | buffer[offset + 2]!;
    this.hasStructure = false;
    if (length === MANDATORY_BYTES) return this.#useTemplate(first & 0x3f) !== undefined;
    return this.#readExtended(buffer, offset, length, first & 0x3f);
  }

  #readExtended(buffer: Buffer, offset: number, length: number, templateId: number): boolean {
    const bits = this.#bits;
    bits.start(buffer, offset + MANDATORY_BYTES, offset + length);
    const hasStructure = bits.read(1) === 1;
    const hasActiveTargets = bits.read(1) === 1;
    const hasIndications = bits.read(1) === 1;
    // frame distances and chains that differ from the template follow; they are not needed
    bits.read(2);
    let { structure, activeTargets } = this;
    if (hasStructure) {
      structure = readStructure(bits);
      if (!structure) return false;
      activeTargets = 2 ** structure.targets.length - 1;
    }
    if (!structure) return false;
    if (hasActiveTargets) activeTargets = bits.read(structure.targets.length);
    if (hasIndications) for (let i = 0; i < structure.targets.length; i += 1) this.#custom[i] = bits.read(2);
    if (bits.failed) return false;
    const before = this.structure;
    this.structure = structure;
    if (!this.#useTemplate(templateId)) {
      this.structure = before;
      return false;
    }
    this.hasStructure = hasStructure;
    this.activeTargets = activeTargets;
    if (hasIndications) this.indications = this.#custom;
    return true;
  }

  #useTemplate(templateId: number): Template | undefined {
    const { structure } = this;
    const template = structure?.templates[(templateId + MAX_TEMPLATES - structure.templateIdOffset) % MAX_TEMPLATES];
    if (!template) return undefined;
    this.spatialId = template.spatialId;
    this.temporalId = template.temporalId;
    this.indications = template.indications;
    return template;
  }
}
