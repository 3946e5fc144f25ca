import { useContext, useEffect, useEffectEvent } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, useLocation, type Navigator } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask } from '../../lib/notify.ts';
import './texts.ts';

/** Where the entry shown stands in the history, as the router counts; undefined for one that was typed into the address. */
const indexNow = (): number | undefined => (history.state as { idx?: number } | null)?.idx;

/** Has `push` take the place of the navigator's own, until the function returned is called. */
function takeOver(navigator: Navigator, push: (own: Navigator['push'], ...to: Parameters<Navigator['push']>) => void): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its object again, and put back as it was
  const own = navigator.push;
  navigator.push = (...to) => push((...args) => own.apply(navigator, args), ...to);
  return () => {
    navigator.push = own;
  };
}

/**
 * Asks before a page with something typed is left for another, by a link or by going back; `isWithin`: also before it is left for the
 * page itself with another search, as a form does that is open in the address. Signing out is not asked about, and what is typed comes
 * back where the app is only loaded again.
 */
export function useAskBeforeLeaving(isDirty: boolean, { isWithin = false }: { isWithin?: boolean } = {}): void {
  const t = useTexts('admin');
  const { navigator } = useContext(NavigationContext);
  const { pathname, search } = useLocation();

  const mayLeave = useEffectEvent(() => ask({ title: t('discardTitle'), text: t('discardText'), okText: t('discard'), cancelText: t('keep'), danger: true }));
  const isLeaving = useEffectEvent((path: string) => {
    const next = new URL(path, location.origin);
    return next.pathname !== pathname || (isWithin && next.search !== search);
  });

  useEffect(() => {
    if (!isDirty) return;
    let here = indexNow() ?? 0;
    let isAsking = false;
    let isLetGo = false;

    const decide = async (go: () => void) => {
      if (isAsking) return;
      isAsking = true;
      const yes = await mayLeave();
      isAsking = false;
      if (yes) go();
    };

    // The router knows no way to ask before it goes on, unless it fetches data for its pages.
    const giveBack = takeOver(navigator, (own, to, ...rest) => {
      const path = typeof to === 'string' ? to : `${to.pathname ?? pathname}${to.search ?? ''}`;
      const isElsewhere = new URL(path, location.origin).pathname !== pathname;
      if (isElsewhere) void decide(() => own(to, ...rest));
      else {
        own(to, ...rest);
        here = indexNow() ?? here;
      }
    });

    const back = (event: PopStateEvent) => {
      const index = indexNow();
      const steps = index === undefined ? 1 : index - here;
      if (isLetGo || steps === 0) return;
      if (!isLeaving(location.hash.slice(1) || '/')) {
        here += steps;
        return;
      }
      // The router is to hear of it only once it is decided: until then the address is as it was.
      event.stopImmediatePropagation();
      history.go(-steps);
      void decide(() => {
        isLetGo = true;
        history.go(steps);
      });
    };
    addEventListener('popstate', back, { capture: true });
    return () => {
      giveBack();
      removeEventListener('popstate', back, { capture: true });
    };
  }, [isDirty, navigator, pathname]);
}
