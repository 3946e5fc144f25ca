import { useEffect } from 'react';
import type { PictureRequests, PictureWish } from '../../../call/index.ts';

/**
 * Asks for the pictures of a view as long as it is mounted; drawing it anew takes nothing back. Null: what it wants is
 * not known yet.
 */
export function usePictures(requests: PictureRequests, view: string, pictures: readonly PictureWish[] | null): void {
  useEffect(() => {
    if (pictures !== null) requests.show(view, pictures);
  }, [requests, view, pictures]);
  useEffect(() => () => requests.show(view, []), [requests, view]);
}
