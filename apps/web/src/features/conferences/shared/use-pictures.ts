import { useEffect } from 'react';
import type { PictureRequests, PictureWish } from '../../../call/index.ts';

/**
 * Requests the pictures of a view while it is mounted; a new render does not cancel requests. Null: the view's needs
 * are not known yet.
 */
export function usePictures(requests: PictureRequests, view: string, pictures: readonly PictureWish[] | null): void {
  useEffect(() => {
    if (pictures !== null) requests.show(view, pictures);
  }, [requests, view, pictures]);
  useEffect(() => () => requests.show(view, []), [requests, view]);
}
