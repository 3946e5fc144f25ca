import { pathOf, watch } from '@rmeet/contract';
import { api, isApiError } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';

/** What a viewer was asked for. */
export interface Answers {
  password: string;
  name: string;
}
export const NO_ANSWERS: Answers = { password: '', name: '' };
export type Opened = Awaited<ReturnType<typeof api.watch.open>>;

/** Under which this tab keeps its view of a broadcast: a reload is no other viewer. */
const viewKey = (id: string): string => `watch-view:${id}`;

/** Opens a broadcast, with the account if someone is signed in; goes on with the view that this tab has. */
export async function openWatch(id: string, answers: Answers): Promise<Opened> {
  const view = sessionStorage.getItem(viewKey(id)) ?? '';
  try {
    const opened = await openAs(id, { ...answers, view });
    sessionStorage.setItem(viewKey(id), opened.view);
    return opened;
  } catch (error) {
    if (isApiError(error)) sessionStorage.removeItem(viewKey(id));
    throw error;
  }
}

async function openAs(id: string, { name, ...body }: Answers & { view: string }): Promise<Opened> {
  const params = { id };
  if (session.token !== null)
    try {
      return await api.watch.openSignedIn({ params, body });
    } catch (error) {
      if (!isApiError(error) || error.httpStatus !== 401) throw error;
      // The sign-in has ended; the broadcast may be open to everyone.
      session.clear();
    }
  return api.watch.open({ params, body: { ...body, name } });
}

/** Says that the page is closed; a request that outlives it. */
export function sendLeave(view: string): void {
  void fetch(pathOf(watch.leave), {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ view }),
  }).catch(() => undefined);
}
