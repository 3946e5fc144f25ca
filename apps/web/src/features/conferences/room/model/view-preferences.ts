import { CORNERS, VIEWER_VIEWS, type Corner, type ViewerView } from '@rmeet/conference';
import { SHARE_DEFAULTS, SHARE_HINTS, SHARE_RATES, type ShareOptions } from '../../../../call/index.ts';

const KEY = 'conferenceView';

/** How this user wants to see meetings, in this browser. */
export interface ViewPreferences {
  view: ViewerView;
  hideSelf: boolean;
  hideWithoutVideo: boolean;
  /** Shows the own picture as in a mirror. */
  mirror: boolean;
  /** Where the own picture lies while there is one other. */
  corner: Corner;
  share: ShareOptions;
}

const DEFAULTS: ViewPreferences = {
  view: 'AUTO',
  hideSelf: false,
  hideWithoutVideo: false,
  mirror: true,
  corner: 'bottom-right',
  share: SHARE_DEFAULTS,
};

/** The stored preferences; what is missing or unknown has its default. */
export function readViewPreferences(storage: Pick<Storage, 'getItem'> = localStorage): ViewPreferences {
  const stored = storedIn(storage.getItem(KEY));
  const share = (stored.share ?? {}) as Record<string, unknown>;
  const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);
  return {
    view: oneOf(VIEWER_VIEWS, stored.view, DEFAULTS.view),
    hideSelf: flag(stored.hideSelf, DEFAULTS.hideSelf),
    hideWithoutVideo: flag(stored.hideWithoutVideo, DEFAULTS.hideWithoutVideo),
    mirror: flag(stored.mirror, DEFAULTS.mirror),
    corner: oneOf(CORNERS, stored.corner, DEFAULTS.corner),
    share: {
      hint: oneOf(SHARE_HINTS, share['hint'], SHARE_DEFAULTS.hint),
      rate: oneOf(SHARE_RATES, share['rate'], SHARE_DEFAULTS.rate),
    },
  };
}

export function rememberViewPreferences(
  preferences: ViewPreferences,
  storage: Pick<Storage, 'setItem'> = localStorage,
): void {
  storage.setItem(KEY, JSON.stringify(preferences));
}

function storedIn(json: string | null): Partial<Record<keyof ViewPreferences, unknown>> {
  try {
    const stored: unknown = JSON.parse(json ?? '{}');
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

function oneOf<T>(known: readonly T[], value: unknown, otherwise: T): T {
  return known.find((each) => each === value) ?? otherwise;
}
