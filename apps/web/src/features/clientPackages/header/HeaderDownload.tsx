import {
  lazy,
  Suspense,
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { session } from '../../../lib/browser.ts';
import { loadChunk } from '../../../lib/chunks.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Icon } from '../../../ui/icons.tsx';
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

/** A menu that opens on hover and by its button, and closes by Escape, when the focus leaves it, or a touch outside. */
function useHangingMenu() {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  /** Hovered by the mouse, which has opened it: a click must not close it then. */
  const hovered = useRef(false);
  useEffect(() => {
    if (!open) return undefined;
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [open]);

  const hover = ({ pointerType }: PointerEvent, isOver: boolean) => {
    if (pointerType !== 'mouse') return;
    hovered.current = isOver;
    setOpen(isOver);
  };
  return {
    open,
    setOpen,
    root,
    toggle,
    onToggle: () => setOpen((was) => hovered.current || !was),
    events: {
      onPointerEnter: (event: PointerEvent) => hover(event, true),
      onPointerLeave: (event: PointerEvent) => hover(event, false),
      onBlur: ({ relatedTarget }: FocusEvent) => {
        if (relatedTarget !== null && !root.current?.contains(relatedTarget)) setOpen(false);
      },
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key !== 'Escape' || !open) return;
        setOpen(false);
        toggle.current?.focus();
      },
    },
  };
}
