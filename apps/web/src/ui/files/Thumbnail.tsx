import type { StoredFile } from '@rmeet/contract';
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { FileSource } from '../../lib/files.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../icons.tsx';
import { usePicture } from './usePicture.ts';

/** Largest size of the small picture, and the smallest place that is still easy to hit; CSS pixels. */
const WIDEST = 232;
const HIGHEST = 180;
const SMALLEST = 56;

interface ThumbnailProps {
  file: StoredFile & { picture: NonNullable<StoredFile['picture']> };
  source: FileSource;
  /** Loads without a click, once it is in sight. */
  isUnasked: boolean;
  onOpen: () => void;
}

/** A small picture; a click shows it larger. Its place has its final size from the start, so that nothing jumps. */
export function Thumbnail({ file, source, isUnasked, onOpen }: ThumbnailProps) {
  const t = useTexts('common');
  const place = useRef<HTMLButtonElement>(null);
  const [isAsked, setAsked] = useState(false);
  const isSeen = useSeen(place);
  const { url, hasFailed } = usePicture(source, file.id, isAsked || (isUnasked && isSeen));
  const { width, height } = file.picture;
  const scale = Math.min(1, WIDEST / width, HIGHEST / height);
  const isWaiting = url === null && !isAsked && !isUnasked;
  return (
    <button
      ref={place}
      type="button"
      className="file-thumbnail"
      style={{
        width: Math.max(SMALLEST, Math.round(width * scale)),
        height: Math.max(SMALLEST, Math.round(height * scale)),
      }}
      aria-label={t(isWaiting ? 'files.load' : 'files.enlarge', { name: file.name })}
      title={isWaiting ? t('files.loadShort') : undefined}
      data-testid="file-thumbnail"
      onClick={() => {
        if (isWaiting) setAsked(true);
        else onOpen();
      }}
    >
      {url === null ? <Icon name={hasFailed ? 'fileOther' : 'filePicture'} /> : <img src={url} alt="" />}
    </button>
  );
}

/** Whether an element has been in sight. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const watcher = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      setSeen(true);
      watcher.disconnect();
    });
    if (element.current !== null) watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [element]);
  return isSeen;
}
