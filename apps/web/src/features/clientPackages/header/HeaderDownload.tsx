import { lazy, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { session } from '../../../lib/browser.ts';
import { loadChunk } from '../../../lib/chunks.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { useHangingMenu } from '../../../ui/useHangingMenu.ts';
import { isDownloadShown, type Scanned, type Viewer } from '../downloads/viewer.ts';
import './header.css';

// The shell does without the texts and the list until the menu is opened.
const DownloadMenu = lazy(() =>
  loadChunk(async () => ({ default: (await import('./DownloadMenu.tsx')).DownloadMenu })),
);
const ScanDialog = lazy(() => loadChunk(async () => ({ default: (await import('./ScanDialog.tsx')).ScanDialog })));

/**
 * The download icon of the header, which leads to the page of all clients, and a menu that opens on hover and by its
 * button.
 */
export function HeaderDownload() {
  const t = useTexts('common');
  const viewer: Viewer = {
    userAgent: navigator.userAgent,
    source: session.note('source'),
    platform: session.note('platform'),
  };
  const { open, setOpen, root, toggle, onToggle, events } = useHangingMenu();
  const [scanned, setScanned] = useState<Scanned | null>(null);
  if (!isDownloadShown(viewer)) return null;
  return (
    <>
      <div ref={root} className="header-download" {...events}>
        <Link
          to="/clientDownload"
          className="icon-button"
          title={t('shell.download')}
          aria-label={t('shell.download')}
          data-testid="to-client-download"
        >
          <Icon name="download" />
        </Link>
        <button
          ref={toggle}
          type="button"
          className="header-download-toggle"
          aria-expanded={open}
          aria-label={t('shell.downloadMenu')}
          data-testid="download-menu"
          onClick={onToggle}
        >
          <Icon name="down" />
        </button>
        {open && (
          <Suspense fallback={null}>
            <DownloadMenu
              viewer={viewer}
              onScan={(name) => {
                setOpen(false);
                // The dialog returns the focus to the button when it is closed.
                toggle.current?.focus();
                setScanned(name);
              }}
              onLeave={() => setOpen(false)}
            />
          </Suspense>
        )}
      </div>
      {/* Outside the menu, which a pointer in the dialog would hover, and the header: it has one of its own. */}
      {scanned &&
        createPortal(
          <Suspense fallback={null}>
            <ScanDialog name={scanned} onClose={() => setScanned(null)} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}
