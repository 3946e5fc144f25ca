/** The agenda, the table and the three views of the calendar. */
export const VIEWS = ['agenda', 'list', 'day', 'week', 'month'] as const;
export type View = (typeof VIEWS)[number];
export type CalendarView = Exclude<View, 'agenda' | 'list'>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** Parameters of the table. A URL with one of them shows the table, also without a view. */
const TABLE_PARAMS = ['scope', 'type', 'q', 'page', 'size', 'sort', 'order'] as const;

/** The view and the selected day in the URL; a null date means today. `home` is the view of a URL that names none. */
export function readView(params: URLSearchParams, home: View = 'agenda'): { view: View; date: string | null } {
  const date = params.get('date') ?? '';
  const isDay = DAY.test(date) && !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);
  const implied = TABLE_PARAMS.some((key) => params.has(key)) ? 'list' : home;
  return { view: VIEWS.find((known) => known === params.get('view')) ?? implied, date: isDay ? date : null };
}

/** The URL after a change. Today is left out, so that the URL still means today tomorrow. */
export function writeView(params: URLSearchParams, change: { view?: View; date?: string | null }): URLSearchParams {
  const { view, date } = { ...readView(params), ...change };
  const next = new URLSearchParams(params);
  next.set('view', view);
  if (view === 'agenda') for (const key of ['view', ...TABLE_PARAMS]) next.delete(key);
  if (view === 'agenda' || view === 'list' || date === null) next.delete('date');
  else next.set('date', date);
  return next;
}
