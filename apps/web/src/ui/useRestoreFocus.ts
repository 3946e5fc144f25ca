import { useState } from 'react';

/**
 * Restores the focus after a layer over the page has closed. antd restores it when the layer's animation has ended,
 * even if the user has moved the focus in the meantime; the returned function, which must be called at that time,
 * prevents this. If the previously focused element no longer exists, the content gets the focus.
 * @param layer selector of the layer itself
 */
export function useRestoreFocus(open: boolean, layer: string): () => void {
  const [shown, setShown] = useState<{ open: boolean; opener: Element | null }>({ open: false, opener: null });
  if (shown.open !== open) setShown({ open, opener: open ? document.activeElement : shown.opener });
  return () => {
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body || activeElement.closest(layer) !== null;
    const to =
      shown.opener?.isConnected === true && shown.opener !== document.body
        ? shown.opener
        : document.querySelector('#main');
    if (isLost && to instanceof HTMLElement) to.focus();
  };
}
