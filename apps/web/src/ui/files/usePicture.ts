import { useEffect, useState } from 'react';
import type { FileSource } from '../../lib/files.ts';

/** The address of a picture in this page; null while it loads or is not wanted. */
export function usePicture(source: FileSource, id: string, isWanted: boolean): string | null | 'failed' {
  const [picture, setPicture] = useState<string | null | 'failed'>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    let url: string | null = null;
    let isOver = false;
    source.picture(id).then(
      (blob) => {
        if (isOver) return;
        url = URL.createObjectURL(blob);
        setPicture(url);
      },
      () => {
        if (!isOver) setPicture('failed');
      },
    );
    return () => {
      isOver = true;
      if (url !== null) URL.revokeObjectURL(url);
      setPicture(null);
    };
  }, [source, id, isWanted]);
  return picture;
}
