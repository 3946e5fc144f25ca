import { qualityOfSpatial } from '../forwarding/decode-targets.ts';
import type { Layer } from '../forwarding/layer.ts';
import type { PublishedTrack } from '../forwarding/published-track.ts';
import type { Level } from './allocator.ts';

const INTERVAL_MS = 200;
/** Rates are means over about this time. */
const SMOOTHING_MS = 2000;
/** A layer that has just started counts with at least the bitrate that its publisher declared. */
const YOUNG_MS = 3000;
/** Number of spatial layers considered; LiveKit has three qualities. */
const SPATIAL_LAYERS = 3;

/** The bitrate of one layer, by spatial layer, bits per second. */
class Meter {
  readonly rates = new Float64Array(SPATIAL_LAYERS);
  readonly #bytes = new Float64Array(SPATIAL_LAYERS);
  readonly since: number;
  #at: number;

  constructor(layer: Layer, nowMs: number) {
    this.since = nowMs;
    this.#at = nowMs;
    for (let i = 0; i < SPATIAL_LAYERS; i += 1) this.#bytes[i] = layer.spatialBytes[i]!;
  }

  measure(layer: Layer, nowMs: number): void {
    const elapsed = nowMs - this.#at;
    if (elapsed < INTERVAL_MS) return;
    const share = Math.min(1, elapsed / Math.min(SMOOTHING_MS, nowMs - this.since));
    for (let i = 0; i < SPATIAL_LAYERS; i += 1) {
      const bytes = layer.spatialBytes[i]!;
      const rate = ((bytes - this.#bytes[i]!) * 8000) / elapsed;
      this.rates[i]! += (rate - this.rates[i]!) * share;
      this.#bytes[i] = bytes;
    }
    this.#at = nowMs;
  }
}

const meters = new WeakMap<Layer, Meter>();

function meterOf(layer: Layer, nowMs: number): Meter {
  let meter = meters.get(layer);
  if (!meter) {
    meter = new Meter(layer, nowMs);
    meters.set(layer, meter);
  }
  meter.measure(layer, nowMs);
  return meter;
}

/**
 * The qualities in which a track arrives now, up to `wanted`, each with its bitrate, in ascending order; the lowest one
 * if all are better. `declared` returns the bitrate that the publisher declared for a quality; 0 for none.
 */
export function levelsOf(
  track: PublishedTrack,
  wanted: number,
  declared: (quality: number) => number,
  nowMs: number,
): Level[] {
  const levels: Level[] = [];
  const newest = Math.max(0, ...track.layers.map((layer) => layer.stream.lastArrival));
  for (const layer of track.layers) {
    if (!layer.isLive(nowMs, newest)) continue;
    const { rates, since } = meterOf(layer, nowMs);
    const young = nowMs - since < YOUNG_MS;
    const spatialLayers = Math.min(SPATIAL_LAYERS, layer.descriptor.structure?.spatialLayers ?? 1);
    let sum = 0;
    for (let spatial = 0; spatial < spatialLayers; spatial += 1) {
      const rate = rates[spatial]!;
      if (spatial > 0 && rate === 0) break;
      sum += rate;
      const quality = spatialLayers > 1 ? qualityOfSpatial(spatial, spatialLayers) : layer.quality;
      levels.push({ quality, bitrate: young ? Math.max(sum, declared(quality)) : sum });
    }
  }
  const usable = levels.filter(({ quality }) => quality <= wanted);
  return usable.length > 0 ? usable : levels.slice(0, 1);
}
