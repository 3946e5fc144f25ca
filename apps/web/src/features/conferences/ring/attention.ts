const BLINK = 1_000;

/**
 * While the page is hidden: blinks its title and, if notifications are already permitted, shows one that brings the
 * page to the front. Stops when the returned function is called.
 */
export function callAttention(title: string, body: string, tag: string): () => void {
  /** The page's own title, which may change in the meantime. */
  let own = document.title;
  const notification =
    document.hidden && globalThis.Notification?.permission === 'granted'
      ? new Notification(title, { body, tag })
      : null;
  notification?.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
  const blink = (): void => {
    const isOurs = document.title === title;
    if (!isOurs) own = document.title;
    document.title = document.hidden && !isOurs ? title : own;
  };
  blink();
  const timer = setInterval(blink, BLINK);
  return () => {
    clearInterval(timer);
    notification?.close();
    if (document.title === title) document.title = own;
  };
}
