import { lazy, Suspense, useEffect, useState } from 'react';
import { loadChunk } from '../../../lib/chunks.ts';
import { useImportantUnread, useMarkRead } from './queries.ts';
import '../texts.ts';

const ImportantDialog = lazy(() =>
  loadChunk(async () => ({ default: (await import('./ImportantDialog.tsx')).ImportantDialog })),
);

/** How often it looks whether the page is free of other dialogs; ms. */
const LOOK_EVERY = 300;
const OTHER_DIALOGS = 'dialog[open], .ant-drawer-open';

/**
 * Shows important announcements one after the other, each once: closing its dialog marks it as read. It waits while
 * another dialog or drawer is open, which may hold unsaved edits.
 */
export function ImportantAnnouncements() {
  const mark = useMarkRead();
  // A mark that fails must not bring the dialog back while the page is open.
  const [closed, setClosed] = useState<readonly string[]>([]);
  const [shownId, setShownId] = useState<string | null>(null);
  const waiting = useImportantUnread().filter(({ id }) => !closed.includes(id));
  const nextId = waiting[0]?.id;
  const shown = waiting.find(({ id }) => id === shownId);
  const isShown = shown !== undefined;

  useEffect(() => {
    if (nextId === undefined || isShown) return undefined;
    const timer = setInterval(() => {
      if (document.querySelector(OTHER_DIALOGS) === null) setShownId(nextId);
    }, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [nextId, isShown]);

  if (!shown) return null;
  return (
    <Suspense fallback={null}>
      <ImportantDialog
        key={shown.id}
        announcement={shown}
        left={waiting.length - 1}
        onClose={() => {
          setClosed((before) => [...before, shown.id]);
          mark.mutate(shown.id);
        }}
      />
    </Suspense>
  );
}
