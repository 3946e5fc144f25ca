import { LIMITS } from '@rmeet/contract';
import type { Preset } from './draft.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const KEYS = ['book', 'roomIds', 'startTime', 'duration'] as const;

/**
 * The booking preset of a URL (`?book=1&roomIds=...&startTime=...&duration=...`), and the URL without it; null if it
 * contains none.
 */
export function takePreset(params: URLSearchParams): { preset: Preset; rest: URLSearchParams } | null {
  if (params.get('book') !== '1') return null;
  const roomIds = (params.get('roomIds') ?? '')
    .split(',')
    .filter((id) => UUID.test(id))
    .slice(0, LIMITS.rooms);
  const start = Date.parse(params.get('startTime') ?? '');
  const duration = Number(params.get('duration'));
  const isLength = Number.isInteger(duration) && duration >= LIMITS.durationMin && duration <= LIMITS.durationMax;
  const rest = new URLSearchParams(params);
  for (const key of KEYS) rest.delete(key);
  return {
    preset: {
      roomIds,
      ...(Number.isNaN(start) ? {} : { startTime: new Date(start).toISOString() }),
      ...(isLength ? { duration } : {}),
    },
    rest,
  };
}
