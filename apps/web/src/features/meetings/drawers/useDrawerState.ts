import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useAddressParams } from '../../../lib/addressParams.ts';
import type { Preset } from '../booking/draft.ts';
import { takePreset } from '../booking/preset.ts';

const OPEN = 'open';
const EDIT = 'edit';
/** Replaces the id for a new meeting. */
export const NEW = 'new';

/** The URL parameters without open drawers. */
export function withoutDrawers(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete(OPEN);
  next.delete(EDIT);
  return next;
}

/**
 * The drawers that the URL opens beside a page: details by `?open=<id>`, the form by `?edit=<id>`, `?edit=new` or
 * `?book=1&...`.
 */
export function useDrawerState() {
  const [params, setParams] = useAddressParams();
  const show = (key: typeof OPEN | typeof EDIT, value: string | null) =>
    setParams((now) => {
      const next = withoutDrawers(now);
      if (value !== null) next.set(key, value);
      return next;
    });
  // A room and time chosen elsewhere: the form opens with them, and they move from the URL into the history state.
  const preset = (useLocation().state as { preset?: Preset } | null)?.preset ?? null;
  useEffect(() => {
    const taken = takePreset(params);
    if (!taken) return;
    const next = withoutDrawers(taken.rest);
    next.set(EDIT, NEW);
    setParams(() => next, { replace: true, state: { preset: taken.preset } });
  }, [params, setParams]);
  return {
    openId: params.get(OPEN),
    editId: params.get(EDIT),
    preset,
    open: (id: string) => show(OPEN, id),
    edit: (id: string) => show(EDIT, id),
    close: () => show(OPEN, null),
  };
}

export type DrawerState = ReturnType<typeof useDrawerState>;
