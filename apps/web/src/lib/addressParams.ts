import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router';

type Change = (change: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/** The browser's current query string; the rendered page may still show an earlier one. */
function paramsNow(): URLSearchParams {
  const start = location.hash.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : location.hash.slice(start));
}

/**
 * The query parameters of the URL, and a function to change them. A change starts from the current URL; the router's
 * own function starts from the last render, so that the second of two changes before a render would undo the first.
 */
export function useAddressParams(): [URLSearchParams, Change] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<Change>((next, options) => setParams(() => next(paramsNow()), options), [setParams]);
  return [params, change];
}
