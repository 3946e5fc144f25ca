import { useAddressParams } from '../../../lib/addressParams.ts';
import { system } from '../../../lib/browser.ts';
import { readView, VIEWS, writeView, type View } from './viewState.ts';

/** An agenda is for the meetings of one person; the manage app shows those of a tenant. */
export const viewsShown: readonly View[] = system === 'manage' ? VIEWS.filter((view) => view !== 'agenda') : VIEWS;

/** Reads and changes the view state in the URL. */
export function useView() {
  const [params, setParams] = useAddressParams();
  const change = (part: Parameters<typeof writeView>[1]) => setParams((now) => writeView(now, part));
  return [readView(params, viewsShown[0]), change] as const;
}
