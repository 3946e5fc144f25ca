import { useAddressParams } from '../../../lib/addressParams.ts';

export const VIEWS = ['list', 'day', 'week', 'month'] as const;
export type View = (typeof VIEWS)[number];
export type CalendarView = Exclude<View, 'list'>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The view and the selected day in the URL; a null date means today. */
export function readView(params: URLSearchParams): { view: View; date: string | null } {
  const date = params.get('date') ?? '';
  const isDay = DAY.test(date) && !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
  return { view: VIEWS.find((known) => known === params.get('view')) ?? 'list', date: isDay ? date : null };
}

/** The URL after a change. Today is left out, so that the URL still means today tomorrow. */
export function writeView(params: URLSearchParams, change: { view?: View; date?: string | null }): URLSearchParams {
  const { view, date } = { ...readView(params), ...change };
  const next = new URLSearchParams(params);
  if (view === 'list') next.delete('view');
  else next.set('view', view);
  if (view === 'list' || date === null) next.delete('date');
  else next.set('date', date);
  return next;
}

/** Reads and changes the view state in the URL. */
export function useView() {
  const [params, setParams] = useAddressParams();
  const change = (part: Parameters<typeof writeView>[1]) => setParams((now) => writeView(now, part));
  return [readView(params), change] as const;
}
