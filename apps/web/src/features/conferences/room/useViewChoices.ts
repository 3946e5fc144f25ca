import { MOST_PINNED, type ConferenceControl, type ViewerView } from '@rmeet/conference';
import { useCallback, useEffect, useState } from 'react';
import { toast } from '../../../lib/notify.ts';
import { mayHaveOwnView } from '../shared/proceedings.ts';
import { useT } from '../texts.ts';
import { readViewPreferences, rememberViewPreferences, type ViewPreferences } from './model/view-preferences.ts';
import type { PictureInPicture } from './usePictureInPicture.ts';

/** A view of one's own, or the one the chair has set for all. */
export type ViewChoice = ViewerView | 'CHAIR';
export type ViewChoices = ReturnType<typeof useViewChoices>;

/**
 * How this user sees the meeting. Lasting choices are stored in the browser; pins, and that the user has left a layout
 * that the chair has set, hold for this meeting.
 */
export function useViewChoices(control: ConferenceControl, termId: string) {
  const [preferences, setPreferences] = useState(readViewPreferences);
  const [pinned, setPinned] = useState<readonly string[]>([]);
  const [ownView, setOwnView] = useState(false);
  const mayChoose = control.allowOwnLayout;
  const isChairs = mayHaveOwnView(control, termId);
  // What is no longer allowed does not return by itself when it is allowed again.
  if (ownView && !isChairs) setOwnView(false);
  if (pinned.length > 0 && !mayChoose) setPinned([]);

  useEffect(() => rememberViewPreferences(preferences), [preferences]);
  // Stable, because every tile gets them.
  const change = useCallback(
    (patch: Partial<ViewPreferences>) => setPreferences((before) => ({ ...before, ...patch })),
    [],
  );
  /** The pin that has been there longest gives way. */
  const pin = useCallback(
    (key: string, on: boolean) =>
      setPinned((before) => {
        const others = before.filter((each) => each !== key);
        return on ? [...others, key].slice(-MOST_PINNED) : others;
      }),
    [],
  );
  const choose = (choice: ViewChoice) => {
    setOwnView(choice !== 'CHAIR' && isChairs);
    if (choice !== 'CHAIR') change({ view: choice });
  };
  return {
    preferences,
    change,
    choose,
    /** Whether the chair lets people choose. */
    mayChoose,
    /** Whether the chair has set a layout that the user can follow or leave. */
    isChairs,
    choice: isChairs && !ownView ? ('CHAIR' as const) : preferences.view,
    ownView,
    pinned,
    pin,
    unpinAll: () => setPinned([]),
  };
}

export type ViewKeys = ReturnType<typeof useViewKeys>;

/** What the keys for views do. */
export function useViewKeys({ mayChoose, choice, choose }: ViewChoices, { toggle }: PictureInPicture) {
  const t = useT();
  return {
    grid: () => {
      if (mayChoose) choose(choice === 'GRID' ? 'AUTO' : 'GRID');
      else toast('warning', () => t('view.notAllowed'));
    },
    pictureInPicture: () => toggle?.(),
  };
}
