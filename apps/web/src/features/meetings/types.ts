import type { FeatureFlags, Meeting } from '@rmeet/contract';

/** Types that the form can book, in display order. */
export const BOOKABLE_TYPES = [
  'NETWORK_MEETING',
  'VIDEO_MEETING',
  'LIVE_MEETING',
  'PHONE_MEETING',
  'LOCAL_MEETING',
] as const satisfies readonly Meeting['type'][];
export type BookableType = (typeof BOOKABLE_TYPES)[number];

const FLAG_OF = {
  NETWORK_MEETING: 'enableNet',
  VIDEO_MEETING: 'enableVideo',
  LIVE_MEETING: 'enableBookLive',
  PHONE_MEETING: 'enableTel',
  LOCAL_MEETING: 'enableLocal',
} as const satisfies Record<BookableType, keyof FeatureFlags>;

/** The types an account may book. */
export function bookableTypes(flags: FeatureFlags | undefined): BookableType[] {
  return BOOKABLE_TYPES.filter((type) => flags?.[FLAG_OF[type]] === 1);
}
