import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

type Change = (change: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/** The search of the address as it stands in the browser, where the page may still show an earlier one. */
function paramsNow(): URLSearchParams {
  const start = location.hash.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : location.hash.slice(start));
}

/**
 * What the address says after `?`, and how to change it. A change begins from the address as it is; the router's own
 * begins from what was drawn last, so that of two changes before the page is drawn again the second would undo the
 * first.
 */
export function useAddressParams(): [URLSearchParams, Change] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<Change>((next, options) => setParams(() => next(paramsNow()), options), [setParams]);
  return [params, change];
}
