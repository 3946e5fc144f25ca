import { useEffect, useEffectEvent, useState } from 'react';
import { fetchAhead } from '../../../lib/fetchAhead.ts';

/** Not yet in TypeScript's DOM types. */
interface DocumentPictureInPicture {
  requestWindow: (size: { width: number; height: number }) => Promise<Window>;
}

export interface PictureInPicture {
  /** The window of its own, where the browser has such windows; null while there is none. */
  window: Window | null;
  /** Null if the browser has neither such windows nor pictures in picture. */
  toggle: (() => void) | null;
}

/** The content of the window, with its styles. */
export const loadPictureInPicture = () =>
  import('./pip/PictureInPictureWindow.tsx').then((module) => ({ default: module.PictureInPictureWindow }));

const SIZE = { width: 360, height: 240 };
/** The picture that a browser without such windows shows instead. */
const MAIN_PICTURE = '.stage [data-area=stage] video, .stage [data-seat="1"] video, .stage [data-area] video';

const documents = (): DocumentPictureInPicture | null =>
  (window as { documentPictureInPicture?: DocumentPictureInPicture }).documentPictureInPicture ?? null;

/** A small window with who speaks, above others; opened by the user, or by the browser when the tab is hidden. */
export function usePictureInPicture(): PictureInPicture {
  const [opened, setOpened] = useState<Window | null>(null);
  const open = async () => {
    const inDocument = documents();
    try {
      if (inDocument === null) {
        await showVideo();
        return;
      }
      await loadPictureInPicture();
      setOpened(dressed(await inDocument.requestWindow(SIZE)));
    } catch {
      // Without a recent press of the user, browsers refuse; nothing is shown then.
    }
  };
  const openFromBrowser = useEffectEvent(() => void open());
  useEffect(() => {
    if (opened === null) return undefined;
    const closed = () => setOpened(null);
    opened.addEventListener('pagehide', closed);
    return () => {
      opened.removeEventListener('pagehide', closed);
      opened.close();
    };
  }, [opened]);
  useEffect(() => whenTabIsHidden(openFromBrowser), []);
  // Browsers wait for no download when they open the window by themselves.
  useEffect(() => (documents() === null ? undefined : fetchAhead(loadPictureInPicture)), []);

  if (documents() === null && !document.pictureInPictureEnabled) return { window: null, toggle: null };
  const close = () => {
    if (opened !== null) opened.close();
    else void document.exitPictureInPicture();
  };
  return {
    window: opened,
    toggle: () => (opened !== null || document.pictureInPictureElement !== null ? close() : void open()),
  };
}

/** Gives the window the language and the styles of this page. */
function dressed(target: Window): Window {
  const { head, documentElement } = target.document;
  for (const sheet of document.querySelectorAll('link[rel=stylesheet], style')) {
    const copy = sheet.cloneNode(true) as HTMLElement;
    if (sheet instanceof HTMLLinkElement) copy.setAttribute('href', sheet.href);
    head.append(copy);
  }
  documentElement.lang = document.documentElement.lang;
  target.document.title = document.title;
  return target;
}

async function showVideo(): Promise<void> {
  const video = document.querySelector<HTMLVideoElement>(MAIN_PICTURE);
  if (video === null) return;
  video.disablePictureInPicture = false;
  await video.requestPictureInPicture();
}

/** Calls `open` when the browser offers to show a picture because its tab is hidden. */
function whenTabIsHidden(open: () => void): () => void {
  const set = (handler: (() => void) | null) => {
    try {
      navigator.mediaSession.setActionHandler('enterpictureinpicture' as MediaSessionAction, handler);
    } catch {
      // Most browsers do not know this action.
    }
  };
  set(open);
  return () => set(null);
}
