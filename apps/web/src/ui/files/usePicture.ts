import { useEffect, useState } from 'react';
import type { FileSource } from '../../lib/files.ts';

/** A picture in this page. */
export interface LoadedPicture {
  /** Its address; null while it loads, is not wanted, or cannot be loaded. */
  url: string | null;
  hasFailed: boolean;
}

const NOTHING: LoadedPicture = { url: null, hasFailed: false };

/** Loads a picture while it is wanted. */
export function usePicture(source: FileSource, id: string, isWanted: boolean): LoadedPicture {
  const [picture, setPicture] = useState(NOTHING);
  useEffect(() => {
    if (!isWanted) return undefined;
    let url: string | null = null;
    let isOver = false;
    const load = async () => {
      try {
        const blob = await source.picture(id);
        if (isOver) return;
        url = URL.createObjectURL(blob);
        setPicture({ url, hasFailed: false });
      } catch {
        if (!isOver) setPicture({ url: null, hasFailed: true });
      }
    };
    void load();
    return () => {
      isOver = true;
      if (url !== null) URL.revokeObjectURL(url);
      setPicture(NOTHING);
    };
  }, [source, id, isWanted]);
  return picture;
}
