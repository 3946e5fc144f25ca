import { useState } from 'react';

/**
 * Where the focus goes when a layer over the page is gone: antd gives it back when the layer's animation has ended,
 * wherever the person has gone meanwhile; the function given here, to be called then, does not take it from them. What
 * had the focus may be gone, too; then the content has it.
 *
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
