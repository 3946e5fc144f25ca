import { type DependencyDescriptor, type DependencyStructure, NOT_PRESENT, SWITCH } from '@rmeet/rtp';

const HIGH_QUALITY = 2;
const EVERY_LAYER = 8;

/** The best active target within these layers, else the lowest active one; -1 if there is none. */
function bestTarget(structure: DependencyStructure, active: number, spatial: number, temporal: number): number {
  const { targets } = structure;
  let best = -1;
  let least = -1;
  for (let target = 0; target < targets.length; target += 1) {
    if (Math.floor(active / 2 ** target) % 2 === 0) continue;
    const { spatialId, temporalId } = targets[target]!;
    const rank = spatialId * EVERY_LAYER + temporalId;
    if (least < 0 || rank < targets[least]!.spatialId * EVERY_LAYER + targets[least]!.temporalId) least = target;
    if (spatialId > spatial || temporalId > temporal) continue;
    if (best < 0 || rank > targets[best]!.spatialId * EVERY_LAYER + targets[best]!.temporalId) best = target;
  }
  return best < 0 ? least : best;
}

/**
 * Whether every frame of one target is also a frame of another, so that the first can be extracted from the second at
 * any time.
 */
function isPartOf(structure: DependencyStructure, target: number, other: number): boolean {
  return structure.templates.every(
    ({ indications }) => indications[target] === NOT_PRESENT || indications[other] !== NOT_PRESENT,
  );
}

/**
 * Which decode target of a scalable stream (VP9, AV1) one subscriber gets, and therefore which frames. Switches only
 * where the sender marked a frame as a switching point (AV1 RTP payload format, A.2): down at once if the layers depend
 * on each other; otherwise, and for up, at a key frame.
 */
export class DecodeTargets {
  #maxSpatial = EVERY_LAYER;
  #maxTemporal = EVERY_LAYER;
  #structure: DependencyStructure | undefined;
  #active = 0;
  #wanted = -1;
  #current = -1;

  /** The spatial layer of the forwarded target, -1 before the first key frame. */
  get spatialId(): number {
    return this.#current < 0 ? -1 : (this.#structure?.targets[this.#current]?.spatialId ?? -1);
  }

  /** The forwarded quality as LiveKit's VideoQuality, 0 to 2: the best layer of a stream is its high quality. */
  get quality(): number {
    return qualityOfSpatial(this.spatialId, this.#structure?.spatialLayers ?? 1);
  }

  /** The next frames start with a key frame. */
  restart(): void {
    this.#current = -1;
  }

  /** The best quality worth sending, 0 to 2, and the highest temporal layer. */
  want(quality: number, temporal = EVERY_LAYER): void {
    const layers = this.#structure?.spatialLayers ?? 1;
    this.#maxSpatial = Math.max(0, quality - HIGH_QUALITY + layers - 1);
    this.#maxTemporal = temporal;
    if (this.#structure) this.#wanted = bestTarget(this.#structure, this.#active, this.#maxSpatial, this.#maxTemporal);
  }

  /** Whether the wanted target can be reached only at a key frame. */
  get needsKeyframe(): boolean {
    const structure = this.#structure;
    if (!structure || this.#wanted < 0 || this.#wanted === this.#current) return false;
    if (this.#current < 0) return true;
    const isUp = structure.targets[this.#wanted]!.spatialId > this.spatialId;
    return isUp || !isPartOf(structure, this.#wanted, this.#current);
  }

  /** Whether this subscriber gets the packet's frame. `newest`: it is not late. `quality` as in `want`. */
  accepts(frame: DependencyDescriptor, newest: boolean, quality: number): boolean {
    if (newest && frame.startOfFrame) this.#follow(frame, quality);
    return this.#current >= 0 && frame.indications[this.#current] !== NOT_PRESENT;
  }

  #follow(frame: DependencyDescriptor, quality: number): void {
    if (frame.structure !== this.#structure || frame.activeTargets !== this.#active) {
      this.#structure = frame.structure;
      this.#active = frame.activeTargets;
      this.want(quality, this.#maxTemporal);
    }
    if (frame.hasStructure) this.#current = this.#wanted;
    if (this.#wanted === this.#current || this.#wanted < 0) return;
    const isIncluded = this.#current >= 0 && frame.indications[this.#current] !== NOT_PRESENT;
    if (isIncluded && frame.indications[this.#wanted] === SWITCH) this.#current = this.#wanted;
  }
}

/** LiveKit's VideoQuality (0 to 2) of a spatial layer of a stream with this many layers. */
export function qualityOfSpatial(spatialId: number, layers: number): number {
  return Math.max(0, spatialId + HIGH_QUALITY - layers + 1);
}
