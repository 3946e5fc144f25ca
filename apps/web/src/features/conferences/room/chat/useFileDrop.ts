import { useEffect, useState, type DragEvent } from 'react';

const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }): boolean =>
  dataTransfer?.types.includes('Files') ?? false;

/**
 * Handlers for an area that takes dropped files, and whether files are above it. A file that is dropped beside it is
 * ignored: the browser would open it in place of the meeting.
 */
export function useFileDrop(onDrop: (transfer: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented || event.dataTransfer === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', ignore);
    addEventListener('drop', ignore);
    return () => {
      removeEventListener('dragover', ignore);
      removeEventListener('drop', ignore);
    };
  }, []);
  const handlers = {
    onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    },
    onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false);
    },
    onDrop(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      onDrop(event.dataTransfer);
    },
  };
  return { isOver, handlers };
}
